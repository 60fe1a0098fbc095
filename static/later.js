// Work that need not be done at once: pieces of the start, and scripts that wait in the document or lie beside it.

/** Runs the script that `holder` keeps or names; rejects if it cannot be had. */
export function runLater(holder) {
  return new Promise((done, fail) => {
    const script = document.createElement("script");
    const address = holder?.dataset.src;
    script.addEventListener("load", done);
    script.addEventListener("error", () => {
      script.remove();
      fail(new Error("the script cannot be had"));
    });
    if (address) script.src = address;
    else script.textContent = holder?.textContent ?? "";
    document.head.append(script);
    if (!address) done();
  });
}

let last = Promise.resolve();

/** Runs pieces of work one after another, each in a task of its own, so that a hand is never held up by all of them. */
export function soon(work) {
  last = last.then(() => new Promise((done) => {
    setTimeout(() => {
      try { work(); } finally { done(); }
    });
  }));
  return last;
}

/** Resolves once nothing is left of what was to be done soon. */
export async function allDone() {
  for (let seen = null; seen !== last;) {
    seen = last;
    await seen;
  }
}
