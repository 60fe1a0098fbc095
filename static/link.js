// A link is a state: the URL's query holds what differs from the page's defaults, and the act in view.
import { allowedText, legalValue, same, shapeFirst, worldWith } from "./store.js";

/** Longest value read, in characters, and where it may be longer. */
const LONGEST_VALUE = 64;
const LONGEST = { lock: 400, quiz: 800, origin: 400, shape: OWN_LONGEST, text: 400 };
/** Browsers refuse more than 100 changes of the address in 30 seconds: this pace stays below. */
const PACE_MS = 400;
const FLAGS = new Map([["true", true], ["1", true], ["false", false], ["0", false]]);
/** What trackers, hosting services and Bokeh add to links: not ours to judge. */
const FOREIGN = new RegExp(
  "^(utm_\\w*|[a-z]{1,3}clk?id|gbraid|wbraid|mc_[ce]id|igsh(id)?|ref|ref_src|source|si|_|_g[al]|_hs\\w*|v|ts?|cb|nocache|"
  + "lang|hl|token|bokeh-[\\w-]*|vscode[\\w-]*|__(?!proto__)\\w*)$", "i",
);

/** The legal value a query's text stands for, or undefined. */
export function valueFromText(key, text, rules = RULES) {
  const rule = rules[key];
  if (rule.kind === "flag") return FLAGS.get(text);
  return legalValue(key, text, rules);
}

/** What the query may hold beside the state: each key's reader gives a value, or undefined for a text it refuses. */
function optionReaders(sections) {
  const oneOf = (...words) => (text) => (words.includes(text) ? text : undefined);
  return {
    act: oneOf(...sections),
    embed: (text) => FLAGS.get(text),
    fit: (text) => FLAGS.get(text),
    theme: oneOf("dark", "light"),
    background: oneOf("transparent", "page"),
    lock: readNames,
    origin: readOrigin,
    quiz: readQuestions,
    seed: readSeed,
    predict: (text) => FLAGS.get(text),
  };
}

function readNames(text) {
  const names = text.split(",");
  return names.every((name) => Object.hasOwn(RULES, name)) ? names : undefined;
}

/** Names of questions; whether the quiz has them is for the quiz to say. */
function readQuestions(text) {
  const names = text.split(",");
  return names.every((name) => /^[a-z-]{1,40}$/.test(name)) && new Set(names).size === names.length ? names : undefined;
}

function readSeed(text) {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

function readOrigin(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) && url.origin === text ? text : undefined;
}

const OPTION_HINTS = {
  act: "not a section of this page",
  lock: "not a list of controls",
  origin: "not an origin such as https://example.org",
  quiz: "not a list of questions, each named once",
  seed: "not a whole number from 1 to 999,999",
};

/** At most 20 characters of a text, none of them invisible or able to turn the line around. */
function excerpt(text) {
  const characters = [...text];
  return characters.slice(0, 20).join("").replace(/\p{C}/gu, "·") + (characters.length > 20 ? "…" : "");
}

function refusal(key, text) {
  if (key === "shape") return `“${excerpt(text)}”: ${own_read(text).error.replace(/\.$/, "")}`;
  if (!Object.hasOwn(RULES, key)) return `“${excerpt(text)}” is ${OPTION_HINTS[key] ?? "not a choice"}`;
  return RULES[key].kind === "flag"
    ? `“${excerpt(text)}” is neither true nor false`
    : `“${excerpt(text)}” is not ${allowedText(key)}`;
}

/**
 * What a query asks for. Nothing but legal values come out: `state` (RULES' keys), the options (act, embed, …),
 * `kept` (pairs that stay in the address), and `faults`, one `[key, reason]` for each key not used.
 */
export function readLink(search, sections) {
  const query = new URLSearchParams(search);
  const options = optionReaders(sections);
  const link = { state: {}, kept: [], faults: [] };
  const fromText = (key) => (text) => valueFromText(key, text, worldWith(link.state.shape).rules);
  for (const key of [...new Set(query.keys())].sort(shapeFirst)) {
    const values = query.getAll(key);
    const ours = Object.hasOwn(RULES, key);
    if (!ours && !Object.hasOwn(options, key)) {
      if (FOREIGN.test(key)) link.kept.push(...values.map((value) => [key, value]));
      else link.faults.push([excerpt(key) || "a value without a name", "unknown"]);
      continue;
    }
    const [value, fault] = readOne(key, values, ours ? fromText(key) : options[key]);
    if (fault) link.faults.push([key, fault]);
    else if (ours) link.state[key] = value;
    else link[key] = value;
    if (!fault && !ours && key !== "act") link.kept.push([key, values[0]]);
  }
  return link;
}

function readOne(key, values, read) {
  if (values.length > 1) return [undefined, `given ${values.length} times`];
  const longest = LONGEST[key] ?? LONGEST_VALUE;
  if (values[0].length > longest) return [undefined, `longer than ${longest} characters`];
  const value = read(values[0]);
  return value === undefined ? [undefined, refusal(key, values[0])] : [value, null];
}

/** The query of a state and an act, with pairs to keep behind it; "" when all is as it was at first. */
export function linkQuery(state, defaults, act, kept = []) {
  const query = new URLSearchParams();
  if (act) query.set("act", act);
  for (const key of Object.keys(RULES)) {
    if (key === "shape" && state.model !== OWN_MODEL) continue; // nothing that the link shows depends on it
    if (!same(state[key], defaults[key])) query.set(key, String(state[key]));
  }
  for (const [key, value] of kept) query.append(key, value);
  return query.toString();
}

/** The page's own address, without query and fragment. */
export const pageAddress = () => location.href.split(/[?#]/)[0];

/** Says in the page's one note which keys of a link were not used; without faults it stays out of sight. */
export function showFaults(faults) {
  const note = document.querySelector("[data-link-note]");
  if (!note) return;
  const unknown = faults.filter(([, reason]) => reason === "unknown");
  const named = [...faults.filter((fault) => !unknown.includes(fault)), ...unknown.slice(0, 5)];
  const more = unknown.length > 5 ? `; and ${unknown.length - 5} more` : "";
  const list = named.map(([key, reason]) => `${key} (${reason})`).join("; ");
  note.querySelector("[role=status]").textContent = faults.length
    ? `Not all of this link could be used: ${list}${more}. Defaults stand in its place.` : "";
  note.toggleAttribute("data-shown", faults.length > 0);
  // No landmark as long as it is empty.
  for (const [name, value] of [["role", "complementary"], ["aria-label", "About this link"]]) {
    if (faults.length) note.setAttribute(name, value);
    else note.removeAttribute(name);
  }
  note.querySelector("button").onclick = () => showFaults([]);
}

/** The address bar: follows the store at a bearable pace, and takes a new history entry only when told to. */
export class Address {
  constructor(store, defaults, link) {
    this.store = store;
    this.defaults = defaults;
    this.act = link.act;
    this.kept = link.kept;
    this.timer = null;
    this.written = -PACE_MS;
    store.listen((state, changed, origin) => { if (origin !== this) this.later(); });
    this.change("replaceState", location.href); // marks the entry as ours, see followSections
  }

  later() {
    this.timer ??= setTimeout(() => this.write(), this.written + PACE_MS - performance.now());
  }

  write(method = "replaceState") {
    clearTimeout(this.timer);
    this.timer = null;
    this.written = performance.now();
    const query = linkQuery(this.store.state, this.defaults, this.act, this.kept);
    const url = query ? `?${query}` : pageAddress();
    // A browser that has had too many changes drops one without a word; then it is told again.
    if (this.change(method, url) && new URL(url, location.href).search !== location.search) this.later();
  }

  /** Documents without an address of their own, and browsers that count calls, may refuse: then it stays as it is. */
  change(method, url) {
    try {
      history[method]({ kvCache: true }, "", url);
      return true;
    } catch {
      return false; // see above
    }
  }
}

const BAND = { top: 0.35, bottom: 0.4 }; // the part of the window that decides which section is in view

function inBand(section) {
  const { top, bottom } = section.getBoundingClientRect();
  return top < innerHeight * BAND.bottom && bottom > innerHeight * BAND.top;
}

/** On a narrow screen the navigation scrolls sideways: what it marks is to be in sight. */
function reveal(link) {
  const list = link.closest("ol");
  const [place, view] = [link, list].map((element) => element.getBoundingClientRect());
  if (place.left >= view.left && place.right <= view.right) return;
  list.scrollLeft += place.left - view.left - (view.width - place.width) / 2;
}

const wholeTitle = document.title;

/** The document's title, and the address that stands for it, name the section in view; without one the whole page. */
export function nameDocument(id) {
  const heading = id ? document.querySelector(`#${id} h2`) : null;
  document.title = heading ? `${heading.textContent.trim()} · The KV cache` : wholeTitle;
  const canonical = document.querySelector("link[rel=canonical]");
  if (canonical) canonical.href = canonical.href.split("?")[0] + (heading ? `?act=${id}` : "");
}

/** Opens what a section keeps folded. */
export function unfoldSection(id) {
  document.getElementById(id)?.querySelector("details.fold")?.setAttribute("open", "");
}

/** Ids of the sections that `act` may name: those the navigation leads to, or the act that stands alone. */
export function sectionIds() {
  const links = [...document.querySelectorAll(".nav a[href^='#']")];
  if (links.length === 0) return [...document.querySelectorAll("main > .act")].map(({ id }) => id);
  return links.map((link) => link.hash.slice(1)).filter((id) => document.getElementById(id));
}

/**
 * Ties scrolling, navigation and history together: scrolling past a section replaces the address, following a
 * link to one adds an entry, and back and forward bring the entry's section and state again. Returns a function to
 * call as parts of the page have got their size: it brings a link's act back in place, unless the reader has moved
 * since; with true, for the last time.
 */
export function followSections(ids, address, store) {
  let target = null; // a section on its way into view: what is passed meanwhile does not count
  let arriving = false;
  const show = (id) => {
    address.act = id;
    nameDocument(id);
    for (const link of document.querySelectorAll(".nav a[href^='#']")) {
      if (link.hash === `#${id}`) {
        link.setAttribute("aria-current", "true");
        reveal(link);
      } else link.removeAttribute("aria-current");
    }
  };
  const bring = (id, options) => {
    const section = document.getElementById(id);
    unfoldSection(id);
    target = inBand(section) ? null : id;
    show(id);
    section.scrollIntoView(options);
  };
  const comeBack = async (id) => {
    const onItsWay = target !== null;
    target = null;
    show(id);
    if (!id) return;
    arriving = true;
    await frames(2);
    // The browser puts the scroll position back by itself, except while it is still on its way to the section left.
    const stays = arriving && address.act === id;
    if (stays && (onItsWay || !inBand(document.getElementById(id)))) bring(id, { behavior: "instant" });
    await frames(4);
    arriving = false;
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target: section } of entries) {
      // What comes by while the page is still growing and shrinking, or going back, is not where the reader went.
      if (!isIntersecting || arriving || (target && target !== section.id)) continue;
      target = null;
      if (section.id === address.act) continue;
      show(section.id);
      address.later();
    }
  }, { rootMargin: `${-BAND.top * 100}% 0px ${(BAND.bottom - 1) * 100}% 0px` });
  for (const id of ids) observer.observe(document.getElementById(id));
  for (const event of ["wheel", "touchmove", "pointerdown", "keydown"]) {
    addEventListener(event, () => { target = null; arriving = false; }, { passive: true });
  }
  document.addEventListener("click", (event) => followLink(event, ids, address, bring));
  addEventListener("popstate", (event) => {
    if (event.state?.kvCache) comeBack(reopen(ids, address, store));
    else address.change("replaceState", location.href); // a fragment within the page: nothing to restore
  });
  const fragment = location.hash.slice(1);
  if (!address.act && ids.includes(fragment)) address.act = fragment;
  // A reload keeps the reader's place; only a link that was opened leads to its act.
  const [entry] = performance.getEntriesByType("navigation");
  arriving = Boolean(address.act) && entry?.type !== "reload" && entry?.type !== "back_forward";
  if (address.act) show(address.act);
  const arrive = (last = false) => {
    if (arriving) bring(address.act, { behavior: "instant" });
    arriving = arriving && !last;
  };
  arrive();
  if (fragment) address.later();
  return arrive;
}

async function frames(count) {
  for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
}

/** A plain click on a link to a section becomes an entry of the history, with focus where a fragment would put it. */
function followLink(event, ids, address, bring) {
  const link = event.target.closest?.("a[href^='#']");
  const id = link?.hash.slice(1);
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!ids.includes(id) || !plain || event.defaultPrevented) return;
  event.preventDefault();
  const moves = address.act !== id;
  if (moves) address.write(); // the entry left behind keeps the state it was left with
  bring(id);
  if (moves) address.write("pushState");
  const heading = document.getElementById(id).querySelector("h2") ?? document.getElementById(id);
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Takes over what the address says now; returns the section it names, if any. */
function reopen(ids, address, store) {
  const link = readLink(location.search, ids);
  clearTimeout(address.timer);
  address.timer = null;
  // Twice: an act may move a value after another, as a request's length moves its step; the link has the last word.
  // A model of one's own stays in the catalog when an entry without it comes back.
  const state = { ...address.defaults, shape: store.state.shape, ...link.state };
  store.set(state, address);
  store.set(state, address);
  showFaults(link.faults);
  return link.act;
}
