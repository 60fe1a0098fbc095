// Growth's player: moves the request's step through the store. The frame itself knows no clock.
import { afterPaint } from "./store.js";

// Milliseconds a step stands; a long request takes several steps at once, so that it plays in about as many ticks.
const PACES = { slow: 1300, normal: 600, fast: 220 };
const TICKS = 60;
// With reduced motion Play goes from phase to phase instead, and leaves time to read.
const STILL_PACE = 2000;

export function bindPlayer(root, store) {
  const player = root.querySelector("[data-player]");
  const scrub = player.querySelector("[data-param=step]");
  const play = player.querySelector("[data-do=play]");
  const said = root.querySelector("[data-said]");
  const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
  let timer = null;
  let { generated } = store.state;

  const last = () => store.state.generated + 1; // prefill writes the first token
  const go = (step) => store.set({ step: Math.max(0, Math.min(last(), step)) }, player);

  function stop() {
    clearTimeout(timer);
    timer = null;
    delete root.dataset.playing;
    play.textContent = "Play";
    said.setAttribute("aria-live", "polite");
  }

  function nextStep() {
    const { step } = store.state;
    if (step === 0) return 1;
    if (still?.matches) return step < last() - 1 ? last() - 1 : last();
    const stride = Math.ceil(store.state.generated / TICKS);
    return step < last() - 1 ? Math.min(step + stride, last() - 1) : last();
  }

  function tick() {
    if (!root.isConnected) return stop();
    const step = nextStep();
    // The last step is announced; those on the way are not.
    if (step === last()) stop();
    else wait();
    go(step);
  }

  function wait() {
    timer = setTimeout(tick, still?.matches ? STILL_PACE : PACES[store.state.speed]);
  }

  function start() {
    root.dataset.playing = "";
    play.textContent = "Pause";
    said.setAttribute("aria-live", "off");
    if (store.state.step >= last()) go(0);
    wait();
  }

  const actions = {
    play: () => (timer === null ? start() : stop()),
    back: () => { stop(); go(store.state.step - 1); },
    step: () => { stop(); go(store.state.step + 1); },
    reset: () => { stop(); go(0); },
  };
  // Nothing plays where nobody looks, and Escape stops it.
  root.addEventListener("keydown", (event) => { if (event.key === "Escape" && timer !== null) stop(); });
  new IntersectionObserver((entries) => {
    if (!entries.at(-1).isIntersecting && timer !== null) stop();
  }).observe(root.querySelector("[data-stage]"));
  document.addEventListener("visibilitychange", () => { if (document.hidden && timer !== null) stop(); });
  player.addEventListener("click", (event) => actions[event.target.closest("[data-do]")?.dataset.do]?.());

  /** The slider says the step in words; the act may write them now or after the next paint. */
  const name = () => scrub.setAttribute("aria-valuetext", player.querySelector("[data-text=phase]").textContent);
  const nameLater = afterPaint(name);

  /** Keeps the slider's end and words right, and the step within a request that changed its length. */
  function follow(state, changed, origin) {
    if (changed.includes("step") && origin !== player && timer !== null) stop();
    const released = state.step === generated + 1;
    if (changed.includes("generated") && !changed.includes("step")) {
      if (released) go(last());
      else if (state.step > last() - 1) go(last() - 1);
    }
    generated = state.generated;
    if (scrub.max !== String(last())) scrub.max = String(last());
    if (scrub.value !== String(state.step)) scrub.value = String(state.step);
    name();
    nameLater();
  }
  follow(store.state, [], player);
  return store.listen(follow);
}
