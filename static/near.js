// Figures of the page are drawn as they come near, and BokehJS arrives with the first.
import { runLater } from "./later.js";
import { afterPaint, pause } from "./store.js";

/** What counts as a reader's hand on the page. */
const HANDS = ["pointerdown", "keydown", "wheel", "touchstart", "scroll"];
/** How long no hand is on the page until what is near the window is drawn: making a plot would hold it up. */
const RESTED_MS = 250;
/** How long no hand is on the page until what is folded has its boxes, which the browser's search needs. */
const FINDABLE_MS = 1000;
/** How long no hand is on the page until what is out of sight is drawn as well: what is printed is to be up to date. */
const SETTLED_MS = 3000;

/** Resolves after the browser could paint and answer. */
const breath = () => new Promise((done) => afterPaint(done)());

function inWindow(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

/**
 * Draws figures one at a time: those in the window at once, those near it once a hand is on the page, and all of them in
 * a quiet moment once asked to. `places` have the `element` of a figure each, `draw` makes one of them.
 */
export class FigureQueue {
  constructor(places, draw) {
    this.draw = draw;
    this.waiting = new Map(places.map((place) => [place.element, place]));
    this.queue = [];
    this.running = null;
    this.touched = 0;
    /** Resolves once what was in the window at first is drawn. */
    this.begun = new Promise((done) => { this.begin = done; });
    for (const hand of HANDS) {
      const how = { passive: true, capture: true };
      addEventListener(hand, () => { this.touched = performance.now(); }, how);
      addEventListener(hand, () => this.takeHand(), { ...how, once: true });
    }
    this.watch("0px");
  }

  /** A hand is on the page: figures near the window are drawn, and what is folded can be found by the browser. */
  takeHand() {
    this.watch("100%");
    this.begun.then(() => this.rested(FINDABLE_MS)).then(() => { document.documentElement.dataset.touched = ""; });
  }

  /** Resolves once no hand was on the page for `time` milliseconds. */
  async rested(time) {
    for (let left; (left = this.touched + time - performance.now()) > 0;) await pause(left);
  }

  /** From now on what comes within `margin` of the window is drawn. */
  watch(margin) {
    this.observer?.disconnect();
    this.observer = new IntersectionObserver((entries) => {
      const near = entries.filter((entry) => entry.isIntersecting).map((entry) => this.waiting.get(entry.target));
      this.queue.unshift(...near.filter(Boolean));
      this.run().then(this.begin);
    }, { rootMargin: `${margin} 0px` });
    for (const element of this.waiting.keys()) this.observer.observe(element);
    if (!this.waiting.size) this.begin();
  }

  run() {
    this.running ??= this.work().finally(() => { this.running = null; });
    return this.running;
  }

  async work() {
    while (this.queue.length) {
      await breath();
      const left = this.touched + RESTED_MS - performance.now();
      const seen = this.queue.findIndex(({ element }) => inWindow(element));
      if (seen < 0 && left > 0) {
        await pause(left);
        continue;
      }
      const [place] = this.queue.splice(Math.max(seen, 0), 1);
      if (!this.waiting.delete(place.element)) continue;
      this.observer.unobserve(place.element);
      await this.draw(place);
    }
  }

  /** Draws all that waits, whenever no hand has been on the page for a while. */
  async rest() {
    if (this.resting) return;
    this.resting = true;
    while (this.waiting.size) {
      await this.rested(SETTLED_MS);
      this.queue.push(...[...this.waiting.values()].slice(0, 1)); // none, if all were seen meanwhile
      await this.run();
    }
  }
}

let bokeh = null;

const bokehHolder = () => document.querySelector("[data-bokeh]");

/** Has BokehJS fetched where it lies beside the page, so that it is there with the first figure. */
export function fetchBokeh() {
  const href = bokehHolder()?.dataset.src;
  if (href) document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", as: "script", href }));
}

/** BokehJS, loaded when the first figure wants it: the page does all else without. Rejects if it cannot be had. */
export function loadBokeh() {
  bokeh ??= globalThis.Bokeh ? Promise.resolve() : runLater(bokehHolder()).then(() => {
    if (!globalThis.Bokeh) throw new Error("BokehJS did not run");
  });
  return bokeh;
}
