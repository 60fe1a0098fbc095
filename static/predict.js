// Predict, then see: each act asks before it shows its answer. Nothing blocks: a touch of any control shows it too.
import { afterPause } from "./store.js";

/** What would give each act's answer away, as selectors within the act. */
const VEILED = {
  growth: ["[data-plot='growth:work']", "[data-readout=recompute-avoided]", "[data-text=recompute-basis]", "[data-text=total-without]"],
  heads: ["[data-plot='heads:bars']", "[data-readout=cache-reduction]", "[data-readout=bytes-per-token]", "[data-readout=bytes-per-sequence]"],
  wall: ["[data-plot='wall:memory']", "[data-plot='wall:curve']", "[data-readout=verdict]", "[data-readout=max-users]",
    "[data-readout=max-users-typical]", "[data-text^=pace-]"],
  quantize: ["[data-plot='quantize:users']", "[data-readout=max-users-quantized]", "[data-readout=max-users-quantized-typical]",
    "[data-text^=users-]"],
};

const TOUCHED = "[data-param], [data-do], [data-set]";

function part(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** One act's question: asked until a guess, "Show me" or the first touch of one of the act's controls. */
export class Prediction {
  constructor(act, seen, told) {
    this.act = act;
    this.told = told;
    this.seen = new Set(seen);
    this.place = act.root.querySelector("[data-question]");
    this.box = act.root.querySelector(".sentence-box");
    if (!this.place || !this.box) return;
    this.task = [...this.place.childNodes];
    this.status = part("span");
    this.status.setAttribute("role", "status");
    this.eager = true; // asks again about another deployment as long as it was answered by guessing
    this.question = null;
    for (const type of ["input", "click"]) {
      act.root.addEventListener(type, (event) => {
        if (this.asking && event.target.closest(TOUCHED) && !this.form.contains(event.target)) this.end();
      });
    }
    act.store.listen(afterPause(() => this.follow()));
    this.follow();
  }

  get asking() {
    return "asking" in this.act.root.dataset;
  }

  /** The act's question about the present state. */
  present() {
    return predict_question(this.act.id, this.act.store.state, this.act.store.catalog);
  }

  /** The question is asked, or follows the state; what was said of other numbers goes. */
  follow() {
    const question = this.present();
    if (this.question && JSON.stringify(question) === JSON.stringify(this.question)) return;
    const fresh = !this.seen.has(question.key);
    if (this.asking || (fresh && this.eager)) this.ask(question);
    else if (this.question) this.rest();
  }

  ask(question) {
    delete this.place.dataset.answered;
    this.question = question;
    this.seen.add(question.key);
    this.status.textContent = "";
    this.place.replaceChildren(part("b", { textContent: question.question }), this.status);
    this.form?.remove();
    this.form = part("form", { className: "guess", noValidate: true }, ...(question.kind === "choice" ? this.choices() : [this.field()]),
      part("button", { type: "submit", className: "primary", textContent: "Check my guess" }),
      part("button", { type: "button", className: "quiet", textContent: "Show me" }));
    this.form.setAttribute("aria-label", "A guess before the answer");
    // On the buttons, which Enter presses too: a sandboxed frame may not submit forms.
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      event.preventDefault();
      if (button.type === "submit") this.guess();
      else this.finish(predict_said(this.question), null);
    });
    this.box.append(this.form);
    this.act.root.dataset.asking = "";
    this.veil(true);
  }

  choices() {
    const name = `guess-${this.act.id}`;
    const options = this.question.options.map((text, index) => part("label", {},
      part("input", { type: "radio", name, value: String(index) }), part("span", { textContent: text })));
    const group = part("fieldset", { className: "segments" }, part("legend", { className: "visually-hidden", textContent: "Your guess" }),
      part("span", { className: "options" }, ...options));
    return [group];
  }

  field() {
    const id = `guess-${this.act.id}`;
    return part("span", { className: "number-answer" },
      part("label", { htmlFor: id, textContent: "Your guess" }),
      part("input", { type: "text", id, inputMode: "decimal", autocomplete: "off", maxLength: 20 }),
      part("span", { className: "unit", textContent: this.question.unit }));
  }

  guess() {
    const given = this.question.kind === "choice"
      ? this.form.querySelector("input:checked")?.value ?? "" : this.form.querySelector("input").value.trim();
    const verdict = given === "" ? { read: false, text: "Guess first, or let it be shown." } : predict_verdict(this.question, given);
    if (!verdict.read) {
      this.say(verdict.text);
      return;
    }
    this.finish(verdict.text, { ...verdict, given });
  }

  /** Says something beside the question, in view: on a phone the field is brought up to make room for the keys. */
  say(text) {
    this.status.textContent = ` ${text}`;
    this.place.scrollIntoView({ block: "nearest" });
  }

  /** Lifts the veil and says what is true, and how far off a guess was. */
  finish(text, verdict) {
    const { question } = this;
    this.end();
    this.eager = verdict !== null;
    // The last act opens one step before its answer: the type that was asked about is chosen now.
    if (this.act.id === "quantize") this.act.store.set({ cache: predict_next_type(this.act.store.state) }, this);
    this.question = this.present();
    this.place.replaceChildren(part("b", { textContent: question.question }), this.status);
    this.place.dataset.answered = "";
    this.say(text);
    if (verdict) this.told({ question, verdict });
  }

  /** Lifts the veil; the act's own task stands where the question stood. */
  end() {
    const focused = this.form.contains(document.activeElement) || this.form.contains(this.form.getRootNode().activeElement);
    this.form.remove();
    delete this.act.root.dataset.asking;
    this.veil(false);
    this.eager = false;
    this.rest();
    if (focused) {
      this.place.tabIndex = -1;
      this.place.focus({ preventScroll: true });
    }
  }

  rest() {
    delete this.place.dataset.answered;
    this.status.textContent = "";
    this.place.replaceChildren(...this.task, this.status);
    this.question = this.present();
  }

  /** Hides from eyes (the style sheet does) and from screen readers, or shows, what gives the answer away. */
  veil(on) {
    const veiled = VEILED[this.act.id].flatMap((selector) => [...this.act.root.querySelectorAll(selector)]);
    for (const element of [...veiled, this.act.root.querySelector("[data-sentence]")]) {
      element.toggleAttribute("data-veil", on);
      if (on) element.setAttribute("aria-hidden", "true");
      else element.removeAttribute("aria-hidden");
    }
    this.act.root.style.setProperty("--veil-from", `${100 * this.weightsEnd()}%`);
  }

  /** Where in the memory picture the weights end: only what comes after is veiled. */
  weightsEnd() {
    if (!this.act.root.querySelector("[data-plot='wall:memory'], [data-plot='quantize:users']")) return 0;
    const { sources, ranges } = this.act.frame();
    const range = ranges["memory-x"];
    return range && sources.parts ? Math.min(1, Math.max(...sources.parts.right.slice(0, 2)) / range.end) : 0;
  }
}
