// Scripts that run when they are needed: their text waits in the document, or they lie beside it.

/** Runs the script that `holder` keeps or names; rejects if it cannot be had. */
export function runLater(holder) {
  return new Promise((done, fail) => {
    const script = document.createElement("script");
    const address = holder?.href ?? holder?.dataset.src;
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
