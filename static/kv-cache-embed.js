/*
 * For pages that embed an act of "The KV cache" in an <iframe data-kv-cache src="…?embed=1&act=wall">.
 * Sets each frame's height to its content, and dispatches what the frame reports as events on the iframe element:
 *   kv-cache:height  detail {act, height, theme}
 *   kv-cache:state   detail {act, state, changed, refused}
 *   kv-cache:quiz    detail {act, answered, correct, total, done}
 *   kv-cache:prediction  detail {act, question, kind, guess, answer, unit, right, off}
 * kvCacheEmbed.set(iframe, {users: 16}) asks the frame to show other values.
 */
(() => {
  if (window.kvCacheEmbed) return;

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

  addEventListener("message", (event) => {
    const frame = frames().find((candidate) => candidate.contentWindow === event.source);
    if (!frame || event.origin !== originOf(frame)) return;
    const { type, ...detail } = Object(event.data);
    if (!["kv-cache:height", "kv-cache:state", "kv-cache:quiz", "kv-cache:prediction"].includes(type)) return;
    if (type === "kv-cache:height" && detail.height >= 40 && detail.height <= 20000) {
      frame.style.height = `${detail.height}px`;
      frame.style.colorScheme = detail.theme === "dark" ? "dark" : "light"; // else no transparent background
    }
    frame.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  });

  window.kvCacheEmbed = {
    set: (frame, state, theme) => post(frame, { type: "kv-cache:set", state, theme }),
  };
  // Frames that were ready before this script report again.
  for (const frame of frames()) frame.contentWindow.postMessage({ type: "kv-cache:hello" }, "*");
})();
