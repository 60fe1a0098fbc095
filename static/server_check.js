// A server's start-up log beside what the page predicts: read, set where it can be, compared as the scenario changes.
import { bindControls } from "./controls.js";
import { ownModel } from "./models.js";
import { store } from "./page.js";
import { afterPaint } from "./store.js";
import { LARGEST_TEXT, bindDrop, bindText, listOf, say, tableRow } from "./yours.js";

class ServerCheck {
  constructor(root) {
    this.root = root;
    this.log = null;
    this.table = root.querySelector("[data-compared] table");
    this.head = [...this.table.querySelectorAll("thead th")].map((cell) => cell.textContent);
    this.showControls = bindControls(root.querySelector("[data-controls]"), store);
    bindText(root, (text) => this.read(text), (file) => this.readFile(file));
    store.listen(afterPaint(() => this.compare()));
    root.hidden = false;
    this.compare();
  }

  /** Of a long log its beginning is read: an engine says what it found as it starts. */
  async readFile(file) {
    try {
      this.read(await file.slice(0, LARGEST_TEXT).text());
    } catch {
      say(this.root, { error: "The file cannot be read; choose it again." });
    }
  }

  read(text) {
    if (text.trim() === "") {
      say(this.root, { error: "Paste the lines of a start-up log first." });
      return;
    }
    const log = read_log(text);
    const known = log.engine !== null;
    this.log = known ? log : null;
    const settings = known ? log_settings(log) : {};
    const refused = store.set(settings, this);
    const found = this.root.querySelector("[data-looked-for]");
    found.replaceChildren(...listOf(known ? [] : log.looked_for));
    found.hidden = known;
    this.root.querySelector("[data-found]").replaceChildren(
      ...log.findings.map(({ label, text: printed, line }) => tableRow([label, printed, line])),
    );
    this.compare();
    const next = known ? yours_set(settings, refused, store.catalog) : "What is looked for:";
    say(this.root, { status: `${log_summary(log)} ${next}`.trim() });
  }

  compare() {
    this.showControls(store.state);
    this.root.querySelector("[data-result]").hidden = !this.log;
    if (!this.log) return;
    const { shape } = store.catalog.models[store.state.model];
    const rows = compare_log(this.log, shape, store.state, store.catalog);
    this.table.querySelector("tbody").replaceChildren(...rows.map(({ label, logged, predicted, ratio, reason }) =>
      tableRow([label, logged, predicted, yours_ratio(ratio), reason || "none needed: they agree"], this.head)));
    this.table.parentElement.hidden = !rows.length;
  }
}

const serverRoot = document.querySelector("[data-yours=server]");
const serverCheck = serverRoot ? new ServerCheck(serverRoot) : null;
bindDrop({ model: (file) => ownModel?.readFile(file), server: (file) => serverCheck?.readFile(file) });
