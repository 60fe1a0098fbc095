// The quiz: one question at a time, drawn by a seed, about the deployment; answers are kept in this browser.
import { soon } from "./later.js";
import { showFaults } from "./link.js";
import { memory, opened, ownKey, page, store } from "./page.js";
import { startPart } from "./start.js";
import { afterPause, same } from "./store.js";

const QUIZ_KEY = ownKey("quiz");
/** The deployment that stands where nothing was chosen: asked about where the reader's own cannot pose a question. */
const QUIZ_REFERENCE = Object.fromEntries(SCENARIO_KEYS.map((key) => [key, RULES[key].default]));

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** What of a deployment differs from the reference; a model of one's own is not repeated. */
function differing(state) {
  return Object.fromEntries(SCENARIO_KEYS.filter((key) => key !== "shape" && !same(state[key], QUIZ_REFERENCE[key]))
    .map((key) => [key, state[key]]));
}

/** One question on the page: its form, what was given, whether it was right. */
class Question {
  constructor(quiz, entry, place) {
    this.quiz = quiz;
    this.entry = entry;
    this.place = place;
    this.form = make("form", { className: "question" });
    this.form.dataset.question = entry.name;
    this.form.addEventListener("submit", (event) => event.preventDefault());
    // On the button, which Enter presses too: a sandboxed frame may not submit forms, not even to itself.
    this.form.addEventListener("click", (event) => this.press(event));
    // At each letter: a verdict that went only when the field is left would move the button from under the click.
    this.form.addEventListener("input", () => this.show());
    this.data = null;
  }

  get answered() {
    return this.entry.given !== undefined;
  }

  /** The deployment it is about: the present one until it is answered, then the one it was answered for. */
  deployment() {
    if (!this.entry.about) return store.state;
    const about = { ...store.state, ...QUIZ_REFERENCE, shape: store.state.shape, ...this.entry.about };
    if (about.model === OWN_MODEL && !about.shape) about.model = QUIZ_REFERENCE.model;
    return about;
  }

  /** Follows the deployment until it is answered. */
  follow() {
    if (!this.answered || !this.data) this.write();
  }

  /** Writes the question anew if the deployment changed what it says. */
  write() {
    const { name, seed } = this.entry;
    const data = quiz_question(name, seed, this.deployment(), store.catalog, QUIZ_REFERENCE);
    if (same(data, this.data)) return;
    this.data = data;
    this.feedback = make("p", { className: "feedback", hidden: true }, make("strong"), " ", make("span"));
    this.feedback.dataset.feedback = "";
    this.feedback.children[0].dataset.verdict = "";
    this.feedback.children[1].dataset.reason = "";
    this.check = make("button", { type: "submit", className: "primary", textContent: "Check" });
    this.retry = make("button", { type: "button", textContent: "Try another", hidden: true });
    this.retry.dataset.action = "retry";
    const legend = make("legend", { tabIndex: -1 },
      make("span", { className: "question-number", textContent: `Question ${this.place + 1} of ${this.quiz.total}` }), data.question);
    const fieldset = make("fieldset", {}, legend, ...(data.kind === "choice" ? this.options() : [this.field()]));
    this.form.replaceChildren(fieldset, this.feedback, make("p", { className: "quiz-buttons" }, this.check, this.retry), this.reasons());
    if (this.answered) this.choose(this.entry.given);
    this.show();
  }

  options() {
    return this.data.options.map((text, index) => {
      const label = make("label", { className: "answer" },
        make("input", { type: "radio", name: `quiz-${this.place}`, value: String(index) }), make("span", { textContent: text }));
      label.dataset.option = String(index);
      return label;
    });
  }

  field() {
    const id = `quiz-answer-${this.place}`;
    const input = make("input", { type: "text", id, autocomplete: "off", inputMode: "decimal", spellcheck: false, maxLength: 40 });
    input.setAttribute("aria-describedby", `${id}-unit`);
    const unit = make("span", { className: "unit", id: `${id}-unit`, textContent: this.data.unit });
    return make("p", { className: "number-answer" }, make("label", { htmlFor: id, textContent: "Your answer" }), input, unit);
  }

  /** Every answer with its reason; it stands closed, and only once the question was tried. */
  reasons() {
    const list = make("dl");
    const entries = this.data.kind === "choice"
      ? this.data.options.map((text, index) => [text, this.data.reasons[index], index === this.data.answer])
      : [[quiz_answer_text(this.data), this.data.reasons[0], true]];
    for (const [text, reason, right] of entries) {
      list.append(make("div", { className: right ? "is-right" : "" },
        make("dt", {}, make("span", { className: "verdict", textContent: right ? "Right" : "No" }), ` ${text}`),
        make("dd", { textContent: reason })));
    }
    this.answers = make("details", { className: "more reasons", hidden: true }, make("summary", { textContent: "The answer, with reasons" }), list);
    return this.answers;
  }

  press(event) {
    const button = event.target.closest("button");
    if (!button) return;
    event.preventDefault();
    if (button === this.check) {
      this.submit();
      // A key may have left the field at the window's foot.
      this.feedback.scrollIntoView({ block: "nearest" });
    } else if (button === this.retry) this.quiz.replace(this.place);
  }

  given() {
    if (this.data.kind === "choice") return this.form.querySelector("input:checked")?.value ?? "";
    return this.form.querySelector("input").value.trim();
  }

  choose(given) {
    for (const input of this.form.querySelectorAll("input")) {
      if (input.type === "radio") input.checked = input.value === given;
      else input.value = given;
    }
  }

  submit() {
    const given = this.given();
    if (given === "") {
      this.say(this.data.kind === "choice" ? "Choose an answer first." : "Type a number first.", "");
      return;
    }
    const mark = quiz_mark(this.data, given);
    if (!mark.read) {
      this.say(mark.reason, "");
      return;
    }
    this.entry = { ...this.entry, given, right: mark.right, about: differing(this.deployment()) };
    this.show();
    this.tell();
    this.quiz.keep();
    this.quiz.say(this.feedback.textContent);
  }

  /** Tells whoever listens what was answered: an option by its index, or a number in the question's unit. */
  tell() {
    const { kind, question, options, answer, unit } = this.data;
    const { name, seed, given, right } = this.entry;
    const guess = kind === "choice" ? Number(given) : typed_read(given, unit).value;
    const detail = { name, seed, question, kind, guess, answer, unit, options, right };
    document.dispatchEvent(new CustomEvent("kv-cache:answer", { detail }));
  }

  say(verdict, reason) {
    this.feedback.children[0].textContent = verdict;
    this.feedback.children[1].textContent = reason;
    this.feedback.hidden = verdict === "";
    if (verdict !== "" && reason === "") this.quiz.say(verdict);
  }

  /** Right or not and why, for as long as the checked answer is the given one. */
  show() {
    const shown = this.answered && this.given() === this.entry.given;
    for (const label of this.form.querySelectorAll("[data-option]")) {
      if (shown && label.dataset.option === this.entry.given) label.dataset.mark = this.entry.right ? "right" : "wrong";
      else delete label.dataset.mark;
    }
    this.retry.hidden = !this.answered;
    this.answers.hidden = !this.answered;
    this.form.dataset.state = shown ? (this.entry.right ? "right" : "wrong") : "";
    if (shown) this.say(this.entry.right ? "Right." : "Not quite.", quiz_mark(this.data, this.entry.given).reason);
    else this.say("", "");
  }
}

class Quiz {
  constructor(root) {
    this.root = root;
    this.places = root.querySelector("[data-quiz-questions]");
    this.score = root.querySelector("[data-readout=quiz-score]");
    this.asked = this.askedFor();
    this.load(this.kept() ?? this.draw(this.asked.seed ?? Math.ceil(Math.random() * QUIZ_SEED_HIGH)));
    const actions = {
      next: () => this.go(this.at + 1),
      previous: () => this.go(this.at - 1),
      restart: () => this.restart(),
      sheet: () => this.openSheet(),
    };
    for (const [name, run] of Object.entries(actions)) root.querySelector(`[data-action=${name}]`).addEventListener("click", run);
    for (const element of root.querySelectorAll("[data-scripted]")) element.hidden = false;
    document.addEventListener("kv-cache:resume", () => this.resume());
    const follow = afterPause(() => this.write());
    store.listen(follow);
    // Whatever listens to the quiz may be set up later in this script.
    if (this.result().answered) queueMicrotask(() => this.tell());
  }

  /** What the link asks for: a seed, and questions by name if the pool has them all. */
  askedFor() {
    const { seed, quiz } = opened;
    const unknown = quiz?.find((name) => !Object.hasOwn(QUIZ_POOL, name));
    if (unknown === undefined) return { seed, quiz };
    showFaults([...opened.faults, ["quiz", `there is no question “${unknown}”`]]);
    return { seed };
  }

  get total() {
    return this.entries.length;
  }

  get entries() {
    return this.questions ? this.questions.map(({ entry }) => entry) : this.drawn;
  }

  /** A fresh draw: what the link asks for by name, else what the seed draws. */
  draw(seed) {
    const names = this.asked.quiz ?? quiz_ids(seed);
    return { seed, at: 0, entries: names.map((name) => ({ name, seed })) };
  }

  /** The draw and the answers of an earlier visit; anything that is none, or not what the link asks for, is ignored. */
  kept() {
    let kept = null;
    try { kept = JSON.parse(memory.read(QUIZ_KEY)); } catch { /* not ours, or damaged */ }
    const whole = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;
    if (kept === null || typeof kept !== "object" || !Array.isArray(kept.entries) || kept.link !== this.linkKey()) return null;
    const fine = kept.entries.every((entry) => entry !== null && typeof entry === "object" && Object.hasOwn(QUIZ_POOL, entry.name)
      && whole(entry.seed, QUIZ_SEED_LOW, QUIZ_SEED_HIGH)
      && (entry.given === undefined || (typeof entry.given === "string" && entry.given.length <= 40 && typeof entry.right === "boolean")));
    if (!fine || kept.entries.length === 0 || !whole(kept.seed, QUIZ_SEED_LOW, QUIZ_SEED_HIGH)) return null;
    const clean = kept.entries.map(({ name, seed, given, right, about }) => (
      given === undefined || (QUIZ_POOL[name][1] === "choice" && !/^[0-3]$/.test(given))
        ? { name, seed } : { name, seed, given, right, about: this.legal(about) }));
    return { seed: kept.seed, at: whole(kept.at, 0, clean.length - 1) ? kept.at : 0, entries: clean };
  }

  /** What a learning platform remembers may come late: it is taken unless something was answered meanwhile. */
  resume() {
    const kept = this.kept();
    if (!kept || this.result().answered) return;
    this.load(kept);
    this.tell();
  }

  /** What a link that asks for a draw is known by. */
  linkKey() {
    return [this.asked.seed ?? "", ...(this.asked.quiz ?? [])].join(" ");
  }

  /** Of a kept deployment what may be set. */
  legal(about) {
    return Object.fromEntries(Object.entries(Object(about)).filter(([key, value]) =>
      key !== "shape" && SCENARIO_KEYS.includes(key) && store.legal(key, value) !== undefined));
  }

  load({ seed, at, entries }) {
    this.seed = seed;
    this.at = at;
    this.drawn = entries;
    this.questions = null;
    this.questions = entries.map((entry, place) => new Question(this, entry, place));
    this.places.replaceChildren(...this.questions.map(({ form }) => form));
    this.stand();
    this.write();
  }

  /** Shows the question at hand alone. */
  stand() {
    for (const [place, { form }] of this.questions.entries()) form.hidden = place !== this.at;
    this.questions[this.at].follow();
    this.root.querySelector("[data-action=previous]").disabled = this.at === 0;
    this.root.querySelector("[data-action=next]").disabled = this.at === this.total - 1;
    this.writeScore();
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.total - 1, at));
    this.stand();
    this.remember();
    this.questions[this.at].form.querySelector("legend").focus();
  }

  /** Another question of the same kind in the place of one that was tried. */
  replace(place) {
    const { name } = this.questions[place].entry;
    this.seed = quiz_next_seed(this.seed);
    const other = quiz_other(name, this.entries.map((entry) => entry.name), this.seed);
    this.questions[place] = new Question(this, { name: other, seed: this.seed }, place);
    this.places.replaceChildren(...this.questions.map(({ form }) => form));
    this.stand();
    this.keep();
    this.say("");
    this.questions[place].form.querySelector("legend").focus();
  }

  restart() {
    this.load(this.draw(quiz_next_seed(this.seed)));
    this.keep();
    this.say("");
    this.questions[0].form.querySelector("legend").focus();
  }

  keep() {
    this.remember();
    this.writeScore();
    this.tell();
  }

  remember() {
    memory.write(QUIZ_KEY, JSON.stringify({ seed: this.seed, at: this.at, link: this.linkKey(), entries: this.entries }));
  }

  result() {
    const given = this.entries.filter((entry) => entry.given !== undefined);
    const correct = given.filter((entry) => entry.right).length;
    return { answered: given.length, correct, total: this.total, done: given.length === this.total, seed: this.seed };
  }

  writeScore() {
    const result = this.result();
    this.score.textContent = `${result.correct} of ${result.total}`;
    this.score.dataset.value = String(result.correct);
    const left = result.total - result.answered;
    this.root.querySelector("[data-progress]").textContent = left ? `right. ${left} to go.` : "right. All answered.";
    this.root.querySelector("[data-action=restart]").disabled = result.answered === 0;
  }

  /** The sheet for a class, with these questions on the present deployment, in a window of its own or as a file. */
  openSheet() {
    const names = this.asked.quiz ?? quiz_ids(this.seed);
    const html = sheet_html(page.sheet, store.state, store.catalog, this.seed, names, QUIZ_REFERENCE);
    const address = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    if (!window.open(address)) make("a", { href: address, download: "kv-cache-sheet.html" }).click();
  }

  tell() {
    document.dispatchEvent(new CustomEvent("kv-cache:quiz", { detail: this.result() }));
  }

  say(text) {
    this.root.querySelector("[data-announce]").textContent = text;
  }

  /** The deployment's numbers in every question that is not answered yet, a task each. */
  write() {
    const line = quiz_deployment(store.state, store.catalog);
    const place = this.root.querySelector("[data-quiz-deployment]");
    if (place.textContent !== line) place.textContent = line;
    for (const question of this.questions) soon(() => question.follow());
  }
}

const quizRoot = document.querySelector("[data-quiz]");
if (quizRoot) soon(() => startPart(quizRoot, () => new Quiz(quizRoot)));
