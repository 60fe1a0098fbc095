// What both of the reader's own figures share: text from a paste, a file or a drop, and tables made of text.

/** A config.json is a few kilobytes; of a log, what matters stands in its first lines. */
export const LARGEST_TEXT = 1000000;

export function tableRow(cells, head = null) {
  const row = document.createElement("tr");
  cells.forEach((text, index) => {
    const cell = document.createElement(index === 0 ? "th" : "td");
    if (index === 0) cell.scope = "row";
    else if (head) cell.dataset.label = head[index];
    cell.textContent = text;
    row.append(cell);
  });
  return row;
}

export function listOf(texts) {
  return texts.map((text) => Object.assign(document.createElement("li"), { textContent: text }));
}

/** Hands on what a part's text area holds once asked to, what is pasted into it, and what its file field brings. */
export function bindText(root, take, takeFile) {
  const text = root.querySelector("[name=text]");
  const file = root.querySelector("[name=file]");
  root.querySelector("[data-action=read]").addEventListener("click", () => take(text.value));
  // Once the paste is in the field; typing alone waits for the button.
  text.addEventListener("paste", () => setTimeout(() => take(text.value)));
  file.addEventListener("change", () => {
    if (file.files[0]) takeFile(file.files[0]);
    file.value = "";
  });
}

export function say(root, { error = "", status = "" }) {
  const place = root.querySelector("[data-error]");
  place.textContent = error;
  place.hidden = !error;
  root.querySelector("[data-status]").textContent = status;
}

export function writeTexts(root, texts) {
  for (const [name, text] of Object.entries(texts)) {
    for (const element of root.querySelectorAll(`[data-text="${name}"], [data-readout="${name}"]`)) {
      if (element.textContent !== text) element.textContent = text;
    }
  }
}
