// The page inside a learning platform: SCORM 1.2's API carries completion, score and answers. Without one: nothing.
import { showFaults } from "./link.js";
import { memory } from "./page.js";

const LMS_ANSWERS = "kv-cache:quiz";
/** What SCORM 1.2 lets suspend_data hold, in characters. */
const LMS_LONGEST = 4096;
/** A package's frame may be nested; this many parents are looked at. */
const LMS_DEEPEST = 20;

/** The API object in a window or one that holds it, or null. Windows of another origin cannot be looked into. */
function apiAbove(start) {
  let place = start;
  for (let depth = 0; place && depth <= LMS_DEEPEST; depth += 1) {
    try { if (place.API) return place.API; } catch { /* another origin: a parent further up may still be ours */ }
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

/** One learner's attempt. A platform that fails in one call is asked again in the next: the page never depends on it. */
class Attempt {
  constructor(api) {
    this.api = api;
    this.started = Date.now();
    this.open = this.call("LMSInitialize", "") === "true";
    if (!this.open) return;
    const score = this.get("cmi.core.score.raw");
    this.best = score === "" ? null : Number(score);
    this.status = this.get("cmi.core.lesson_status");
    this.mastery = this.get("cmi.student_data.mastery_score");
    this.counts = !["browse", "review"].includes(this.get("cmi.core.lesson_mode"));
    this.answers = this.get("cmi.suspend_data") || null;
    if (!this.counts) return;
    if (["", "not attempted", "unknown"].includes(this.status)) this.setStatus("incomplete");
    this.set("cmi.core.exit", "suspend"); // or the platform may drop the answers
    this.call("LMSCommit", "");
  }

  call(name, ...values) {
    try { return String(this.api[name](...values)); } catch { return ""; }
  }

  get(element) {
    const value = this.call("LMSGetValue", element);
    return value === "null" || value === "undefined" ? "" : value;
  }

  set(element, value) {
    this.call("LMSSetValue", element, String(value));
  }

  setStatus(status) {
    this.status = status;
    this.set("cmi.core.lesson_status", status);
  }

  keep(text) {
    this.answers = text;
    if (!this.open || !this.counts || text.length > LMS_LONGEST) return;
    this.set("cmi.suspend_data", text);
  }

  /** The best result counts: who has passed can go on trying things out. */
  report({ correct, total, done }) {
    if (!this.open || !this.counts) return;
    const score = Math.round((100 * correct) / total);
    // A platform with a mastery score judges by any score it has, so it gets none from a quiz half done.
    const tells = done || this.mastery === "";
    if (tells && (this.best === null || score > this.best)) this.setScore(score);
    if (done) this.finishStatus();
    this.call("LMSCommit", "");
  }

  setScore(score) {
    this.best = score;
    this.set("cmi.core.score.min", 0);
    this.set("cmi.core.score.max", 100);
    this.set("cmi.core.score.raw", score);
  }

  finishStatus() {
    const passing = this.mastery === "" ? NaN : Number(this.mastery);
    const status = Number.isNaN(passing) ? "completed" : this.best >= passing ? "passed" : "failed";
    if (this.status !== "passed" && this.status !== status) this.setStatus(status);
  }

  leave() {
    if (!this.open) return;
    if (this.counts) {
      this.set("cmi.core.session_time", timespan(Date.now() - this.started));
      this.set("cmi.core.exit", "suspend");
      this.call("LMSCommit", "");
    }
    this.open = false;
    this.call("LMSFinish", "");
  }
}

/** The answers of this learner's attempt instead of whatever this browser remembers. */
function keepInPlatform(attempt) {
  const { read, write } = memory;
  memory.read = (key) => (key === LMS_ANSWERS ? attempt.answers : read(key));
  memory.write = (key, value) => (key === LMS_ANSWERS ? attempt.keep(value) : write(key, value));
}

const lms = findApi();
const attempt = lms && new Attempt(lms);
if (attempt?.open) {
  keepInPlatform(attempt);
  document.addEventListener("kv-cache:quiz", ({ detail }) => attempt.report(detail));
  addEventListener("pagehide", () => attempt.leave());
  addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); }); // the attempt is over
  // The address is the platform's, and so is the frame.
  showFaults([]);
  for (const foot of document.querySelectorAll("[data-share]")) foot.remove();
  for (const link of document.querySelectorAll("a[href^='http']")) link.target = "_blank";
}
