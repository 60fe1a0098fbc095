// The reader's own model and server: what reads them is loaded when their part is opened or a file comes to the page.
import { runLater } from "./later.js";

const TOOLS_FAILED = "What reads a model or a log could not be loaded. Close this part and open it again to try once more.";
let tools = null;

/** Says above both parts that they cannot work, or takes that back. */
function tellTools(folds, text) {
  for (const fold of folds) {
    let note = fold.querySelector("[data-tools-note]");
    if (!note && text) {
      note = Object.assign(document.createElement("p"), { className: "error" });
      note.dataset.toolsNote = "";
      note.setAttribute("role", "alert");
      fold.querySelector("[data-yours]").before(note);
    }
    if (text) note.textContent = text;
    else note?.remove();
  }
}

/** What takes a file for each of the tools' parts, once their script has run; rejects if it cannot be had. */
function loadTools(folds) {
  if (tools) return tools;
  tools = new Promise((done, fail) => {
    globalThis.kvCacheTools = (run) => done(run(TOOLS_SCOPE()));
    runLater(document.getElementById("tools")).catch(fail);
  });
  tools.then(() => tellTools(folds, ""), () => {
    tools = null;
    tellTools(folds, TOOLS_FAILED);
  });
  return tools;
}

/** A file dropped anywhere on the page goes to the part it was dropped on, else to the model's. */
function bindDrop(load) {
  const holdsFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  document.addEventListener("dragover", (event) => { if (holdsFile(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    const section = event.target.closest?.("[data-yours], section:has([data-yours])");
    const place = section?.dataset.yours ?? section?.querySelector("[data-yours]").dataset.yours ?? "model";
    const [file] = event.dataTransfer.files;
    const name = file?.name.toLowerCase().endsWith(".gguf") ? "model" : place;
    document.querySelector(`[data-yours="${name}"]`)?.closest("details.fold")?.setAttribute("open", "");
    if (file) load().then((takers) => takers[name]?.(file), () => { /* said where the part is */ });
  });
}

/** Loads the tools as soon as a hand is on one of their parts, and at the latest when it opens. */
function bindTools() {
  const folds = [...document.querySelectorAll("details.fold:has([data-yours])")];
  let ready = false;
  const load = () => loadTools(folds);
  const start = () => load().then(() => { ready = true; }, () => { /* said where the part is */ });
  for (const fold of folds) {
    fold.querySelector("[data-yours]").hidden = false;
    fold.addEventListener("toggle", () => { if (fold.open) start(); });
    for (const hand of ["pointerdown", "focusin"]) fold.addEventListener(hand, start, { once: true });
    // A button pressed or a file chosen too early is answered late.
    for (const [type, what] of [["click", "[data-action]"], ["change", "[type=file]"]]) {
      fold.addEventListener(type, ({ target }) => {
        const element = target.closest(what);
        const again = () => (type === "click" ? element.click() : element.dispatchEvent(new Event(type)));
        // Only once ready: asked again before, the same event would ask without end. And once this press is over, since
        // WebKit lets a button be pressed by a script only then.
        if (element && !ready) start().then(() => { if (ready) setTimeout(again); });
      });
    }
  }
  bindDrop(load);
}

bindTools();
