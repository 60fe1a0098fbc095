// One act in the document: controls in, compiled frame, readouts and figures out.
import { bindControls } from "./controls.js";
import { bindPlayer } from "./growth.js";
import { bindQueries } from "./heads.js";
import { bindLive, bindRounded } from "./live.js";
import { afterPaint, afterPause } from "./store.js";

/** How long nothing changes until the result is announced. */
const SPOKEN_AFTER_MS = 600;

function writeText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** An act's elements that a frame writes, by what they show: found once, since no frame makes or removes any. */
function placesOf(root) {
  const places = { readout: {}, text: {}, shown: {}, button: {} };
  for (const [kind, named] of Object.entries(places)) {
    for (const element of root.querySelectorAll(`[data-${kind}]`)) (named[element.dataset[kind]] ??= []).push(element);
  }
  return { ...places, sentences: [...root.querySelectorAll("[data-sentence]")] };
}

/** Runs `write(element, value)` for each of `values` in each of its places. */
function writeAll(places, values, write) {
  for (const [name, value] of Object.entries(values ?? {})) {
    for (const element of places[name] ?? []) write(element, value);
  }
}

function writeReadout(element, { text, value }) {
  writeText(element, text);
  if (value !== null) element.dataset.value = String(value);
  else delete element.dataset.value;
}

/** Shows a frame's words: readouts, live sentence, other texts, parts that come and go. */
function writeFrame(places, frame) {
  writeAll(places.readout, frame.readouts, writeReadout);
  for (const element of places.sentences) writeText(element, frame.sentence);
  writeAll(places.text, frame.texts, writeText);
  writeAll(places.shown, frame.shown, (element, shown) => { element.hidden = !shown; });
  writeAll(places.button, frame.buttons, writeButton);
}

/** Says the deployment in words, wherever a part of the page has it. */
function writeDeployment(root, store) {
  const line = deployed_line(store.state, store.catalog);
  for (const element of root.querySelectorAll("[data-text=deployed]")) writeText(element, line);
}

/** The deployment that the whole page shares: its controls and its line follow the store, which they may show already. */
export function bindDeployment(root, store, drawn = false) {
  const show = bindControls(root, store);
  const draw = (origin = null) => {
    show(store.state, origin);
    writeDeployment(root, store);
  };
  const follow = afterPause(draw);
  store.listen((state, changed, origin) => {
    if (origin instanceof Node && root.contains(origin)) draw(origin);
    else follow();
  });
  if (drawn) show(store.state);
  else draw();
}

/** A preset whose meaning depends on the frame: what it sets, and whether that holds. */
function writeButton(element, { text, set, pressed, disabled }) {
  writeText(element, text);
  element.dataset.set = JSON.stringify(set);
  element.setAttribute("aria-pressed", String(pressed));
  element.disabled = disabled;
}

export class ActInPage {
  /** `reads` says that the document shows the store's state already, which Python drew to the letter, and from what of it. */
  constructor(id, root, store, reads = null) {
    this.id = id;
    this.root = root;
    this.store = store;
    this.figures = [];
    this.read = new Set(["shape", ...reads ?? []]); // a model of one's own changes under its id, and every frame is about the model
    this.places = placesOf(root);
    this.controlled = new Set([...root.querySelectorAll("[data-param]")].map(({ dataset }) => dataset.param));
    this.showControls = bindControls(root, store);
    this.showQueries = root.querySelector("[data-queries]") ? bindQueries(root, store) : () => {};
    // The act whose control moved answers at once, the one in view after that paint, the others once changes pause.
    const follow = afterPaint(() => this.draw());
    const followLater = afterPause(() => this.draw());
    const deploy = afterPause(() => writeDeployment(root, store)); // in words, also what no frame here looks at
    store.listen((state, changed, origin) => {
      const inUse = this.inUse(origin);
      if (inUse && root.contains(origin)) this.draw(origin);
      else if (this.concerns(changed)) (inUse || !(origin instanceof Node) ? follow : followLater)();
      deploy();
      if (inUse) this.sayLater();
    });
    this.drawn = false;
    if (reads) this.showControls(store.state);
    else {
      this.draw();
      writeDeployment(root, store);
    }
    if (root.querySelector("[data-player]")) bindPlayer(root, store);
    bindLive(root, store);
    bindRounded(root, store);
  }

  /** Whether a change is this act's to tell: made in it, or beside all acts while it is the one in view. */
  inUse(origin) {
    if (!(origin instanceof Node)) return false;
    if (this.root.contains(origin)) return true;
    if (origin.getRootNode() !== this.root.getRootNode() || origin.closest("[data-act]")) return false;
    const { top, bottom } = this.root.getBoundingClientRect();
    return top <= innerHeight / 2 && bottom >= innerHeight / 2;
  }

  /** Announces the sentence once nothing has changed for a while: a held slider is told once. */
  sayLater() {
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      const sentence = this.root.querySelector("[data-sentence]");
      if (!sentence.matches("[data-veil]")) writeText(this.root.querySelector("[data-said]"), sentence.textContent);
    }, SPOKEN_AFTER_MS);
  }

  /** The frame of the present state; notes what of the state it was drawn from. */
  frame() {
    const read = (state, key) => {
      this.read.add(key);
      return state[key];
    };
    return FRAMES[this.id](new Proxy(this.store.state, { get: read }), this.store.catalog);
  }

  /** Whether anything changed that a frame has ever looked at, or that a control shows. */
  concerns(changed) {
    return changed.some((key) => this.read.has(key) || this.controlled.has(key));
  }

  draw(origin = null) {
    this.drawn = true;
    const frame = this.frame();
    this.showControls(this.store.state, origin, frame);
    writeFrame(this.places, frame);
    this.showQueries(frame.queries);
    for (const figure of this.figures) figure.update(frame);
  }

  addFigure(figure) {
    this.figures.push(figure);
    if (this.drawn) figure.update(this.frame());
  }
}
