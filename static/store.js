// The state of one scenario and its acts: a flat object that knows what is allowed.

export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

let own = { shape: "", catalog: CATALOG, rules: RULES };

/** What ids stand for and what is allowed, with the model of one's own that `shape` describes, if any. */
export function worldWith(shape) {
  if (!shape) return { catalog: CATALOG, rules: RULES };
  if (own.shape !== shape) {
    const models = { ...CATALOG.models, [OWN_MODEL]: own_read(shape).model };
    const model = { ...RULES.model, choices: [...RULES.model.choices, OWN_MODEL] };
    own = { shape, catalog: { ...CATALOG, models }, rules: { ...RULES, model } };
  }
  return own;
}

/** Sorts keys so that a shape comes before the model that it brings. */
export const shapeFirst = (a, b) => (b === "shape") - (a === "shape");

/** The legal value nearest to what was meant, or undefined: numbers from text, ids that exist. */
export function legalValue(key, value, rules = RULES) {
  const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
  if (rule === undefined || typeof value === "object") return undefined;
  if (rule.kind === "flag") return typeof value === "boolean" ? value : undefined;
  if (rule.kind === "words") return wordsFault(String(value)) === "" ? String(value).replaceAll(/\s+/g, " ").trim() : undefined;
  if (rule.kind === "shape") return value === "" || own_read(String(value)).error === "" ? value : undefined;
  if (rule.kind === "choice") {
    const name = String(value).trim().toLowerCase();
    const id = Object.hasOwn(rule.names, name) ? rule.names[name] : name;
    return rule.choices.includes(id) ? id : undefined;
  }
  const text = String(value).trim();
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text)) return undefined;
  const number = Number(text);
  if (rule.kind === "whole" && !Number.isInteger(number)) return undefined;
  return number >= rule.low && number <= rule.high ? number : undefined;
}

/** Why a text cannot be read by the small decoder, "" if it can: words it does not know, none, or too many. */
export function wordsFault(text) {
  const words = wordsOf(text);
  const known = new Set(DECODER.vocabulary.slice(1));
  const unknown = [...new Set(words.filter((word) => !known.has(word)))];
  if (unknown.length) return `${unknown.slice(0, 3).join(", ")}: not among the words this model knows, which are listed below.`;
  const { most } = RULES.text;
  return words.length >= 1 && words.length <= most ? "" : `Give from 1 to ${most} words.`;
}

/** A text's words, full stops by themselves. */
export function wordsOf(text) {
  return text.replaceAll(".", " . ").split(/\s+/).filter(Boolean);
}

/** In words, what a control takes: the sentence shown beside a refused value. */
export function allowedText(key) {
  const rule = RULES[key];
  if (rule.kind === "choice") return "one of the listed choices";
  if (rule.kind === "shape") return "the shape of a model";
  if (rule.kind === "words") return "words this model knows";
  return number_allowed(rule.kind === "whole", rule.low, rule.high) + (NUMBER_NOTES[key] ?? "");
}

/** What a state says anew since both sides last agreed: only that is taken over, so that no newer value here is lost. */
function newsOf(state, agreed) {
  return Object.fromEntries(Object.entries(state).filter(([key, value]) => !same(value, agreed[key])));
}

/** How long Python waits for a hand that does not pause. */
const OVERDUE_PYTHON_MS = 400;

/** Keeps the parameters behind a Panel model and the store in step, without echo, as long as `connected` says so. */
export function followPython(model, store, connected = () => true) {
  let agreed = model.state;
  const send = () => {
    const own = Object.fromEntries(Object.keys(model.state).map((key) => [key, store.state[key]]));
    if (!connected() || same(own, model.state)) return;
    agreed = own;
    model.state = own;
  };
  model.on("state", () => {
    const news = newsOf(model.state, agreed);
    agreed = model.state;
    store.set(news, model);
  });
  const sendLater = afterPause(send, OVERDUE_PYTHON_MS);
  store.listen((state, changed, origin) => { if (origin !== model) sendLater(); });
  send();
}

// What may wait gives way to whatever else the browser has to do, but not for longer than a blink.
const whenIdle = globalThis.requestIdleCallback
  ? (work) => requestIdleCallback(work, { timeout: 50 })
  : (work) => setTimeout(work);

/** Resolves after so many milliseconds, at least after all that waits already. */
export const pause = (time = 0) => new Promise((done) => setTimeout(done, time));

let painting = [];

/** Asks for one frame for all that waits for it; each piece of work then has a task of its own. */
function onNextFrame(work) {
  painting.push(work);
  if (painting.length > 1) return;
  requestAnimationFrame(() => {
    const due = painting;
    painting = [];
    for (const piece of due) whenIdle(piece);
  });
}

/** Runs work once after the next paint; calls until then join the one that waits. */
export function afterPaint(work) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    onNextFrame(() => {
      waiting = false;
      work();
    });
  };
}

/** How long nothing changes until what is beside the hand follows it: longer than from one press to the next. */
const PAUSE_MS = 250;
let resting = new Set();
let lastChange = 0;

function wake() {
  const left = lastChange + PAUSE_MS - performance.now();
  if (left > 0) {
    setTimeout(wake, left);
    return;
  }
  const due = resting;
  resting = new Set();
  for (const work of due) whenIdle(work);
}

/**
 * Runs work once changes pause, so that it never stands between a key and its answer, or `atLatest` milliseconds after
 * the first of them; calls until then join.
 */
export function afterPause(work, atLatest = Infinity) {
  let overdue = null;
  const run = () => {
    resting.delete(run);
    clearTimeout(overdue);
    overdue = null;
    work();
  };
  return () => {
    lastChange = performance.now();
    if (!resting.size) setTimeout(wake, PAUSE_MS);
    resting.add(run);
    if (atLatest < Infinity) overdue ??= setTimeout(run, atLatest);
  };
}

export class Store {
  constructor(state) {
    this.state = { live: DECODER.written, ...state };
    this.listeners = new Set();
    this.locked = new Set();
  }

  /** The catalog that this scenario's ids refer to. */
  get catalog() {
    return worldWith(this.state.shape).catalog;
  }

  /** The parameters alone: what the small decoder read is derived from them, and large. */
  get parameters() {
    return Object.fromEntries(Object.entries(this.state).filter(([key]) => Object.hasOwn(RULES, key)));
  }

  /** The legal value nearest to what was meant for a key, or undefined. */
  legal(key, value) {
    return legalValue(key, value, worldWith(this.state.shape).rules);
  }

  /** From now on these keys keep their values, whoever asks; a fixed model cannot be exchanged under its id either. */
  lock(keys) {
    for (const key of keys) this.locked.add(key);
    if (this.locked.has("model")) this.locked.add("shape");
  }

  /** Takes legal values over; listeners hear once, and only of a real change. Returns what was refused. */
  set(patch, origin = null) {
    const refused = [];
    const changed = [];
    for (const key of Object.keys(patch).sort(shapeFirst)) {
      const legal = this.legal(key, patch[key]);
      const differs = !same(legal, this.state[key]);
      if (legal === undefined || (differs && this.locked.has(key))) refused.push(key);
      else if (differs) {
        this.state[key] = legal;
        changed.push(key);
      }
    }
    if (this.state.model === OWN_MODEL && !this.state.shape) {
      this.state.model = RULES.model.default;
      changed.push("model");
    }
    if (changed.length) for (const listener of this.listeners) listener(this.state, changed, origin);
    return refused;
  }

  /** Takes over what the small decoder has read: derived from the state, so no parameter and in no link. */
  show(live) {
    this.state.live = live;
    for (const listener of this.listeners) listener(this.state, ["live"], null);
  }

  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
