/*
 * For pages that embed an act of "The KV cache" in an <iframe data-kv-cache src="…?embed=1&act=wall">.
 * Sets each frame's height to its content, keeps it as light or dark as the page is behind it unless its address names a
 * theme, and dispatches what the frame reports as events on the iframe element:
 *   kv-cache:height  detail {act, height, theme}
 *   kv-cache:state   detail {act, state, changed, refused}
 *   kv-cache:answer  detail {act, name, seed, question, kind, guess, answer, unit, options, right}
 *   kv-cache:quiz    detail {act, answered, correct, total, done}
 *   kv-cache:prediction  detail {act, question, kind, guess, answer, unit, options, right, off}
 * kvCacheEmbed.set(iframe, {users: 16}) asks the frame to show other values.
 */
(() => {
  if (!globalThis.document || window.kvCacheEmbed) return; // a site that is built runs this without a browser too

  const TYPES = ["height", "state", "answer", "quiz", "prediction"].map((name) => `kv-cache:${name}`);
  const frames = () => [...document.querySelectorAll("iframe[data-kv-cache]")];

  // The only origin a frame's messages may have. A sandboxed frame and a file have none: they say "null".
  const originOf = (frame) => {
    const url = new URL(frame.src, location.href);
    const sandboxed = frame.hasAttribute("sandbox") && !frame.sandbox.contains("allow-same-origin");
    return sandboxed || !/^https?:/.test(url.protocol) ? "null" : url.origin;
  };

  const post = (frame, message) => {
    const origin = originOf(frame);
    frame.contentWindow.postMessage(message, origin === "null" ? "*" : origin);
  };

  // Every document of a frame marks its messages with a secret of its own. The first one heard after the page has set
  // the frame's src is the act; whatever the frame is led to later cannot speak in its name.
  const heard = new WeakMap();
  const isAct = (frame, session) => {
    const last = heard.get(frame);
    if (last?.at === frame.contentWindow) return last.session === session;
    if (last && last.left === session) return false;
    heard.set(frame, { at: frame.contentWindow, session });
    followTheme(frame);
    return true;
  };
  new MutationObserver((changes) => {
    for (const { target } of changes) if (heard.has(target)) heard.set(target, { left: heard.get(target).session });
  }).observe(document, { subtree: true, attributeFilter: ["src"] });

  addEventListener("message", (event) => {
    const frame = frames().find((candidate) => candidate.contentWindow === event.source);
    if (!frame || event.origin !== originOf(frame)) return;
    const { type, session, ...detail } = Object(event.data);
    if (!TYPES.includes(type) || !isAct(frame, session)) return;
    if (type === "kv-cache:height" && Number.isFinite(detail.height) && detail.height >= 40 && detail.height <= 20000) {
      frame.style.height = `${detail.height}px`;
      frame.style.colorScheme = detail.theme === "dark" ? "dark" : "light"; // else no transparent background
    }
    frame.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  });

  // Sites have many ways to switch between light and dark, but all of them paint.
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const lightness = (colour) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    const [red, green, blue, opacity] = brush.getImageData(0, 0, 1, 1).data;
    return opacity < 128 ? null : (3 * red + 6 * green + blue) / 10;
  };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const themeBehind = (frame) => {
    for (let place = frame.parentElement; place; place = place.parentElement) {
      const light = lightness(getComputedStyle(place).backgroundColor);
      if (light !== null) return light < 128 ? "dark" : "light";
    }
    const { colorScheme } = getComputedStyle(document.documentElement); // what the browser paints where nobody does
    const dark = colorScheme.includes("dark") && (system.matches || !colorScheme.includes("light"));
    return dark ? "dark" : "light";
  };
  const chosen = new WeakSet();
  const followTheme = (frame) => {
    const known = heard.get(frame);
    if (!known?.at || chosen.has(frame) || new URL(frame.src, location.href).searchParams.has("theme")) return;
    const theme = themeBehind(frame);
    if (theme === known.theme) return;
    known.theme = theme;
    frame.style.colorScheme = theme;
    post(frame, { type: "kv-cache:set", theme });
  };
  let waiting = false;
  const followThemes = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      frames().forEach(followTheme);
    });
  };
  const painted = new MutationObserver(followThemes);
  const watch = () => [document.documentElement, document.body].forEach((part) => painted.observe(part, { attributes: true }));
  if (document.body) watch();
  else addEventListener("DOMContentLoaded", watch);
  system.addEventListener("change", followThemes);
  document.addEventListener("transitionend", followThemes);
  document.addEventListener("load", followThemes, true); // a style sheet that was exchanged

  window.kvCacheEmbed = {
    set: (frame, state, theme) => {
      if (theme) chosen.add(frame);
      post(frame, { type: "kv-cache:set", state, theme });
    },
  };
  // Frames that were ready before this script report again.
  for (const frame of frames()) frame.contentWindow.postMessage({ type: "kv-cache:hello" }, "*");
})();
