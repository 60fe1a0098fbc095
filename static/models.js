// A model of one's own: a config.json or GGUF file read by the compiled reader, shown, and put into the catalog.
import { isGguf, readGgufFile } from "./gguf.js";
import { store } from "./page.js";
import { startPart } from "./start.js";
import { afterPaint } from "./store.js";
import { LARGEST_TEXT, bindText, listOf, say, tableRow, writeTexts } from "./yours.js";

const BILLION = 1e9;
const TOO_DEEP = "The file is nested too deep or too large for a config; paste config.json itself.";
const TOO_LARGE = "This is larger than 1 MB, and no model’s config.json is; choose another file.";
/** What stands for NaN between two passes over a text; no config has it. */
const NOT_A_NUMBER = "kv-cache:NaN";
const FIXED = "The model is set by the page that shows this figure.";

/** What a text says of a model: a reading, or the sentence that refuses it. */
export function readConfigText(text, stateType = "", indexerType = "") {
  if (text.trim() === "") return { error: "Paste the text of a config.json first." };
  if (text.length > LARGEST_TEXT) return { error: TOO_LARGE };
  if (prints_gguf(text)) return usable(read_gguf_log(text));
  const plain = text.replace(/^\uFEFF/, "");
  let config = null;
  try {
    config = parseJson(plain);
  } catch {
    return { error: text_fault(plain) || TOO_DEEP };
  }
  return usable(read_shape(config, stateType, indexerType));
}

/** JSON as Python reads and writes it: NaN, Infinity and -Infinity may stand where a number may. */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    const numbers = { NaN: `"${NOT_A_NUMBER}"`, Infinity: "1e999", "-Infinity": "-1e999" };
    const words = /"(?:\\.|[^"\\])*"|-?\bInfinity\b|\bNaN\b/g;
    const marked = text.replace(words, (word) => numbers[word] ?? word);
    return JSON.parse(marked, (key, value) => (value === NOT_A_NUMBER ? NaN : value));
  }
}

/** A reading that the page can take, or the sentence that refuses it. */
export function usable(reading) {
  if (reading.error) return { error: reading.error };
  const fault = own_fault(own_with_parameters(reading.shape, reading.shape.parameters || 1), reading.max_context);
  return fault ? { error: fault } : reading;
}

class OwnModel {
  constructor(root) {
    this.root = root;
    this.fields = Object.fromEntries([...root.querySelectorAll("[name]")].map((field) => [field.name, field]));
    this.reading = null; // the file shown, as long as the shape in force is its own
    this.text = ""; // the config that the reading is of
    this.shape = ""; // the text of the shape in force, as far as shown
    this.pending = false; // whether the file shown still lacks its number of parameters
    this.weighed = 0; // GiB of weights that a file gave and this set
    this.refused = false; // whether the last text was refused, so that no figures may stand below
    bindText(root, (text) => this.read(text), (file) => this.readFile(file));
    for (const name of ["name", "parameters"]) {
      this.fields[name].addEventListener("change", () => this.adopt());
    }
    for (const name of ["state", "indexer"]) this.fields[name].addEventListener("change", () => this.retype());
    root.querySelector("[data-action=remove]").addEventListener("click", () => this.remove());
    store.listen(afterPaint(() => this.follow()));
    this.follow();
  }

  async readFile(file) {
    try {
      if (await isGguf(file)) this.take(usable(await readGgufFile(file)));
      else if (file.size > LARGEST_TEXT) this.refuse(TOO_LARGE);
      else this.read(await file.text());
    } catch {
      this.refuse("The file cannot be read; choose it again.");
    }
  }

  /** A new text brings its own types of recurrent states and of an indexer's keys. */
  read(text) {
    this.text = text;
    this.fields.state.value = "";
    this.fields.indexer.value = "";
    this.take(readConfigText(text));
  }

  /** The same text with the types chosen; the name and the parameters entered stay. */
  retype() {
    this.reading = readConfigText(this.text, this.fields.state.value, this.fields.indexer.value);
    this.adopt(this.reading);
  }

  /** Says why a text was refused. Figures of an earlier model would pass for its own, so they go. */
  refuse(error) {
    this.refused = true;
    this.pending = false;
    this.show(null);
    const model = store.state.shape ? store.catalog.models[OWN_MODEL] : null;
    say(this.root, { error, status: model ? `${model.name} stays in the lists of models.` : "" });
  }

  /** Shows a reading and puts its model into the catalog. */
  take(reading) {
    if (reading.error) {
      this.refuse(reading.error);
      return;
    }
    this.refused = false;
    this.reading = reading;
    this.fields.name.value = own_title(reading);
    const { parameters } = reading.shape;
    this.fields.parameters.value = parameters ? String(Number((parameters / BILLION).toFixed(3))) : "";
    this.fields.parameters.dataset.exact = parameters ? String(parameters) : "";
    this.adopt(reading);
  }

  /** The number of parameters: the file's own to the last one until the field is changed; 0 if unknown, NaN if wrong. */
  parameters() {
    const { value, dataset, validity } = this.fields.parameters;
    if (dataset.exact && Number(value) === Number((Number(dataset.exact) / BILLION).toFixed(3))) return Number(dataset.exact);
    if (validity.badInput) return NaN;
    if (value.trim() === "") return 0;
    const parameters = Math.round(Number(value) * BILLION);
    const [low, high] = OWN_BOUNDS.parameters;
    return parameters >= low && parameters <= high ? parameters : NaN;
  }

  /** Puts the model shown into the catalog and chooses it, or says what is missing. */
  adopt(declared = {}) {
    const source = this.reading ?? store.catalog.models[OWN_MODEL];
    if (!source) return;
    const parameters = this.parameters();
    this.fields.parameters.setAttribute("aria-invalid", String(Number.isNaN(parameters)));
    if (Number.isNaN(parameters)) {
      say(this.root, { error: "Give the number of parameters in billions, for example 8.03." });
      return;
    }
    if (parameters === 0) {
      this.pending = Boolean(this.reading);
      this.show(source.shape);
      say(this.root, { status: yours_unknown() });
      return;
    }
    const shape = own_with_parameters(source.shape, parameters);
    const text = own_text(this.fields.name.value, shape, source.max_context);
    const refused = store.set({ shape: text, model: OWN_MODEL }, this);
    if (refused.length) {
      say(this.root, { error: FIXED });
      return;
    }
    this.shape = text;
    this.pending = false;
    const cache = this.choose("cache", store.catalog.caches, declared.cache);
    const weights = this.choose("weights", store.catalog.weights, declared.weights);
    if (declared.shape) this.weigh(declared.weights_bytes / GIB);
    this.show(shape);
    const { name } = store.catalog.models[OWN_MODEL];
    this.fields.name.value = name;
    say(this.root, { status: yours_joined(name, shape, cache, weights) });
  }

  /** Takes the weights as large as the file says, in GiB with the decimals a link has; 0 where it does not say. */
  weigh(size) {
    this.weighed = Number(size.toFixed(6));
    store.set({ weights_gib: this.weighed }, this);
  }

  /** Chooses the type that a file declares; its name, or nothing if it declares none that is on offer. */
  choose(key, types, id) {
    return id && Object.hasOwn(types, id) && !store.set({ [key]: id }, this).length ? types[id].name : "";
  }

  remove() {
    store.set({ shape: "" }, this);
    this.reading = null;
    this.pending = false;
    this.refused = false;
    this.fields.text.value = "";
    this.follow();
    say(this.root, { status: "The model is out of the lists again." });
    this.fields.text.focus();
  }

  /** Shows what the store holds: a link, a host or the browser's history may have brought another model. */
  follow() {
    const { shape } = store.state;
    this.root.querySelector("[data-action=remove]").hidden = !shape;
    // Another model's weights are not those of the file.
    if (this.weighed && store.state.model !== OWN_MODEL) {
      if (store.state.weights_gib === this.weighed) this.weigh(0);
      this.weighed = 0;
    }
    if (this.refused && shape === this.shape) return;
    if (this.pending) {
      this.show(this.reading.shape);
      return;
    }
    this.refused = false;
    if (shape && shape !== this.shape) {
      const model = store.catalog.models[OWN_MODEL];
      this.reading = null;
      this.fields.name.value = model.name;
      this.fields.parameters.value = String(Number((model.shape.parameters / BILLION).toFixed(3)));
      this.fields.parameters.dataset.exact = String(model.shape.parameters);
      say(this.root, { status: `${model.name} is in the lists of models.` });
    }
    this.shape = shape;
    this.show(shape ? store.catalog.models[OWN_MODEL].shape : null);
  }

  show(shape) {
    for (const part of this.root.querySelectorAll("[data-result]")) part.hidden = !shape;
    if (!shape) return;
    writeTexts(this.root, yours_sizes(shape, store.state, store.catalog));
    const rows = this.reading ? yours_rows(this.reading) : [];
    const fields = this.root.querySelector("[data-fields]");
    fields.hidden = !rows.length;
    fields.querySelector("tbody").replaceChildren(...rows.map((row) => tableRow(row)));
    const notes = this.root.querySelector("[data-notes]");
    notes.replaceChildren(...listOf(this.reading?.notes ?? []));
    notes.hidden = !notes.childElementCount;
    this.root.querySelector("[data-state-type]").hidden = !this.reading?.state_type;
    this.root.querySelector("[data-indexer-type]").hidden = !this.reading?.indexer_type;
    const estimated = this.reading?.shape.parameters && !this.reading.weights_bytes;
    this.root.querySelector("[data-parameters-hint]").textContent = estimated
      ? "Estimated from the file’s dimensions; correct it if you know better."
      : "";
  }
}

const ownRoot = document.querySelector("[data-yours=model]");
export const ownModel = ownRoot ? startPart(ownRoot, () => new OwnModel(ownRoot)) : null;
