// A server's start-up log beside what the page predicts: read, set where it can be, compared as the scenario changes.
import { bindControls } from "./controls.js";
import { ownModel, usable } from "./models.js";
import { store } from "./page.js";
import { startPart } from "./start.js";
import { afterPaint, pause } from "./store.js";
import { bindText, listOf, say, tableRow } from "./yours.js";

/** A log of weeks is read whole up to this many bytes, as the reader does. */
const LARGEST_LOG = LOG_MAX_CHARACTERS;
/** So many bytes of a file are decoded in one stretch. */
const SLICE = 1000000;
/** Milliseconds after which a long reading lets the page answer. */
const STRETCH = 12;

/** What finds in one pass whether a text holds any of the reader's anchors; nothing else in it is a fact. */
function anchorsOf(index) {
  return new RegExp(index.map(([anchor]) => anchor.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"));
}

/** A file's text, decoded slice by slice, so that the page answers meanwhile. */
async function textOf(file) {
  const decoder = new TextDecoder();
  let text = "";
  for (let at = 0; at < file.size; at += SLICE) {
    text += decoder.decode(await file.slice(at, at + SLICE).arrayBuffer(), { stream: true });
  }
  return text + decoder.decode();
}

class ServerCheck {
  constructor(root) {
    this.root = root;
    this.log = null;
    this.text = ""; // what the log was read from
    this.reading = null; // the text being read, see log_reading
    this.offered = ""; // the ways shown, as text
    this.taken = false; // whether what the answer offered was taken just now
    this.table = root.querySelector("[data-compared] table");
    this.head = [...this.table.querySelectorAll("thead th")].map((cell) => cell.textContent);
    this.starts = root.querySelector("#server-start");
    this.starts.addEventListener("change", () => {
      this.log = log_at(this.log, Number(this.starts.value));
      this.show(this.log);
    });
    this.showControls = bindControls(root.querySelector("[data-controls]"), store);
    bindText(root, (text) => this.read(text), (file) => this.readFile(file));
    store.listen(afterPaint(() => this.compare()));
    this.compare();
  }

  /** Of a file too long its two ends are read: an engine says what it found as it starts, now or at its last restart. */
  async readFile(file) {
    try {
      const half = LARGEST_LOG / 2;
      const parts = file.size <= LARGEST_LOG ? [file] : [file.slice(0, half), "\n", file.slice(file.size - half)];
      const texts = await Promise.all(parts.map((part) => (part === "\n" ? part : textOf(part))));
      this.read(texts.join(""), Math.max(0, file.size - LARGEST_LOG));
    } catch {
      say(this.root, { error: "The file cannot be read; choose it again." });
    }
  }

  /** A long text is read piece by piece, so that the page answers meanwhile; a newer text takes its place. */
  async read(text, unread = 0) {
    if (text.trim() === "") {
      say(this.root, { error: "Paste the lines of a start-up log first." });
      return;
    }
    const reading = log_reading(text);
    const anchors = anchorsOf(reading.index);
    const long = reading.pieces.length > 1;
    this.reading = reading;
    if (long) {
      say(this.root, { status: "The log is being read." });
      await pause();
    }
    let since = performance.now();
    for (const piece of reading.pieces) {
      if (anchors.test(log_low(piece))) log_read_piece(reading, piece);
      else log_skip_piece(reading, piece);
      if (performance.now() - since > STRETCH) {
        await pause();
        since = performance.now();
      }
      if (this.reading !== reading) return;
    }
    const log = log_told(reading);
    if (long) await pause();
    if (this.reading !== reading) return;
    log.unread += unread;
    const known = log.engine !== null;
    this.text = text;
    this.log = known ? log : null;
    const found = this.root.querySelector("[data-looked-for]");
    found.replaceChildren(...listOf(known ? [] : log.looked_for));
    found.hidden = known;
    this.offerStarts();
    this.show(log);
  }

  /** The starts in the text to choose from, where there are several. */
  offerStarts() {
    const { starts, start } = this.log ?? { starts: [], start: 0 };
    this.starts.replaceChildren(...starts.map(({ line }, index) => new Option(yours_start(index, line), String(index))));
    this.starts.value = String(start);
    this.starts.parentElement.hidden = starts.length < 2;
  }

  /** Sets on the page what the log decides, and shows the rest. */
  show(log) {
    const known = log.engine !== null;
    if (known) this.takeModel(log);
    const settings = known ? log_settings(log) : {};
    // One type that the log names holds for keys and values, unless it names another for values.
    const refused = store.set("cache" in settings ? { cache_v: "", ...settings } : settings, this);
    this.root.querySelector("[data-found]").replaceChildren(
      ...log.findings.map(({ label, text: printed, line }) => tableRow([label, printed, line])),
    );
    this.compare();
    const next = known ? yours_set(settings, refused, store.catalog) : "What is looked for:";
    say(this.root, { status: `${log_summary(log)} ${next}`.trim() });
  }

  /** Puts the model into the catalog whose file's metadata llama.cpp printed before this start. */
  takeModel(log) {
    const reading = log_model(log, this.text);
    if (reading && !usable(reading).error) ownModel?.take(reading);
  }

  compare() {
    this.showControls(store.state);
    this.root.querySelector("[data-result]").hidden = !this.log;
    if (!this.log) return;
    const { shape } = store.catalog.models[store.state.model];
    const { sentences, ways, change } = log_answer(this.log, shape, store.state, store.catalog);
    // What was offered stays when one of it is taken: the page then shows another deployment than the log's.
    const stays = this.taken && !ways.length;
    this.taken = false;
    const told = sentences.filter((text) => text !== change && !(stays && text === LOG_OTHER_SET));
    this.root.querySelector("[data-answer]").replaceChildren(...told.map((text) => textIn("p", text)));
    if (!stays) this.offer(ways);
    const bars = log_bars(log_job(this.log, shape, store.state, store.catalog));
    this.root.querySelector("[data-bars]").replaceChildren(...bars.map(barFigure));
    const rows = compare_log(this.log, shape, store.state, store.catalog);
    this.table.querySelector("tbody").replaceChildren(...rows.map((row) => tableRow(
      [row.label, row.logged, row.predicted, yours_ratio(row.ratio), yours_verdict(row.verdict), row.reason], this.head)));
    this.table.parentElement.hidden = !rows.length;
  }

  /** Shows what would change the outcome; the same ways stay as they are, and the focus with them. */
  offer(ways) {
    const offered = JSON.stringify(ways);
    if (offered === this.offered) return;
    this.offered = offered;
    this.root.querySelector("[data-ways]").replaceChildren(...ways.map((way) => this.wayItem(way)));
  }

  /** What would change the outcome: a button where the scenario can show it, else a line. */
  wayItem({ text, set }) {
    const item = document.createElement("li");
    const settable = Object.keys(set).length > 0;
    const part = textIn(settable ? "button" : "span", text);
    if (settable) {
      part.type = "button";
      part.addEventListener("click", () => {
        this.taken = true;
        store.set(set, this);
      });
    }
    item.append(part);
    return item;
  }
}

function textIn(name, text) {
  return Object.assign(document.createElement(name), { textContent: text });
}

/** One bar of a card's memory: its parts to scale, named below in the same colours. */
function barFigure({ title, total, card, parts, words }) {
  const figure = document.createElement("figure");
  const bar = document.createElement("div");
  bar.className = "log-bar";
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", words);
  for (const { kind, start, width } of parts) {
    const part = document.createElement("span");
    part.className = `log-part is-${kind}`;
    part.style.left = `${start}%`;
    part.style.width = `${width}%`;
    bar.append(part);
  }
  const edge = document.createElement("span");
  edge.className = "log-edge";
  edge.style.left = `${card}%`;
  bar.append(edge);
  const list = document.createElement("ul");
  list.className = "log-legend";
  list.append(...parts.map(({ kind, name, size }) => {
    const item = textIn("li", `${name} ${size}`);
    item.className = `is-${kind}`;
    return item;
  }));
  figure.append(textIn("figcaption", `${title}: ${total}`), bar, list);
  return figure;
}

const serverRoot = document.querySelector("[data-yours=server]");
const serverCheck = serverRoot ? startPart(serverRoot, () => new ServerCheck(serverRoot)) : null;
/** What takes a file that came to the page, by the name of the part that it is for. */
export const fileTakers = {
  model: (file) => ownModel?.readFile(file),
  server: (file) => serverCheck?.readFile(file),
};
