// Every figure to keep, as PNG or SVG, and its data as CSV: with the act, its deployment and its link written on it.
import { modelsOf } from "./figures.js";

/** A saved picture: its width, edge and room for a line of words, px, and a PNG's dots to each px. */
const SAVED = { width: 800, edge: 24, line: 1.45, dots: 3 };
const FACES = { name: [20, 600, "ink"], words: [15, 400, "ink"], small: [13, 400, "muted"] };
const SVG = "http://www.w3.org/2000/svg";

/** Whether a page around this one may have forbidden downloads; no browser tells, and a file that is dropped is no error. */
const sandboxed = () => parent !== globalThis && globalThis.origin === "null";
const SANDBOXED = ", if the page around this one allows downloads";

/** Hands a file to the browser's downloads. */
function download(name, content, type) {
  const file = content instanceof Blob ? content : new Blob([content], { type });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // some browsers read it later than they are asked
}

/** Rows as RFC 4180 has them, below lines of `notes` that begin with "#". */
export function csvText(rows, notes) {
  const cell = (value) => (/[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  return [...notes.map((note) => `# ${note}`), ...rows.map((row) => row.map(cell).join(","))].join("\r\n") + "\r\n";
}

const colour = (role) => PALETTE[role][0];
const fontOf = ([size, weight]) => `${weight} ${size}px Inter, system-ui, sans-serif`;

/** A text in lines that are no wider than `width`. */
function linesOf(text, face, width) {
  const paper = document.createElement("canvas").getContext("2d");
  paper.font = fontOf(face);
  const lines = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && paper.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Where everything stands on a saved picture: lines of words above and below a figure `high` px high. */
function layOut({ name, words, deployment, link }, high) {
  const lines = [];
  let y = SAVED.edge;
  const write = (text, face) => {
    for (const line of linesOf(text, face, SAVED.width - 2 * SAVED.edge)) {
      y += face[0] * SAVED.line;
      lines.push({ text: line, face, y: y - 0.35 * face[0] });
    }
  };
  write(name, FACES.name);
  const top = y + 12;
  y = top + high + 6;
  write(words, FACES.words);
  y += 6;
  write(`Deployment: ${deployment}.`, FACES.small);
  if (link) write(link, FACES.small);
  return { lines, top, height: Math.ceil(y + SAVED.edge) };
}

/** The figure once more, light and as wide as a saved picture, showing the act's present frame; `use` gets its view. */
async function withCopy(act, name, item, use) {
  const host = Object.assign(document.createElement("div"), { className: "save-copy", inert: true });
  act.root.append(host);
  const copy = structuredClone(item);
  const { attributes } = copy.doc.roots[0];
  Object.assign(attributes, { sizing_mode: "fixed", width: SAVED.width - 2 * SAVED.edge });
  const views = await Bokeh.embed.embed_item(copy, host);
  const [view] = views.roots ?? Object.values(views);
  try {
    const frame = act.frame();
    for (const model of modelsOf(view.model)) {
      const own = model.name?.startsWith(`${act.id}:`) ? model.name.slice(act.id.length + 1) : "";
      if (own in frame.sources && "data" in model.properties) model.setv({ data: frame.sources[own] }, { sync: false });
      else if (own in (frame.ranges ?? {})) model.setv(frame.ranges[own], { sync: false });
    }
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return await use(view, attributes.height);
  } finally {
    view.model.document?.clear();
    host.remove();
  }
}

/** The picture as an SVG document's text. */
function svgPicture(view, high, said) {
  const { lines, top, height } = layOut(said, high);
  const make = (parent, tag, attributes, text = "") => {
    const element = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    parent.append(element);
    return element;
  };
  const picture = document.createElementNS(SVG, "svg");
  const box = { width: SAVED.width, height, viewBox: `0 0 ${SAVED.width} ${height}`, role: "img" };
  for (const [key, value] of Object.entries(box)) picture.setAttribute(key, value);
  make(picture, "title", {}, said.name);
  make(picture, "desc", {}, `${said.label} ${said.deployment}. ${said.link}`);
  make(picture, "rect", { width: "100%", height: "100%", fill: colour("panel") });
  const figure = view.export("svg").canvas;
  figure.setAttribute("x", SAVED.edge);
  figure.setAttribute("y", top);
  picture.append(figure);
  for (const { text, face: [size, weight, role], y } of lines) {
    const font = { "font-family": "Inter, system-ui, sans-serif", "font-size": size, "font-weight": weight };
    make(picture, "text", { x: SAVED.edge, y, fill: colour(role), ...font }, text);
  }
  return new XMLSerializer().serializeToString(picture);
}

/** Does what is painted at once with so many dots to a px: Bokeh takes their number from the window. */
function withDots(dots, paint) {
  const own = Object.getOwnPropertyDescriptor(globalThis, "devicePixelRatio");
  Object.defineProperty(globalThis, "devicePixelRatio", { value: dots, configurable: true });
  try {
    return paint();
  } finally {
    if (own) Object.defineProperty(globalThis, "devicePixelRatio", own);
    else delete globalThis.devicePixelRatio;
  }
}

/** The picture as a PNG's blob. */
function pngPicture(view, high, said) {
  const { lines, top, height } = layOut(said, high);
  const { width, edge, dots } = SAVED;
  const canvas = Object.assign(document.createElement("canvas"), { width: width * dots, height: height * dots });
  const paper = canvas.getContext("2d");
  paper.scale(dots, dots);
  paper.fillStyle = colour("panel");
  paper.fillRect(0, 0, width, height);
  const figure = withDots(dots, () => view.export("png").canvas);
  paper.drawImage(figure, edge, top, width - 2 * edge, high);
  for (const { text, face, y } of lines) {
    paper.font = fontOf(face);
    paper.fillStyle = colour(face[2]);
    paper.fillText(text, edge, y);
  }
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

/** What is written beside a figure when it is saved. */
function saidOf(act, details, name, link) {
  const caption = details.closest("figure")?.querySelector("figcaption");
  const { sentence, figures } = act.frame();
  return {
    name: details.dataset.title,
    label: figures[name],
    words: caption ? caption.textContent : sentence,
    deployment: deployed_line(act.store.state, act.store.catalog),
    link,
  };
}

/**
 * Binds an act's disclosures "Save figure". `item` gives a figure's serialised plot by name, `ready` loads BokehJS, which
 * data alone do without, and `link` gives the act's link, "" where it has none.
 */
export function bindSaving(act, item, ready, link) {
  for (const details of act.root.querySelectorAll("[data-save]")) {
    const name = details.dataset.save;
    const status = details.querySelector("[role=status]");
    const makers = {
      png: ["image/png", pngPicture],
      svg: ["image/svg+xml", svgPicture],
    };
    const make = async (kind, said) => {
      if (kind === "csv") {
        const notes = [said.name, said.label, `Deployment: ${said.deployment}`, said.link].filter(Boolean);
        return ["text/csv;charset=utf-8", csvText(TABLES[act.id](name, act.store.state, act.store.catalog), notes)];
      }
      const [type, paint] = makers[kind];
      return [type, await withCopy(act, name, item(name), (view, high) => paint(view, high, said))];
    };
    details.addEventListener("click", async (event) => {
      const kind = event.target.closest("[data-as]")?.dataset.as;
      if (!kind) return;
      const file = `kv-cache-${act.id}-${name}.${kind}`;
      status.textContent = "";
      if (kind !== "csv" && !(await ready().then(() => true, () => false))) {
        status.textContent = "The picture cannot be drawn without BokehJS, which could not be loaded; the data can be saved.";
        return;
      }
      const [type, content] = await make(kind, saidOf(act, details, name, link()));
      download(file, content, type);
      status.textContent = `Saved as ${file}${sandboxed() ? SANDBOXED : ""}.`;
    });
  }
}
