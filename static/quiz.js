// The quiz: an answer counts once it is checked; answers are kept in this browser; numbers follow the scenario.
import { memory, store } from "./page.js";
import { afterPaint } from "./store.js";

const QUIZ_KEY = "kv-cache:quiz";

class Quiz {
  constructor(root) {
    this.root = root;
    this.forms = new Map([...root.querySelectorAll("[data-question]")].map((form) => [form.dataset.question, form]));
    this.score = root.querySelector("[data-readout=quiz-score]");
    this.answers = this.keptAnswers();
    for (const [question, form] of this.forms) this.bind(question, form);
    root.querySelector("[data-action=see-answers]").addEventListener("click", () => this.showReasons(!this.reasonsShown()));
    root.querySelector("[data-action=restart]").addEventListener("click", () => this.restart());
    root.addEventListener("toggle", () => this.showReasonsState(), true);
    for (const element of root.querySelectorAll("[data-scripted]")) element.hidden = false;
    store.listen(afterPaint(() => this.writeTexts()));
    this.writeTexts();
    for (const question of this.forms.keys()) this.choose(question, this.answers[question]);
    // Whatever listens to the quiz may be set up later in this script.
    if (this.writeScore().answered) queueMicrotask(() => this.tell());
  }

  /** Answers kept from an earlier visit; anything that is not one is ignored. */
  keptAnswers() {
    const answers = {};
    let kept = null;
    try { kept = JSON.parse(memory.read(QUIZ_KEY)); } catch { /* not ours, or damaged */ }
    if (kept === null || typeof kept !== "object") return answers;
    for (const [question, form] of this.forms) {
      const options = [...form.querySelectorAll("[data-option]")].map((label) => label.dataset.option);
      if (Object.hasOwn(kept, question) && options.includes(kept[question])) answers[question] = kept[question];
    }
    return answers;
  }

  bind(question, form) {
    form.addEventListener("change", () => this.show(question));
    // On the button, which Enter presses too: a sandboxed frame may not submit forms, not even to itself.
    form.querySelector("[type=submit]").addEventListener("click", (event) => {
      event.preventDefault();
      this.check(question);
    });
    form.querySelector("[data-action=retry]").addEventListener("click", () => {
      this.forget([question]);
      form.querySelector("input").focus();
    });
  }

  chosen(question) {
    return this.forms.get(question).querySelector("input:checked")?.value;
  }

  choose(question, option) {
    for (const input of this.forms.get(question).querySelectorAll("input")) input.checked = input.value === option;
    this.show(question);
  }

  check(question) {
    const option = this.chosen(question);
    if (option === undefined) {
      this.say("Choose an answer first.");
      this.feedback(question, "Choose an answer first.", "");
      return;
    }
    this.answers[question] = option;
    this.show(question);
    this.keep();
    this.say(this.forms.get(question).querySelector("[data-feedback]").textContent);
  }

  /** Right or not and why, for as long as the checked answer is the chosen one. */
  show(question) {
    const form = this.forms.get(question);
    const answer = this.answers[question];
    const shown = answer !== undefined && this.chosen(question) === answer;
    const right = answer === QUIZ_RIGHT[question];
    for (const label of form.querySelectorAll("[data-option]")) {
      if (shown && label.dataset.option === answer) label.dataset.mark = right ? "right" : "wrong";
      else delete label.dataset.mark;
    }
    form.querySelector("[data-action=retry]").hidden = answer === undefined;
    if (shown) this.feedback(question, right ? "Right." : "Not quite.", this.texts[`${question}-${answer}-why`]);
    else this.feedback(question, "", "");
  }

  feedback(question, verdict, reason) {
    const place = this.forms.get(question).querySelector("[data-feedback]");
    place.querySelector("[data-verdict]").textContent = verdict;
    place.querySelector("[data-reason]").textContent = reason;
    place.hidden = verdict === "";
  }

  forget(questions) {
    for (const question of questions) {
      delete this.answers[question];
      this.choose(question, undefined);
    }
    this.keep();
    this.say("");
  }

  restart() {
    this.showReasons(false);
    this.forget([...this.forms.keys()]);
    this.forms.values().next().value.querySelector("input").focus();
  }

  reasons() {
    return [...this.root.querySelectorAll("details.reasons")];
  }

  reasonsShown() {
    return this.reasons().every((details) => details.open);
  }

  showReasons(open) {
    for (const details of this.reasons()) details.open = open;
    this.showReasonsState();
  }

  showReasonsState() {
    const button = this.root.querySelector("[data-action=see-answers]");
    button.setAttribute("aria-pressed", String(this.reasonsShown()));
  }

  keep() {
    memory.write(QUIZ_KEY, JSON.stringify(this.answers));
    this.writeScore();
    this.tell();
  }

  result() {
    const total = this.forms.size;
    const given = Object.entries(this.answers);
    const correct = given.filter(([question, answer]) => answer === QUIZ_RIGHT[question]).length;
    return { answered: given.length, correct, total, done: given.length === total };
  }

  writeScore() {
    const result = this.result();
    this.score.textContent = `${result.correct} of ${result.total}`;
    this.score.dataset.value = String(result.correct);
    const left = result.total - result.answered;
    this.root.querySelector("[data-progress]").textContent = left ? `right. ${left} to go.` : "right. All answered.";
    this.root.querySelector("[data-action=restart]").disabled = result.answered === 0;
    return result;
  }

  tell() {
    document.dispatchEvent(new CustomEvent("kv-cache:quiz", { detail: this.result() }));
  }

  say(text) {
    this.root.querySelector("[data-announce]").textContent = text;
  }

  /** The scenario's numbers in every question, option and reason. */
  writeTexts() {
    this.texts = quiz_frame(store.state, store.catalog).texts;
    for (const element of this.root.querySelectorAll("[data-text]")) {
      const text = this.texts[element.dataset.text];
      if (element.textContent !== text) element.textContent = text;
    }
    for (const question of this.forms.keys()) {
      if (this.answers[question] !== undefined) this.show(question);
    }
  }
}

const quizRoot = document.querySelector("[data-quiz]");
if (quizRoot) new Quiz(quizRoot);
