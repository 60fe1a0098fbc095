// An act shown by Panel outside the page: in a notebook, or in somebody's layout.
import { ActInPage } from "./act.js";
import { Figure } from "./figures.js";
import { afterPaint, same, sharedStore } from "./store.js";

function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "act-body";
  root.innerHTML = model.markup;
  const store = sharedStore(model.scenario_id, model.state);
  store.set(model.state, model);
  const act = new ActInPage(model.act, root, store);
  const children = model.get_child("plots");
  model.plot_names.forEach((name, index) => {
    const element = root.querySelector(`[data-plot="${model.act}:${name}"]`);
    element.append(children[index]);
    act.addFigure(new Figure(model.act, name, model.plots[index], element));
  });
  const send = () => {
    const own = Object.fromEntries(Object.keys(model.state).map((key) => [key, store.state[key]]));
    if (!same(own, model.state)) model.state = own;
  };
  model.on("state", () => store.set(model.state, model));
  const sendLater = afterPaint(send);
  store.listen((state, changed, origin) => { if (origin !== model) sendLater(); });
  return root;
}
