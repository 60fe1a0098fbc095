// Bokeh plots fed from frames: sources replaced in place, ranges set, colours following the theme.
import { afterPaint, afterPause } from "./store.js";

const darkQuery = globalThis.matchMedia?.("(prefers-color-scheme: dark)");

/** Whether dark colours are in force for an element: by choice, for its shadow tree or the page, or by the system. */
export function isDark(element = null) {
  const chosen = element?.getRootNode().host?.dataset.theme ?? document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : Boolean(darkQuery?.matches);
}

export function onThemeChange(listener) {
  darkQuery?.addEventListener("change", listener);
  contrastQuery?.addEventListener("change", listener);
  new MutationObserver(listener).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}

const contrastQuery = globalThis.matchMedia?.("(prefers-contrast: more)");

/** The colour of a palette's name, light (0) or dark (1); where a reader asks for more contrast, a stronger one. */
const colourOf = (role, shade, strong) => PALETTE[(strong && STRONGER[role]) || role][shade];

/** A Bokeh model and all that it refers to. */
export function* modelsOf(model, seen = new Set()) {
  if (seen.has(model)) return;
  seen.add(model);
  yield model;
  for (const reference of model.references()) yield* modelsOf(reference, seen);
}

/** So many microtasks Bokeh surely needs no more of to take over a source's data and, after it, its colours. */
const TURNS = 100;

/** A redraw of so many milliseconds would stand between a key and its answer: it waits until the hand rests, */
const HEAVY_MS = 45;
/** or for so long; */
const OVERDUE_FIGURE_MS = 1500;
/** and what a redraw took counts for less with each that follows, lest one that changed little hide what the next costs. */
const FORGOTTEN = 0.9;
/** A plot is made in about so many times a redraw. */
const MAKING = 4;

/** One plot on the page; draws a frame's part when it is in sight, and what is to be printed before it is. */
export class Figure {
  /** `cost` is how long a redraw may take, in milliseconds, as far as is known yet. */
  constructor(act, name, view, element, cost) {
    this.act = act;
    this.name = name;
    this.plot = view.model;
    this.view = view;
    this.element = element;
    this.drawn = new Map();
    this.models = [...modelsOf(this.plot)];
    this.byName = new Map(this.models.filter((model) => model.name).map((model) => [model.name, model]));
    this.visible = false;
    this.pending = null;
    this.shade = null;
    this.picture = null;
    this.cost = cost;
    this.flushLater = afterPaint(() => this.flush());
    this.flushAtRest = afterPause(() => this.flush(), OVERDUE_FIGURE_MS);
    new IntersectionObserver((entries) => {
      this.visible = entries.at(-1).isIntersecting;
      if (this.visible) this.catchUp();
    }, { rootMargin: "200px" }).observe(element);
    // No key does anything on a plot, so none should stop there.
    const { events_el: pointed } = view.canvas_view ?? {};
    if (pointed) pointed.tabIndex = -1;
    this.repaint();
    onThemeChange(() => { if (this.visible) this.repaint(); });
    addEventListener("beforeprint", () => this.showPicture());
    addEventListener("afterprint", () => this.hidePicture());
  }

  /** Everything that happened out of sight. */
  catchUp() {
    this.repaint();
    this.flush();
  }

  repaint() {
    const shade = isDark(this.element) ? 1 : 0;
    const strong = Boolean(contrastQuery?.matches);
    if (shade === this.shade && strong === this.strong) return;
    Object.assign(this, { shade, strong });
    for (const model of this.models) {
      for (const tag of model.tags ?? []) {
        if (tag?.palette) model.setv({ palette: tag.palette.map((role) => colourOf(role, shade, strong)) }, { sync: false });
        if (!tag?.paint) continue;
        const roles = Object.entries(tag.paint);
        model.setv(Object.fromEntries(roles.map(([prop, role]) => [prop, colourOf(role, shade, strong)])), { sync: false });
      }
    }
  }

  /**
   * Paper has a width of its own and is light: a picture that shrinks to it stands in for the plot. New data and its
   * colours are taken over one after the other, so a plot that has just been given some is not painted at once.
   */
  async showPicture() {
    this.hidePicture();
    if (!this.element.isConnected) return;
    this.printed = true;
    const late = this.pending !== null;
    this.flush();
    // Microtasks alone: a browser does them before it prints, and nothing else.
    for (let turn = 0; late && turn < TURNS; turn++) await null;
    if (!this.printed) return;
    const { canvas } = this.view.export("png");
    if (!canvas.width) return; // in a closed disclosure
    // Bokeh takes colours over some time after they are set, and a browser about to print does not wait.
    canvas.className = isDark(this.element) ? "picture is-dark" : "picture";
    canvas.style.width = `${this.element.clientWidth}px`;
    this.picture = canvas;
    this.element.append(canvas);
  }

  hidePicture() {
    this.printed = false;
    this.picture?.remove();
    this.picture = null;
  }

  /**
   * Takes a frame; draws it after the paint that shows its words, so that no canvas ever delays a readout. Where that
   * takes long, only what plays by itself is followed step by step.
   */
  update(frame) {
    this.pending = frame;
    const label = frame.figures?.[this.name];
    if (label) this.view.el.setAttribute("aria-label", label);
    if (!this.visible) return;
    if (this.cost < HEAVY_MS || this.element.closest("[data-playing]")) this.flushLater();
    else this.flushAtRest();
  }

  flush() {
    const frame = this.pending;
    if (!frame) return;
    this.pending = null;
    const began = performance.now();
    for (const [name, range] of Object.entries(frame.ranges ?? {})) this.put(name, range);
    for (const [name, data] of Object.entries(frame.sources)) this.put(name, { data });
    // Bokeh goes on in microtasks: the next task begins once it is through.
    setTimeout(() => { this.cost = Math.max(performance.now() - began, FORGOTTEN * this.cost); });
  }

  /** Gives a model of this plot new values, unless it has them: every change would paint the plot again. */
  put(name, values) {
    const model = this.byName.get(`${this.act}:${name}`);
    if (!model) return;
    const text = JSON.stringify(values);
    if (this.drawn.get(name) === text) return;
    this.drawn.set(name, text);
    model.setv(values, { sync: false });
  }
}

/** What of a plot's lengths grow with the page's letters. */
const LENGTH = /^(height|min_border_\w+|x_offset|y_offset|\w*_font_size)$/;

/** A plot's JSON with its lettering and lengths as much larger as the page's type is than a browser's usual 16 px. */
function enlarged(item) {
  const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  if (!(scale > 1)) return item;
  const grown = (value) => (typeof value === "number" ? value * scale : `${parseFloat(value) * scale}px`);
  return JSON.parse(JSON.stringify(item), (key, value) => {
    if (!LENGTH.test(key) || value === null) return value;
    if (typeof value !== "object") return grown(value);
    return typeof value.value === "string" && value.value.endsWith("px") ? { ...value, value: grown(value.value) } : value;
  });
}

/** A plot's JSON without a height of its own: as high as its place is. */
function filling(item) {
  const changed = structuredClone(item);
  const { attributes } = changed.doc.roots[0];
  Object.assign(attributes, { sizing_mode: "stretch_both", min_height: 80 });
  delete attributes.height;
  return changed;
}

/** Embeds a plot serialised by Python (bokeh.embed.json_item) into an element, in place of its still picture. */
export async function embedFigure(act, name, json, element) {
  const item = element.closest("[data-fit] .view") ? filling(enlarged(json)) : enlarged(json);
  const began = performance.now();
  const views = await Bokeh.embed.embed_item(item, element);
  const cost = (performance.now() - began) / MAKING;
  const [view] = views.roots ?? Object.values(views);
  const still = element.querySelector(":scope > .still");
  requestAnimationFrame(() => requestAnimationFrame(() => still?.remove())); // once the plot is painted
  return new Figure(act, name, view, element, cost);
}
