// The buttons at an act's foot: its link, and the code that shows it in another page.
import { linkQuery, pageAddress } from "./link.js";

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]);

/** An iframe of one act in its present state, and the script that keeps its height. */
export function embedCode(address, title, height, hostScript) {
  return `<iframe data-kv-cache src="${escapeHtml(address)}" title="${escapeHtml(title)}" loading="lazy" `
    + `sandbox="allow-scripts" height="${height}" style="width: 100%; border: 0"></iframe>\n`
    + `<script>\n${hostScript.trim()}\n<\/script>\n`;
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

/** The text ready to be copied by hand, after one last try to do it the old way. */
function offerText(text) {
  const dialog = document.querySelector("[data-copy-dialog]");
  const area = dialog.querySelector("textarea");
  area.value = text;
  dialog.querySelector("button").onclick = () => dialog.close();
  dialog.showModal();
  area.select();
  const done = document.execCommand("copy");
  if (done) dialog.close();
  return done;
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
      const text = embed ? embedCode(address, title, section.offsetHeight, hostScript) : address;
      status.textContent = "";
      const done = (await copied(text)) || offerText(text);
      if (done) status.textContent = embed ? "Embed code copied." : "Link copied.";
    });
  }
}
