// An act shown by Panel outside the page: in a notebook, or in somebody's layout.
import { ActInPage } from "./act.js";
import { embedFigure } from "./figures.js";
import { askThrough } from "./live.js";
import { Prediction } from "./predict.js";
import { bindSaving } from "./save.js";
import { startPart } from "./start.js";
import { Store, afterPaint, followPython } from "./store.js";

// Acts of one scenario share a store even when they were displayed apart (two cells of a notebook).
const stores = (globalThis.kvCacheStores ??= new Map());

function sharedStore(id, state) {
  if (!stores.has(id)) stores.set(id, new Store(state));
  return stores.get(id);
}

/** The scenario's store as one view has it: what the view listens to ends with the view. */
function storeOfView(model) {
  const store = sharedStore(model.scenario_id, model.state);
  const ends = [];
  const listen = (listener) => {
    ends.push(store.listen(listener));
    return ends.at(-1);
  };
  return Object.assign(Object.create(store), { shared: store, listen, close: () => ends.forEach((end) => end()) });
}

/** What the scenario's acts showed last, as it was saved with the notebook beside a display at least as late as this one. */
function keptState({ scenario_id: id, display }) {
  const kept = [...document.querySelectorAll(`[data-kv-cache-kept="${id}"]`)].map((place) => JSON.parse(place.textContent));
  const last = Math.max(display, ...kept.map((one) => one.display));
  return kept.filter((one) => one.display === last).at(-1)?.state ?? {};
}

/** Takes over what a display brings; of one that is older than what was shown since, only what is still missing. */
function takeOver({ shared }, model) {
  const newer = model.display > (shared.display ?? 0);
  if (newer) shared.display = model.display;
  const brought = Object.entries({ ...model.state, ...keptState(model) })
    .filter(([key]) => newer || !(key in shared.state));
  shared.set(Object.fromEntries(brought), model);
}

const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

/** Red, green, blue and alpha of a CSS colour, however it is written. */
function channels(colour) {
  probe.clearRect(0, 0, 1, 1);
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  return probe.getImageData(0, 0, 1, 1).data;
}

/** Light or dark, as what lies behind the element: hosts have many ways to switch, but all of them paint. */
function themeBehind(element) {
  for (let node = element; node; node = node.parentElement ?? node.getRootNode().host) {
    const [red, green, blue, alpha] = channels(getComputedStyle(node).backgroundColor);
    if (alpha > 127) return 0.3 * red + 0.59 * green + 0.11 * blue < 128 ? "dark" : "light";
  }
  return "light";
}

/** Keeps an act in its host's light or dark. Returns what ends it. */
function followTheme(host, figures) {
  const follow = afterPaint(() => {
    if (!host.isConnected) return;
    const theme = themeBehind(host);
    if (host.dataset.theme === theme) return;
    host.dataset.theme = theme;
    for (const figure of figures) figure.repaint();
  });
  const observer = new MutationObserver(follow);
  for (const element of [document.documentElement, document.body]) observer.observe(element, { attributes: true });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", follow);
  follow();
  return { follow, end: () => { observer.disconnect(); system.removeEventListener("change", follow); } };
}

/** Embeds an act's figures apart from Panel's document: what is drawn here is nothing the kernel needs to hear of. */
async function addFigures(act, model, root) {
  await new Promise((done) => requestAnimationFrame(done)); // until the act stands in the document and has a width
  for (const [name, json] of Object.entries(model.figures)) {
    const element = root.querySelector(`[data-plot="${act.id}:${name}"]`);
    act.addFigure(await embedFigure(act.id, name, JSON.parse(json), element));
  }
}

/** Asks Python for what holds now, since a saved output shown again may be older. A hand on a control is newer still. */
function askPython(model, store) {
  let touched = false;
  store.listen((state, changed, origin) => { touched ||= origin instanceof Node; });
  model.on("msg:custom", ({ state }) => { if (state && !touched) store.set(state, model); });
  model.send_msg("state");
}

export function render({ model, view }) {
  const root = document.createElement("div");
  root.className = "act-body";
  root.innerHTML = model.markup;
  const store = storeOfView(model);
  takeOver(store, model);
  const act = startPart(root, () => new ActInPage(model.act, root, store));
  if (!act) return root;
  if (model.predict) new Prediction(act, [], () => {});
  bindSaving(act, (name) => JSON.parse(model.figures[name]), () => Promise.resolve(), () => "");
  followPython(model, store);
  askPython(model, store);
  askThrough(model);
  const theme = followTheme(view.el, act.figures);
  model.on("after_layout", theme.follow);
  model.on("remove", () => {
    store.close();
    theme.end();
    for (const figure of act.figures) figure.plot.document?.clear();
  });
  addFigures(act, model, root).then(theme.follow);
  return root;
}
