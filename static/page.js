// The page: its acts on one store, theme, presets, the act in view, and a server if there is one.
import { ActInPage, bindDeployment } from "./act.js";
import { Host, enterEmbed, lockControls } from "./embed.js";
import { embedFigure, isDark, onThemeChange } from "./figures.js";
import {
  Address, followSections, linkQuery, nameDocument, pageAddress, readLink, sectionIds, showFaults, unfoldSection,
} from "./link.js";
import { allDone, soon } from "./later.js";
import { askThrough } from "./live.js";
import { fetchBokeh, FigureQueue, loadBokeh } from "./near.js";
import { bindSaving } from "./save.js";
import { bindSharing, bindSources } from "./share.js";
import { startPart } from "./start.js";
import { Store, afterPaint, followPython, same } from "./store.js";

export const page = JSON.parse(document.getElementById("page-data").textContent);

// What the address asks for, before anything is drawn.
const sections = sectionIds();
export const opened = readLink(location.search, sections);
export const embedded = opened.embed ? enterEmbed(opened, sections) : null;
if (!embedded) for (const name of ["embed", "fit"]) delete document.documentElement.dataset[name];

export const store = new Store({ ...page.state, ...opened.state });
/** What of the state is not as Python drew it: plain values, and what the small decoder read, which is large and replaced whole. */
const moved = () => Object.keys(page.state).filter((key) => store.state[key] !== page.state[key]);
/** The acts that could start, by their ids. */
export const acts = new Map();

function startAct(root) {
  const { act: id } = root.dataset;
  const act = startPart(root, () => new ActInPage(id, root, store, moved().length ? null : page.reads[id]));
  if (act) acts.set(id, act);
}

/** Storage may be missing or forbidden (sandboxed frames, private windows): then the page just forgets. */
export const memory = {
  read(key) {
    try { return localStorage.getItem(key); } catch { return null; }
  },
  write(key, value) {
    try { localStorage.setItem(key, value); } catch { /* nothing to keep it in */ }
  },
};

/**
 * What this document keeps something under: another file of the same site, or one written for another deployment, has
 * answers and guesses of its own.
 */
export function ownKey(name) {
  const start = Object.entries(page.state).filter(([key, value]) => Object.hasOwn(RULES, key) && !same(value, RULES[key].default));
  return ["kv-cache", name, location.pathname, ...(start.length ? [JSON.stringify(Object.fromEntries(start))] : [])].join(":");
}

function bindTheme() {
  const button = document.querySelector("[data-action=theme]");
  const root = document.documentElement;
  const show = () => {
    const dark = isDark();
    button?.setAttribute("aria-pressed", String(dark));
  };
  button?.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    memory.write("kv-cache:theme", root.dataset.theme);
    show();
  });
  onThemeChange(show);
  show();
}

function bindPresets() {
  const presets = [...document.querySelectorAll("[data-preset]")].map((button) => [button, JSON.parse(button.dataset.preset)]);
  const show = (state) => {
    for (const [button, preset] of presets) {
      const holds = Object.entries(preset).every(([key, value]) => state[key] === value);
      button.setAttribute("aria-pressed", String(holds));
    }
  };
  for (const [button, preset] of presets) button.addEventListener("click", () => store.set(preset, button));
  store.listen(afterPaint(() => show(store.state)));
  show(store.state);
}

/** The address, the section in view and, in an embed, the host follow the store. Returns what to do at the end. */
function keepLink() {
  const address = new Address(store, page.state, { ...opened, act: embedded ?? opened.act });
  const originRefused = opened.faults.some(([key]) => key === "origin");
  let settle = () => {};
  if (embedded) {
    lockControls(opened.lock ?? [], store);
    const setTheme = (theme) => { document.documentElement.dataset.theme = theme; };
    if (!originRefused) {
      const host = new Host(embedded, store, opened.origin, setTheme);
      settle = () => host.tellHeight();
    }
  } else settle = followSections(sections, address, store);
  bindSharing(store, page.state, page.hostScript);
  if (embedded) bindSources();
  showFaults(opened.faults);
  return settle;
}

/** Says in an act's first figure why it stands still, once. */
function saveStill({ id, element }) {
  const act = acts.get(id).root;
  if (act.querySelector(".still-note")) return;
  const note = Object.assign(document.createElement("p"), { className: "still-note" });
  note.textContent = "BokehJS could not be loaded, so pictures here stand still; words and figures follow the controls.";
  element.after(note);
}

/** Draws a figure with BokehJS where that can be had. */
async function drawFigure(place) {
  const { id, key, item, element } = place;
  try {
    await loadBokeh();
  } catch {
    saveStill(place);
    return;
  }
  acts.get(id).addFigure(await embedFigure(id, key.split(":")[1], item, element));
}

/** Figures are drawn as they come into view; until then what Python drew stands there, faint if it no longer holds. */
async function embedFigures() {
  await started;
  const places = Object.entries(page.figures)
    .map(([key, item]) => ({ id: key.split(":")[0], key, item, element: document.querySelector(`[data-plot="${key}"]`) }))
    .filter(({ id, element }) => element && acts.has(id) && (!embedded || embedded === id));
  const queue = new FigureQueue(places, drawFigure);
  const change = (changed) => {
    if (!changed.length) return;
    for (const { id, element } of places) if (acts.get(id).concerns(changed)) element.dataset.stale = "";
    queue.rest();
  };
  change(moved());
  store.listen((state, changed) => change(changed));
  settle();
  await queue.begun;
  // Once more after all that was put off: the quiz asks one question at a time, and what follows it moves up.
  await allDone();
  settle(true);
  document.documentElement.dataset.ready = "true";
  performance.mark("kv-cache:ready");
}

/** Called by the served page's bridge: keeps the server's parameters and the store in step, without echo. */
globalThis.kvCacheConnect = (model, view) => {
  let connected = true;
  view.model.document.on_event("connection_lost", () => { connected = false; });
  followPython(model, store, () => connected);
  askThrough(model);
  performance.mark("kv-cache:connected");
};

/** The page's one deployment opens over what is read; Escape closes it, and each act leads to it. */
function bindSharedDeployment() {
  const details = document.querySelector(".shared-deployment > details");
  if (!details) return;
  bindDeployment(details, store, !moved().length);
  const summary = details.querySelector("summary");
  let from = null;
  const close = () => {
    if (!details.open) return;
    details.open = false;
    (from?.isConnected ? from : summary).focus({ preventScroll: true });
    from = null;
  };
  details.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  details.addEventListener("click", (event) => { if (event.target.closest("a")) details.open = false; });
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(".bar, [data-action=deployment]")) details.open = false;
  });
  for (const button of document.querySelectorAll("[data-action=deployment]")) {
    button.addEventListener("click", () => {
      details.open = true;
      from = button;
      details.querySelector("[data-param]").focus({ preventScroll: true });
    });
  }
}

/** What is folded opens for a link that leads to it. */
function bindFolds() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (link) unfoldSection(link.hash.slice(1));
  }, { capture: true });
  for (const id of [embedded, location.hash.slice(1)]) if (id) unfoldSection(id);
}

/** On a narrow screen the navigation scrolls: what has the focus in it is seen whole. */
function bindNav() {
  document.querySelector(".nav ol")?.addEventListener("focusin", (event) => {
    event.target.scrollIntoView({ block: "nearest", inline: "center", behavior: "instant" });
  });
}

/** An act's link, as it is written on what is saved and on paper. */
function linkOf(id) {
  return `${pageAddress()}?${linkQuery(store.state, page.state, id)}`;
}

/** Figures can be saved, and a printed act names its link. */
function bindKeeping() {
  for (const [id, act] of acts) {
    bindSaving(act, (name) => page.figures[`${id}:${name}`], loadBokeh, () => linkOf(id));
  }
  const folded = "#reference > details:not([open])";
  addEventListener("beforeprint", () => {
    for (const [id, act] of acts) act.root.querySelector("[data-paper-link]").textContent = linkOf(id);
    // What is looked up is printed; afterwards it is folded again.
    for (const part of document.querySelectorAll(folded)) Object.assign(part, { open: true }).dataset.printed = "";
  });
  addEventListener("afterprint", () => {
    for (const part of document.querySelectorAll("[data-printed]")) {
      part.open = false;
      delete part.dataset.printed;
    }
  });
}

let settle = () => {};
function startRest() {
  for (const bind of [bindTheme, bindNav, bindFolds, bindPresets, bindSharedDeployment, bindKeeping]) startPart(null, bind);
  settle = startPart(null, keepLink) ?? settle;
  performance.mark("kv-cache:live");
}

if (embedded) nameDocument(embedded);
for (const root of document.querySelectorAll("[data-act]")) soon(() => startAct(root));
const started = soon(startRest);
fetchBokeh();
if (document.readyState === "complete") embedFigures();
else addEventListener("load", embedFigures);
