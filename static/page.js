// The page: its acts on one store, theme, presets, the act in view, and a server if there is one.
import { ActInPage } from "./act.js";
import { embedFigure } from "./figures.js";
import { Store, same } from "./store.js";

const page = JSON.parse(document.getElementById("page-data").textContent);

export const store = new Store(page.state);
export const acts = new Map(
  [...document.querySelectorAll("[data-act]")].map((root) => [
    root.dataset.act,
    new ActInPage(root.dataset.act, root, store),
  ]),
);

/** Storage may be missing or forbidden (sandboxed frames, private windows): then the page just forgets. */
export const memory = {
  read(key) {
    try { return localStorage.getItem(key); } catch { return null; }
  },
  write(key, value) {
    try { localStorage.setItem(key, value); } catch { /* nothing to keep it in */ }
  },
};

function bindTheme() {
  const button = document.querySelector("[data-action=theme]");
  const root = document.documentElement;
  const show = () => {
    const dark = isDark();
    button?.setAttribute("aria-pressed", String(dark));
  };
  const kept = memory.read("kv-cache:theme");
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  button?.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    memory.write("kv-cache:theme", root.dataset.theme);
    show();
  });
  onThemeChange(show);
  show();
}

function bindPresets() {
  const buttons = [...document.querySelectorAll("[data-preset]")];
  const show = (state) => {
    for (const button of buttons) {
      const preset = JSON.parse(button.dataset.preset);
      const holds = Object.entries(preset).every(([key, value]) => state[key] === value);
      button.setAttribute("aria-pressed", String(holds));
    }
  };
  for (const button of buttons) {
    button.addEventListener("click", () => store.set(JSON.parse(button.dataset.preset), button));
  }
  store.listen(show);
  show(store.state);
}

function markSectionInView() {
  const links = [...document.querySelectorAll(".nav a[href^='#']")];
  const byId = new Map(links.map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links) link.removeAttribute("aria-current");
      byId.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-35% 0px -60% 0px" });
  for (const id of byId.keys()) {
    const section = document.getElementById(id);
    if (section) observer.observe(section);
  }
}

async function embedFigures() {
  for (const [key, item] of Object.entries(page.figures)) {
    const element = document.querySelector(`[data-plot="${key}"]`);
    if (!element) continue;
    const [id, name] = key.split(":");
    acts.get(id).addFigure(await embedFigure(id, name, item, element));
  }
  document.documentElement.dataset.ready = "true";
}

/** Called by the served page's bridge: keeps the server's parameters and the store in step, without echo. */
globalThis.kvCacheConnect = (model, view) => {
  let connected = true;
  view.model.document.on_event("connection_lost", () => { connected = false; });
  const send = () => {
    if (connected && !same(model.state, store.state)) model.state = { ...store.state };
  };
  model.on("state", () => store.set(model.state, model));
  store.listen((state, changed, origin) => {
    if (origin !== model) send();
  });
  send();
};

bindTheme();
bindPresets();
markSectionInView();
if (document.readyState === "complete") embedFigures();
else addEventListener("load", embedFigures);
