// The buttons at an act's foot: its link, and the code that shows it in another page.
import { linkQuery, pageAddress } from "./link.js";

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]);

/** Heights in px that hold a section at any width from 600 px up, as docs/embedding.md has them by width. */
const EMBED_HEIGHTS = { growth: 1100, heads: 850, wall: 1000, quantize: 1250, quiz: 1050 };
/** What a frame may do: run scripts, save a figure, and open a source beside the page that holds it. */
const SANDBOX = "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox";

/**
 * An iframe of one act in its present state, and the script that keeps its height and theme. HTML and MDX both take it:
 * what MDX reads as a style is no text, so there is none, and in braces the script is a block to one and an expression
 * to the other.
 */
export function embedCode(address, title, height, hostScript) {
  return `<iframe data-kv-cache src="${escapeHtml(address)}" title="${escapeHtml(title)}" loading="lazy" `
    + `sandbox="${SANDBOX}" width="100%" height="${height}" frameBorder="0"></iframe>\n`
    + `<script>\n{\n${hostScript.trim().replace(/;$/, "")}\n}\n<\/script>\n`;
}

/** Why an address leads nobody else here, "" if it does. */
function addressFault(address) {
  const { protocol, hostname } = new URL(address);
  if (protocol === "file:") return "It names a file on this computer and works nowhere else: put the file on the web and copy from there.";
  if (/^(localhost|127\..*|\[::1\])$/.test(hostname)) return "It names a server on this computer and works nowhere else.";
  return "";
}

/** Copies at once where the browser allows it; returns whether it did. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no clipboard in insecure or sandboxed documents, or no permission
  }
}

/** Shows a text, ready to be copied by hand. */
function showText(text) {
  const dialog = document.querySelector("[data-copy-dialog]");
  const area = dialog.querySelector("textarea");
  area.value = text;
  dialog.querySelector("button").onclick = () => dialog.close();
  dialog.showModal();
  area.select();
  return dialog;
}

/** One last try to copy a text the old way; else it is shown. Returns whether it is copied. */
function offerText(text) {
  const dialog = showText(text);
  const done = document.execCommand("copy");
  if (done) dialog.close();
  return done;
}

/** A source never takes an embedded act's place: it opens beside the host's page, or its address is shown. */
export function bindSources() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='http']");
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    const opened = open(link.href, "_blank");
    if (opened) opened.opener = null;
    else showText(link.href);
  });
}

export function bindSharing(store, defaults, hostScript) {
  for (const foot of document.querySelectorAll("[data-share]")) {
    const section = foot.closest("section[id]");
    const status = foot.querySelector("[role=status]");
    foot.addEventListener("click", async (event) => {
      const button = event.target.closest("[data-copy]");
      if (!button) return;
      const embed = button.dataset.copy === "embed";
      const query = linkQuery(store.state, defaults, section.id, embed ? [["embed", "1"]] : []);
      const address = `${pageAddress()}?${query}`;
      const title = `${document.querySelector("h1").textContent}: ${section.querySelector("h2").textContent}`;
      const text = embed ? embedCode(address, title, EMBED_HEIGHTS[section.id], hostScript) : address;
      status.textContent = "";
      const done = (await copied(text)) || offerText(text);
      if (done) status.textContent = `${embed ? "Embed code" : "Link"} copied. ${addressFault(address)}`.trim();
    });
  }
}
