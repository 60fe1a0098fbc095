// What was guessed in the acts: kept in this browser, told to whoever listens, shown against the answers.
import { soon } from "./later.js";
import { acts, embedded, memory, opened, ownKey } from "./page.js";
import { Prediction } from "./predict.js";
import { startPart } from "./start.js";

const GUESSES_KEY = ownKey("predictions");
/** Guesses this many times off or more stand at the picture's ends. */
const GUESSES_FARTHEST = 8;

class Guesses {
  constructor(place) {
    this.place = place;
    this.kept = this.read();
    // An embed asks only when told to; the page and the file do unless told not to.
    if (opened.predict ?? !embedded) {
      for (const act of acts.values()) {
        const ask = () => new Prediction(act, this.kept.seen, (told) => this.take(act, told));
        soon(() => startPart(act.root, ask));
      }
    }
    this.show();
  }

  /** Guesses of an earlier visit; anything that is not one is ignored. */
  read() {
    let kept = null;
    try { kept = JSON.parse(memory.read(GUESSES_KEY)); } catch { /* not ours, or damaged */ }
    const guesses = {};
    const texts = (value) => Array.isArray(value) && value.every((text) => typeof text === "string" && text.length < 200);
    if (kept === null || typeof kept !== "object") return { seen: [], guesses };
    for (const id of acts.keys()) {
      const guess = Object(kept.guesses)[id];
      if (guess && typeof guess.text === "string" && guess.text.length < 600 && typeof guess.right === "boolean"
        && (guess.off === null || (Number.isFinite(guess.off) && guess.off >= 0))) {
        guesses[id] = { text: guess.text, right: guess.right, off: guess.off };
      }
    }
    return { seen: texts(kept.seen) ? kept.seen : [], guesses };
  }

  take(act, { question, verdict }) {
    this.kept.seen = [...new Set([...this.kept.seen, question.key])].slice(-20);
    this.kept.guesses[act.id] = { text: verdict.text, right: verdict.right, off: verdict.off };
    memory.write(GUESSES_KEY, JSON.stringify(this.kept));
    this.show();
    const { kind, answer, unit, options } = question;
    const { guess, right, off } = verdict;
    const detail = { act: act.id, question: question.question, kind, guess, answer, unit, options, right, off };
    document.dispatchEvent(new CustomEvent("kv-cache:prediction", { detail }));
  }

  /** A line for each guess: how far from the answer it was, in words and as a dot on a scale of doublings. */
  show() {
    if (!this.place) return;
    const list = this.place.querySelector("ul");
    list.replaceChildren(...[...acts.values()].filter(({ id }) => this.kept.guesses[id]).map(({ id, root }) => {
      const { text, right, off } = this.kept.guesses[id];
      const line = document.createElement("li");
      const name = root.closest("section").querySelector("h2").textContent;
      const scale = document.createElement("span");
      scale.className = "guess-scale";
      scale.setAttribute("aria-hidden", "true");
      scale.dataset.right = String(right);
      const doublings = off ? Math.log2(off) / Math.log2(GUESSES_FARTHEST) : off === 0 ? -1 : 0;
      scale.style.setProperty("--at", String(50 + 50 * Math.max(-1, Math.min(1, doublings))));
      scale.hidden = off === null;
      const words = document.createElement("span");
      words.append(Object.assign(document.createElement("b"), { textContent: `${name}. ` }), text);
      line.append(scale, words);
      return line;
    }));
    this.place.hidden = list.children.length === 0;
  }
}

const guessesPlace = document.querySelector("[data-guesses]");
soon(() => startPart(guessesPlace, () => new Guesses(guessesPlace))); // once the acts have started
