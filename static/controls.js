// Native controls, bound both ways to a store by their data-param attribute.
import { allowedText } from "./store.js";

const knownStops = new Map();

/** A slider's stops, parsed once for each list. */
function stopsOf(input) {
  const text = input.dataset.stops;
  if (!text) return null;
  if (!knownStops.has(text)) knownStops.set(text, JSON.parse(text));
  return knownStops.get(text);
}

/** A value as it is said; not by Intl, whose tables hold a page's start up for longer than all the rest of it. */
const spoken = (value) => (Number.isInteger(value) ? text_whole(value) : String(value));

/** The stop nearest below a value, so that a typed value between two stops still has a place on the slider. */
function stopIndex(stops, value) {
  let index = 0;
  while (index < stops.length - 1 && stops[index + 1] <= value) index += 1;
  return index;
}

function readControl(input) {
  const stops = stopsOf(input);
  if (input.type === "checkbox") return input.checked;
  return stops ? stops[Number(input.value)] : input.value;
}

function writeControl(input, value) {
  const stops = stopsOf(input);
  if (input.type === "checkbox") input.checked = value;
  else if (input.type === "radio") input.checked = input.value === String(value);
  else {
    const text = String(stops ? stopIndex(stops, value) : value);
    if (input.value !== text) input.value = text;
    if (input.type === "range" && !input.hasAttribute("data-worded")) { // else whoever knows its words writes them
      const unit = input.dataset.unit ? ` ${input.dataset.unit}` : "";
      input.setAttribute("aria-valuetext", spoken(value) + unit);
    }
  }
}

function writeReport(root, key, message) {
  for (const place of root.querySelectorAll(`[data-error="${key}"]`)) {
    place.textContent = message;
    place.hidden = !message;
  }
  for (const input of root.querySelectorAll(`input[type=number][data-param="${key}"]`)) {
    input.setAttribute("aria-invalid", String(Boolean(message)));
  }
}

/** A slider over the values a frame offers. */
function writeChoiceSlider(slider, { options, selected }) {
  const index = options.findIndex(({ value }) => value === selected);
  slider.dataset.stops = JSON.stringify(options.map(({ value }) => value));
  slider.max = String(options.length - 1);
  slider.value = String(index);
  slider.setAttribute("aria-valuetext", options[index].text);
  slider.disabled = options.length < 2 || slider.hasAttribute("data-locked");
}

/** Radios for the values a frame offers: made anew when the offer changes, the one in force checked. */
function writeChoices(box, { options, selected }) {
  const offer = JSON.stringify(options);
  if (box.dataset.offer !== offer) {
    const model = box.querySelector("label");
    box.replaceChildren(...options.map(({ value, text }) => {
      const label = model.cloneNode(true);
      label.querySelector("input").value = String(value);
      label.querySelector("span").textContent = text;
      return label;
    }));
    box.dataset.offer = offer;
  }
  for (const radio of box.querySelectorAll("input")) radio.checked = radio.value === String(selected);
}

/** Keeps the model of one's own among a list's options for as long as there is one; its name is text, whatever it holds. */
function writeOwnOption(select, model) {
  let option = [...select.options].find(({ value }) => value === OWN_MODEL);
  if (!model) {
    option?.remove();
    return;
  }
  if (!option) {
    option = new Option("", OWN_MODEL);
    select.add(option);
  }
  if (option.text !== model.name) option.textContent = model.name;
}

/** Binds every control under root; returns a function that shows the store's state in them. */
export function bindControls(root, store) {
  const refused = new Set();
  const report = (key, message) => {
    if (!message && !refused.delete(key)) return;
    if (message) refused.add(key);
    writeReport(root, key, message);
  };
  root.addEventListener("input", (event) => {
    const input = event.target.closest("[data-param]");
    if (!input) return;
    const key = input.dataset.param;
    const value = readControl(input);
    if (store.legal(key, value) === undefined) {
      report(key, `Not used: give ${allowedText(key)}.`);
      return;
    }
    report(key, "");
    store.set({ [key]: value }, input);
  });
  // A refused number gives way to the value in force once its field is left.
  root.addEventListener("focusout", (event) => {
    const input = event.target.closest("input[type=number][data-param]");
    if (input && input.getAttribute("aria-invalid") === "true") {
      input.value = String(store.state[input.dataset.param]);
      report(input.dataset.param, "");
    }
  });
  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-set]");
    if (button) store.set(JSON.parse(button.dataset.set), button);
  });
  const inputs = [...root.querySelectorAll("[data-param]")].filter((input) => !input.closest("[data-choices]"));
  const shown = new Map();
  return (state, origin = null, frame = {}) => {
    for (const input of inputs) {
      const value = state[input.dataset.param];
      if (input.dataset.param === "model") writeOwnOption(input, store.catalog.models[OWN_MODEL]);
      else if (shown.get(input) === value) continue;
      shown.set(input, value);
      if (input !== origin || input.type === "range") writeControl(input, value);
    }
    for (const [key, choices] of Object.entries(frame.choices ?? {})) {
      for (const box of root.querySelectorAll(`[data-choices="${key}"]`)) {
        if (box.matches("input")) writeChoiceSlider(box, choices);
        else writeChoices(box, choices);
      }
    }
  };
}
