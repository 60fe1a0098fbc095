// What both of the reader's own figures share: text from a paste, a file or a drop, and tables made of text.

/** A config.json is a few kilobytes. */
export const LARGEST_TEXT = 1000000;
/** A field lays out all that it holds: from about so many characters on, that holds up the whole page. */
const LARGEST_SHOWN = 200000;

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

/**
 * Hands on what a part's text area holds once asked to, what is pasted into it, and what its file field brings. A paste
 * too long for the field takes the place of what it holds, and is kept beside it until something else is typed.
 */
export function bindText(root, take, takeFile) {
  const text = root.querySelector("[name=text]");
  const file = root.querySelector("[name=file]");
  const { placeholder } = text;
  let long = "";
  const keep = (pasted) => {
    long = pasted;
    text.placeholder = long ? `${text_whole(long.length)} characters were pasted, more than are shown here.` : placeholder;
  };
  root.querySelector("[data-action=read]").addEventListener("click", () => take(text.value || long));
  text.addEventListener("input", () => keep(""));
  // Once the paste is in the field; typing alone waits for the button.
  text.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (pasted.length > LARGEST_SHOWN) {
      event.preventDefault();
      text.value = "";
      keep(pasted);
    }
    setTimeout(() => take(text.value || long));
  });
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
