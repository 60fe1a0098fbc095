// The small decoder at work: the words under Growth's picture, and what a reader tries with it.
import { SmallDecoder, decoderWeights } from "./decoder.js";
import { pause, wordsFault, wordsOf } from "./store.js";

let loading = null;
/** How weights are asked for where they are neither in the document nor beside it: of Python. */
let askForWeights = null;

/** Lets the decoder ask Python for its weights through a component's messages. */
export function askThrough(model) {
  askForWeights ??= () => new Promise((done) => {
    model.on("msg:custom", ({ decoder }) => { if (decoder) done(decoder); });
    model.send_msg("weights");
  });
}

/** The decoder, its weights read at first need; rejects where this form of the page has none. */
export function smallDecoder() {
  loading ??= weightsText().then((text) => {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    return new SmallDecoder(DECODER.config, decoderWeights(DECODER.config, bytes), quantize_round_block);
  });
  loading.catch(() => { loading = null; });
  return loading;
}

/** The weights in base 64: in the document, in a script beside it, or from Python. */
function weightsText() {
  const holder = document.getElementById("decoder-weights");
  if (holder && !holder.dataset.src) return Promise.resolve(holder.textContent);
  if (!holder) return askForWeights ? askForWeights() : Promise.reject(new Error("no weights here"));
  return new Promise((done, fail) => {
    globalThis.kvCacheWeights = done;
    const script = Object.assign(document.createElement("script"), { src: holder.dataset.src, onerror: fail });
    document.head.append(script);
  });
}

/** Ids of a text's words, after the mark of the start. */
function idsOf(text) {
  return [0, ...wordsOf(text).map((word) => DECODER.vocabulary.indexOf(word))];
}

/** The mean over the last layer's heads of what the newest query looks at. */
function lookedAt(attention) {
  const heads = attention.at(-1);
  return Array.from(heads[0], (_, token) => heads.reduce((sum, head) => sum + head[token], 0) / heads.length);
}

/** What acts/decoder/written.py says of a text, and each step's attention of every layer and head. */
function readText(decoder, text) {
  const ids = idsOf(text);
  const steps = [...decoder.generate(ids, Math.max(1, DECODER.shown - ids.length), { keysType: DECODER.types.bf16, valuesType: DECODER.types.bf16 })];
  const words = [...ids, ...steps.map((step) => step.id)].map((id) => DECODER.vocabulary[id]);
  return {
    text, prompt: ids.length, words,
    reads: steps.map((step) => lookedAt(step.attention)),
    attention: steps.map((step) => step.attention),
  };
}

/** Runs a text with or without a cache, a word at a time, and tells `show` how far it is. */
async function timeRun(decoder, text, words, useCache, show) {
  let seconds = 0;
  let last = null;
  const steps = decoder.generate(idsOf(text), words, { useCache });
  const written = [];
  for (;;) {
    const started = performance.now();
    const { value, done } = steps.next();
    seconds += (performance.now() - started) / 1000;
    if (done) return { ...last, seconds, words: written };
    last = value;
    written.push(DECODER.vocabulary[value.id]);
    show({ ...value, seconds, words: written });
    await pause(); // the page may paint
  }
}

/** Lets the browser compile the decoder's code before anything is timed. */
function warmUp(decoder) {
  if (decoder.warm) return;
  decoder.warm = [...decoder.generate(idsOf(DECODER.written.text), 4, { useCache: false })].length > 0;
}

/** Growth's own text: chosen or typed, read by the decoder, run with and without a cache, seen head by head. */
export function bindLive(root, store) {
  const box = root.querySelector("[data-live]");
  if (!box) return;
  const field = box.querySelector("[data-live-text]");
  const fault = box.querySelector("[data-live-fault]");
  const find = (name) => box.querySelector(`[data-live-${name}]`);
  field.value = store.state.text;

  const refuse = (text) => {
    fault.hidden = text === "";
    fault.textContent = text;
    field.setAttribute("aria-invalid", String(text !== ""));
    return text !== "";
  };

  async function read() {
    const { text } = store.state;
    if (store.state.live.text === text && store.state.live.attention) return;
    try {
      const decoder = await smallDecoder();
      if (store.state.text === text) store.show(readText(decoder, text));
    } catch {
      refuse("The small model's weights cannot be had here, so its words stay those of the first text.");
    }
  }

  function take(text) {
    if (refuse(wordsFault(text))) {
      find("words").open = true; // the list is the way out
      return;
    }
    const words = wordsOf(text);
    store.set({ text: words.join(" "), prompt: words.length + 1 }, box);
  }

  async function run(useCache) {
    const side = useCache ? "with" : "without";
    const cells = (name) => find(`${name}-${side}`);
    try {
      const decoder = await smallDecoder();
      warmUp(decoder);
      const done = await timeRun(decoder, store.state.text, DECODER.run, useCache, ({ passes, multiplyAdds }) => {
        cells("passes").textContent = text_whole(passes);
        cells("work").textContent = text_amount(multiplyAdds / 1e6) + " million";
      });
      cells("time").textContent = text_amount(done.seconds * 1000) + " ms";
      runs[side] = done;
    } catch {
      refuse("The small model's weights cannot be had here.");
    }
    tell();
  }

  const runs = {};
  function tell() {
    const { with: cached, without } = runs;
    if (!cached || !without) return;
    const same = cached.words.join(" ") === without.words.join(" ");
    find("result").textContent = `${same ? "The same words both times" : "Other words"}: “${cached.words.join(" ")}”. Without the cache `
      + `${text_amount(without.multiplyAdds / cached.multiplyAdds)} times the multiply-adds, and in this browser ${text_amount(without.seconds / cached.seconds)} times as long.`;
  }

  box.addEventListener("click", (event) => {
    const { try: sample, run: which } = event.target.closest("[data-try],[data-run]")?.dataset ?? {};
    if (sample !== undefined) {
      field.value = sample;
      take(sample);
    }
    if (which) run(which === "with");
  });
  field.addEventListener("change", () => take(field.value));
  box.addEventListener("toggle", () => { if (box.open) read(); });
  store.listen((state, changed) => {
    if (changed.includes("text")) {
      if (document.activeElement !== field) field.value = state.text;
      refuse("");
      read();
    }
    if (box.open && ["live", "step", "text"].some((key) => changed.includes(key))) showHeads(find("heads"), state);
  });
  if (store.state.text !== store.state.live.text) read();
}

/** What the chosen cache type does to the small decoder's words: the same, or where they part, and how far the logits move. */
export function bindRounded(root, store) {
  const box = root.querySelector("[data-rounded]");
  if (!box) return;
  const find = (name) => box.querySelector(`[data-rounded-${name}]`);
  const text = () => store.state.text ?? DECODER.written.text;
  const clear = () => {
    find("text").textContent = text();
    find("result").textContent = "";
  };
  async function run() {
    try {
      const decoder = await smallDecoder();
      const part = find("part").value;
      const plain = DECODER.types.bf16;
      const kind = DECODER.types[store.state.cache];
      const words = (keysType, valuesType) => [...decoder.generate(idsOf(text()), DECODER.run, { keysType, valuesType })];
      find("result").textContent = compareRuns(
        words(plain, plain),
        words(part === "values" ? plain : kind, part === "keys" ? plain : kind),
        store.catalog.caches[store.state.cache].name,
      );
    } catch {
      find("result").textContent = "The small model's weights cannot be had here.";
    }
  }
  find("run").addEventListener("click", run);
  find("part").addEventListener("change", clear);
  store.listen((state, changed) => { if (changed.includes("text") || changed.includes("cache")) clear(); });
  clear();
}

/** Two runs of the decoder in words, the second one's cache rounded as `name` does. */
function compareRuns(plain, rounded, name) {
  const wordsOfRun = (steps) => steps.map((step) => DECODER.vocabulary[step.id]);
  const [before, after] = [wordsOfRun(plain), wordsOfRun(rounded)];
  const parted = before.findIndex((word, at) => word !== after[at]);
  const same = parted < 0 ? plain.length : parted;
  let far = 0;
  for (let at = 0; at <= Math.min(same, plain.length - 1); at++) {
    plain[at].logits.forEach((value, word) => { far = Math.max(far, Math.abs(value - rounded[at].logits[word])); });
  }
  const fate = parted < 0
    ? `the same ${before.length} words as with 16 bits: “${after.join(" ")}”`
    : `“${after.join(" ")}”, where 16 bits give “${before.join(" ")}”: they part at word ${parted + 1}`;
  return `${name}: ${fate}. The logits move by at most ${text_amount(far)}.`;
}

/** Every layer's and head's attention at the present step, a row each: as dark as it looks there. */
function showHeads(place, { live, step, prompt }) {
  const at = Math.max(0, step - 1);
  const layers = live.attention?.[at];
  if (!layers || live.prompt !== prompt) return place.replaceChildren();
  const words = live.words.slice(0, layers[0][0].length);
  const head = document.createElement("tr");
  head.append(cell("th", ""), ...words.map((word) => cell("th", word)));
  const rows = layers.flatMap((heads, layer) => heads.map((shares, number) => {
    const row = document.createElement("tr");
    const squares = Array.from(shares, (share, token) => {
      const square = cell("td", "");
      square.style.setProperty("--share", share.toFixed(3));
      square.title = `${words[token]}: ${text_amount(share * 100)}%`;
      return square;
    });
    row.append(cell("th", `layer ${layer + 1}, head ${number + 1}`), ...squares);
    return row;
  }));
  place.replaceChildren(head, ...rows);
}

function cell(kind, text) {
  return Object.assign(document.createElement(kind), { textContent: text });
}
