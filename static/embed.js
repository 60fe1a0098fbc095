// One act inside somebody else's page: nothing around it, and a conversation with the host by postMessage.
// docs/embedding.md describes the messages.
import { isDark, onThemeChange } from "./figures.js";
import { same } from "./store.js";

const LOCK_NOTE = "embed-lock-note";

/** Leaves one section in sight; must run before the acts are drawn. Returns the section's id. */
export function enterEmbed(link, ids) {
  const root = document.documentElement;
  const id = link.act ?? ids[0];
  root.dataset.embed = id;
  if (link.background === "transparent") root.dataset.background = "transparent";
  for (const part of document.querySelectorAll("main > *")) {
    part.toggleAttribute("data-embedded", part.id === id || Boolean(part.querySelector(`[id="${id}"]`)));
  }
  const act = document.querySelector(`[data-act="${id}"]`);
  if (act) takeDeployment(act, id);
  if (link.fit && act) fillWindow(act);
  else delete root.dataset.fit;
  return id;
}

/** The page's one deployment becomes the act's, without what the act has among its own controls. An act's file has its own. */
function takeDeployment(act, id) {
  const deployment = document.querySelector(".shared-deployment > details");
  const button = act.querySelector("[data-action=deployment]");
  if (!deployment || !button) return;
  const own = JSON.parse(button.dataset.own);
  for (const control of deployment.querySelectorAll(".control")) {
    if (own.includes(control.querySelector("[data-param]").dataset.param)) control.remove();
  }
  deployment.querySelector(".presets").remove();
  for (const name of ["id", "for"]) {
    for (const part of deployment.querySelectorAll(`[${name}]`)) {
      part.setAttribute(name, part.getAttribute(name).replace(/^[a-z]+/, id));
    }
  }
  button.replaceWith(deployment);
}

/** An act that fills its window: what does not fit the stage waits under "more", which opens over it. */
function fillWindow(act) {
  document.documentElement.dataset.fit = "";
  const body = act.querySelector("[data-more] > .more-body");
  body.prepend(...act.querySelectorAll(".bench > .caption, .bench > .save, .bench > .readouts, .bench > .try"));
  const parts = [...act.querySelectorAll(".bench > details")];
  const foot = Object.assign(document.createElement("div"), { className: "fit-foot" });
  act.querySelector(".bench").append(foot);
  foot.append(...parts);
  for (const part of parts) {
    part.addEventListener("toggle", () => {
      if (part.open) for (const other of parts) if (other !== part) other.open = false;
    });
    part.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !part.open) return;
      part.open = false;
      part.querySelector("summary").focus();
    });
  }
}

/** Controls and buttons that would change a locked value can no longer be used; says so to screen readers. */
export function lockControls(keys, store) {
  store.lock(keys);
  const note = Object.assign(document.createElement("p"), { id: LOCK_NOTE, className: "visually-hidden" });
  note.textContent = "Set by the page that shows this figure.";
  document.querySelector("[data-embedded]").append(note);
  const changes = (text) => Object.entries(JSON.parse(text))
    .some(([key, value]) => keys.includes(key) && !same(value, store.state[key]));
  const locked = [...document.querySelectorAll("[data-param], [data-set], [data-preset], [data-queries]")].filter(({ dataset }) => {
    if ("queries" in dataset) return ["model", "shape", "kv_heads"].some((key) => keys.includes(key));
    return dataset.param ? keys.includes(dataset.param) : changes(dataset.set ?? dataset.preset);
  });
  for (const control of locked) {
    control.disabled = true;
    control.dataset.locked = "";
    control.setAttribute("aria-describedby", LOCK_NOTE);
  }
}

/** The host's origin if it has one and this browser tells; files and sandboxed hosts have none. */
function hostOrigin() {
  const told = location.ancestorOrigins?.[0] ?? document.referrer;
  return /^https?:/.test(told) ? new URL(told).origin : undefined;
}

/**
 * The conversation with the host. `wanted` is the origin the link names: then it is the only one heard and the only
 * one told. Without it the browser's word for the host's origin is used, or "*": nothing sent here is a secret.
 */
export class Host {
  constructor(id, store, wanted, setTheme) {
    this.id = id;
    this.store = store;
    this.wanted = wanted;
    this.setTheme = setTheme;
    const known = hostOrigin();
    this.target = wanted ?? known ?? "*";
    // Nobody who comes into this frame later knows it, so the host can tell who speaks.
    this.session = crypto.getRandomValues(new Uint32Array(4)).join("-");
    this.silent = parent === window || Boolean(wanted && known && known !== wanted);
    this.height = 0;
    if (this.silent) return;
    addEventListener("message", (event) => this.hear(event));
    store.listen((state, changed) => { if (changed.some((key) => Object.hasOwn(RULES, key))) this.tellState(changed); });
    if (document.querySelector("[data-embedded][data-quiz], [data-embedded] [data-quiz]")) {
      document.addEventListener("kv-cache:quiz", ({ detail }) => this.tellQuiz(detail));
    }
    for (const type of ["kv-cache:prediction", "kv-cache:answer"]) {
      document.addEventListener(type, ({ detail }) => this.tell(type, detail));
    }
    new ResizeObserver(() => this.tellHeight()).observe(document.body);
    onThemeChange(() => this.tellHeight(true));
    this.tellState([]);
    this.tellHeight(); // browsers do not render frames far from view, so the observer may be late
  }

  tell(type, content) {
    parent.postMessage({ type, act: this.id, ...content, session: this.session }, this.target);
  }

  tellHeight(again = false) {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (this.silent || "fit" in document.documentElement.dataset || (height === this.height && !again)) return;
    this.height = height;
    this.tell("kv-cache:height", { height, theme: isDark() ? "dark" : "light" });
  }

  tellState(changed, refused = []) {
    this.tell("kv-cache:state", { state: this.store.parameters, changed, refused });
  }

  tellQuiz({ answered, correct, total, done }) {
    this.tell("kv-cache:quiz", { answered, correct, total, done });
  }

  /** Only the host is heard; what it sends is data, and each value goes through the store's rules. */
  hear({ source, origin, data }) {
    if (source !== parent || (this.wanted && origin !== this.wanted)) return;
    if (data === null || typeof data !== "object") return;
    if (data.type === "kv-cache:hello") {
      this.tellHeight(true);
      this.tellState([]);
    }
    if (data.type !== "kv-cache:set") return;
    if (data.theme === "dark" || data.theme === "light") this.setTheme(data.theme);
    const refused = this.store.set(Object(data.state), this);
    if (refused.length) this.tellState([], refused);
  }
}
