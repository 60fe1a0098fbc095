// Another number of query heads: the model in force becomes a model of one's own that has them.

/** Binds the act's two controls for query heads; returns a function that shows how many there are. */
export function bindQueries(root, store) {
  const inputs = [...root.querySelectorAll("[data-queries]")];
  const number = inputs.find((input) => input.type === "number");
  const slider = inputs.find((input) => input.type === "range");
  const error = root.querySelector("[data-error=queries]");
  const stops = JSON.parse(slider.dataset.stops);
  const refuse = (message) => {
    error.textContent = message;
    error.hidden = !message;
    number.setAttribute("aria-invalid", String(Boolean(message)));
  };
  for (const input of inputs) {
    input.addEventListener("input", () => {
      const queries = input === slider ? stops[Number(slider.value)] : Number(number.value);
      const legal = Number.isInteger(queries) && queries >= 1 && queries <= Number(number.max);
      refuse(legal ? "" : `Not used: give a whole number from 1 to ${number.max}.`);
      if (!legal) return;
      const model = store.catalog.models[store.state.model];
      const shape = own_with_queries(model.name, model.shape, model.max_context, queries);
      store.set({ shape, model: OWN_MODEL, kv_heads: 0 }, input);
    });
  }
  const show = (queries) => {
    if (number.getRootNode().activeElement !== number) number.value = String(queries);
    slider.value = String(stops.filter((stop) => stop <= queries).length - 1);
    slider.setAttribute("aria-valuetext", String(queries));
  };
  number.addEventListener("blur", () => {
    refuse("");
    show(store.catalog.models[store.state.model].shape.num_attention_heads);
  });
  return show;
}
