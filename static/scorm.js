// The page inside a learning platform: SCORM 1.2's API carries completion, score and answers. Without one: nothing.
import { soon } from "./later.js";
import { showFaults } from "./link.js";
import { memory, ownKey } from "./page.js";
import { startPart } from "./start.js";

/** What SCORM 1.2 lets suspend_data hold, in characters. */
const LMS_LONGEST = 4096;
/** A package's frame may be nested; this many parents are looked at. */
const LMS_DEEPEST = 20;
/** SCORM 1.2's word for a call that cannot be: also for an attempt that is open already. */
const LMS_GENERAL = "101";
/** Errors that come again however often one asks: what a platform does not have, or lets nobody write. */
const LMS_FINAL = ["201", "202", "203", "401", "402", "403", "404", "405"];
/** What every platform has to take: without it the learner's work is lost. */
const LMS_NEEDED = ["cmi.core.lesson_status", "cmi.core.score.raw", "cmi.suspend_data"];
/** Seconds until what was refused is tried again; the last one goes on. */
const LMS_PAUSES = [2, 5, 15, 60];
/** What the page remembers by itself, and under which name the platform does. */
const LMS_KEPT = { [ownKey("quiz")]: "quiz", [ownKey("predictions")]: "guesses" };

/** What a status says of a visit that has no result yet. */
const LMS_BEGUN = ["", "not attempted", "unknown", "incomplete"];
const LMS_WINDOW = ownKey("visit");
const LMS_STATUSES = ["passed", "completed", "failed", "incomplete", "browsed"];

const LMS_WORDS = {
  refused: "Your learning platform does not answer, so nothing is recorded yet. It is asked again; your answers stay on this page meanwhile.",
  unsaved: "Your learning platform did not take your latest results. They stay on this page and are sent again; leave it open until they are taken.",
  over: "Your learning platform has ended this visit, so nothing more is recorded. Close the course and open it again to go on.",
  saved: "Your learning platform has taken your results.",
};

/** The API object in a window or one that holds it, or null. Windows of another origin cannot be looked into. */
function apiAbove(start) {
  let place = start;
  for (let depth = 0; place && depth <= LMS_DEEPEST; depth += 1) {
    try { if (place.API?.LMSInitialize) return place.API; } catch { /* another origin: a parent further up may still be ours */ }
    if (place.parent === place) break;
    place = place.parent;
  }
  return null;
}

/** The API where SCORM 1.2 puts it: in a parent, else in the window that opened this one, or in a parent of that. */
function findApi() {
  let found = apiAbove(window);
  for (const opened of [window, window.top]) {
    try { found ??= opened.opener ? apiAbove(opened.opener) : null; } catch { /* another origin */ }
  }
  return found;
}

/** Milliseconds as CMITimespan, HHHH:MM:SS.SS. */
export function timespan(milliseconds) {
  const hundredths = Math.min(Math.floor(milliseconds / 10), 9999 * 360000);
  const two = (number) => String(number).padStart(2, "0");
  const seconds = Math.floor(hundredths / 100);
  return `${String(Math.floor(seconds / 3600)).padStart(4, "0")}:${two(Math.floor(seconds / 60) % 60)}`
    + `:${two(seconds % 60)}.${two(hundredths % 100)}`;
}

/** What suspend_data's text holds: the quiz, the guesses, and what was noted beside them; nothing that is damaged. */
function suspended(text) {
  let kept = null;
  try { kept = JSON.parse(text); } catch { /* none, or damaged */ }
  // A package of an earlier version kept the quiz alone.
  const { quiz, guesses, noted } = kept?.entries ? { quiz: kept } : Object(kept);
  const { best, status, count, saves } = Object(noted);
  const whole = (value) => (Number.isInteger(value) && value >= 0 ? value : undefined);
  return { quiz, guesses, noted: {
    best: whole(best), status: LMS_STATUSES.includes(status) ? status : undefined, count: whole(count), saves: whole(saves),
  } };
}

/** An answer to a question as SCORM 1.2 records an interaction; `counts` says whether it is part of the score. */
function interaction(id, { kind, guess, answer, right }, counts) {
  const written = (value) => (kind === "choice" ? "abcdefgh"[value] : String(value));
  return {
    id,
    time: new Date().toTimeString().slice(0, 8),
    type: kind === "choice" ? "choice" : "numeric",
    weighting: counts ? "1" : "0",
    "correct_responses.0.pattern": written(answer),
    student_response: written(guess),
    result: right ? "correct" : "wrong",
  };
}

/** The line that says what the platform refuses, with a button that asks it again; nothing shows as long as all is well. */
class LmsNote {
  constructor(retry) {
    this.state = null;
    this.place = document.createElement("aside");
    this.place.className = "link-note";
    this.place.dataset.lmsNote = "";
    this.place.setAttribute("aria-label", "Your learning platform");
    this.words = document.createElement("p");
    this.words.setAttribute("role", "status");
    this.button = Object.assign(document.createElement("button"), { type: "button", className: "quiet" });
    this.button.addEventListener("click", () => {
      if (this.state === "refused" || this.state === "unsaved") retry();
      else this.show(null);
    });
    this.place.append(this.words, this.button);
    document.body.append(this.place);
  }

  show(state) {
    if (state === this.state) return;
    this.state = state;
    this.words.textContent = state ? LMS_WORDS[state] : "";
    this.button.textContent = state === "refused" || state === "unsaved" ? "Try again now" : "Dismiss";
    this.place.toggleAttribute("data-shown", Boolean(state));
  }
}

/**
 * One learner's attempt. What is to be recorded waits here until the platform has taken it: a platform that fails in
 * one call is asked again, and the page never depends on it.
 */
class Attempt {
  constructor(api) {
    this.api = api;
    this.started = Date.now();
    this.waiting = new Map();
    this.told = []; // interactions that the platform has not taken yet
    this.tells = true;
    this.kept = {};
    this.written = "";
    this.saves = 0;
    this.result = null;
    this.tries = 0;
    this.open = false;
    this.note = new LmsNote(() => this.save());
    this.save();
  }

  call(name, ...values) {
    try { return String(this.api[name](...values)); } catch { return ""; }
  }

  error() {
    return this.call("LMSGetLastError");
  }

  /** An element's value; "" where the platform has none. */
  get(element) {
    const value = this.call("LMSGetValue", element);
    return value === "null" || value === "undefined" ? "" : value;
  }

  /** Opens the conversation. Whoever opened it before, a wrapper of the platform or this page, has left it open. */
  begin() {
    if (this.call("LMSInitialize", "") !== "true") {
      this.over = this.error() === LMS_GENERAL;
      if (!this.over) return;
      this.get("cmi.core.lesson_status");
      if (this.error() !== "0") return;
      this.over = false;
    }
    this.open = true;
    const noted = this.takeKept();
    const scores = [this.get("cmi.core.score.raw"), noted.best ?? ""].filter((score) => score !== "" && !Number.isNaN(Number(score)));
    this.best = scores.length ? Math.max(...scores) : null;
    const status = this.get("cmi.core.lesson_status");
    this.status = LMS_BEGUN.includes(status) ? noted.status ?? status : status;
    this.mastery = this.get("cmi.student_data.mastery_score");
    this.counts = !["browse", "review"].includes(this.get("cmi.core.lesson_mode"));
    if (!this.counts) return;
    this.count = Number(this.get("cmi.interactions._count") || noted.count) || 0;
    if (noted.ahead) {
      if (this.best !== null) this.setScore(this.best);
      this.setStatus(this.status);
    }
    if (["", "not attempted", "unknown"].includes(this.status)) this.setStatus("incomplete");
    this.waiting.set("cmi.core.exit", "suspend"); // or the platform may drop the answers
    if (this.result) this.judge();
  }

  /**
   * What the platform remembers of this learner, unless something was answered here while it was silent. Returns what
   * was noted beside it, for platforms that take a score and a status and do not give them back.
   */
  takeKept() {
    const theirs = suspended(this.get("cmi.suspend_data"));
    const ours = suspended(this.readWindow());
    const ahead = (ours.noted.saves ?? 0) > (theirs.noted.saves ?? 0);
    const { quiz, guesses, noted } = ahead ? ours : theirs;
    if (!this.result?.answered) {
      this.kept = { quiz, guesses };
      document.dispatchEvent(new CustomEvent("kv-cache:resume"));
    }
    this.saves = noted.saves ?? 0;
    return { ...noted, ahead };
  }

  /**
   * What this window itself holds of this learner's visit: a platform may answer a page that is loaded again with what
   * it had when the visit began.
   */
  readWindow() {
    const learner = this.get("cmi.core.student_id");
    let held = null;
    try { held = JSON.parse(sessionStorage.getItem(LMS_WINDOW)); } catch { /* no storage, none, or damaged */ }
    return learner !== "" && held?.learner === learner ? String(held.text) : "";
  }

  writeWindow(text) {
    const held = JSON.stringify({ learner: this.get("cmi.core.student_id"), text });
    try { sessionStorage.setItem(LMS_WINDOW, held); } catch { /* no storage */ }
  }

  read(name) {
    return name in this.kept ? JSON.stringify(this.kept[name] ?? null) : null;
  }

  /** Remembers in the platform, with what is saved next. */
  keep(name, text) {
    this.kept = { ...this.kept, [name]: JSON.parse(text) };
  }

  /** What is to be remembered, as one text; guesses give way if there is no room for all. */
  suspendData() {
    const { quiz, guesses } = this.kept;
    if (!quiz && !guesses) return "";
    const noted = { best: this.best, status: this.status, count: this.count, saves: this.saves };
    const texts = [{ quiz, guesses, noted }, { quiz, noted }].map((kept) => JSON.stringify(kept));
    return texts.find((one) => one.length <= LMS_LONGEST) ?? "";
  }

  writeKept() {
    if (this.suspendData() === this.written) return true;
    this.saves += 1;
    const text = this.suspendData();
    this.writeWindow(text);
    if (!this.put("cmi.suspend_data", text)) return false;
    this.written = text;
    return true;
  }

  setStatus(status) {
    this.status = status;
    this.waiting.set("cmi.core.lesson_status", status);
  }

  report(result) {
    this.result = result;
    if (this.open) this.judge();
    this.save();
  }

  /** The best result counts: who has passed can go on trying things out. */
  judge() {
    const { correct, total, done } = this.result;
    const score = Math.round((100 * correct) / total);
    // A platform with a mastery score judges by any score it has, so it gets none from a quiz half done.
    const tells = done || this.mastery === "";
    if (tells && (this.best === null || score > this.best)) this.setScore(score);
    if (done) this.finishStatus();
  }

  setScore(score) {
    this.best = score;
    this.waiting.set("cmi.core.score.min", 0);
    this.waiting.set("cmi.core.score.max", 100);
    this.waiting.set("cmi.core.score.raw", score);
  }

  finishStatus() {
    const passing = this.mastery === "" ? NaN : Number(this.mastery);
    const status = Number.isNaN(passing) ? "completed" : this.best >= passing ? "passed" : "failed";
    if (this.status !== "passed" && this.status !== status) this.setStatus(status);
  }

  /** Writes one element; whether that is settled: taken, or refused for good where the platform may go without. */
  put(element, value) {
    if (this.call("LMSSetValue", element, String(value)) === "true") return true;
    return LMS_FINAL.includes(this.error()) && !LMS_NEEDED.includes(element);
  }

  /** Writes what was answered. Interactions are optional in SCORM 1.2: a platform without them gets none. */
  writeTold() {
    while (this.told.length && this.tells) {
      const [{ id, ...fields }] = this.told;
      const place = `cmi.interactions.${this.count}`;
      if (this.call("LMSSetValue", `${place}.id`, id) !== "true") {
        if (!LMS_FINAL.includes(this.error())) return;
        this.tells = false;
        break;
      }
      for (const [field, value] of Object.entries(fields)) this.call("LMSSetValue", `${place}.${field}`, value);
      this.count += 1;
      this.told.shift();
    }
    if (!this.tells) this.told = [];
  }

  /** Has everything recorded that waits. What is refused is said to the learner and tried again. */
  save() {
    clearTimeout(this.timer);
    if (!this.open) this.begin();
    if (!this.open) {
      this.say(this.over ? "over" : "refused");
      return;
    }
    if (!this.counts) {
      this.say(null);
      return;
    }
    for (const [element, value] of [...this.waiting]) if (this.put(element, value)) this.waiting.delete(element);
    this.writeTold();
    const written = this.writeKept() && this.waiting.size === 0 && this.told.length === 0;
    this.say(this.call("LMSCommit", "") === "true" && written ? null : "unsaved");
  }

  say(state) {
    const troubled = state === "refused" || state === "unsaved";
    if (troubled) {
      this.timer = setTimeout(() => this.save(), LMS_PAUSES[Math.min(this.tries, LMS_PAUSES.length - 1)] * 1000);
      this.tries += 1;
    }
    const wasTroubled = this.note.state === "refused" || this.note.state === "unsaved";
    if (!troubled) this.tries = 0;
    if (state) this.note.show(state);
    else if (wasTroubled) this.note.show("saved");
    else if (this.note.state) this.note.show(null);
  }

  leave() {
    clearTimeout(this.timer);
    if (!this.open) return;
    if (this.counts) {
      this.waiting.set("cmi.core.session_time", timespan(Date.now() - this.started));
      this.waiting.set("cmi.core.exit", "suspend");
      this.save();
      clearTimeout(this.timer);
    }
    this.open = false;
    if (this.call("LMSFinish", "") !== "true") this.call("LMSFinish", "");
  }
}

/** What this learner's attempt holds instead of whatever this browser remembers: another learner may sit here next. */
function keepInPlatform(attempt) {
  const { read, write } = memory;
  memory.read = (key) => (LMS_KEPT[key] ? attempt.read(LMS_KEPT[key]) : read(key));
  memory.write = (key, value) => (LMS_KEPT[key] ? attempt.keep(LMS_KEPT[key], value) : write(key, value));
}

function bindPlatform(api) {
  const attempt = new Attempt(api);
  keepInPlatform(attempt);
  document.addEventListener("kv-cache:answer", ({ detail }) => {
    attempt.told.push(interaction(`quiz-${detail.name}-${detail.seed}`, detail, true));
  });
  document.addEventListener("kv-cache:prediction", ({ detail }) => {
    attempt.told.push(interaction(`guess-${detail.act}`, detail, false));
    attempt.save();
  });
  document.addEventListener("kv-cache:quiz", ({ detail }) => attempt.report(detail));
  addEventListener("pagehide", () => attempt.leave());
  addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); }); // the attempt is over
  soon(beGuest);
}

/** Once the page has started: the address is the platform's, and so is the frame. */
function beGuest() {
  showFaults([]);
  for (const foot of document.querySelectorAll("[data-share]")) foot.remove();
  for (const link of document.querySelectorAll("a[href^='http']")) link.target = "_blank";
}

const lms = findApi();
if (lms) startPart(null, () => bindPlatform(lms));
