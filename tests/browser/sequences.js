// Driven by sequences.py: one thing a reader might do in the document, chosen by numbers from 0 to 1, and what is seen then.
({
  /** Does something of a kind to something that can be seen; returns what it did, or "" where there is nothing of the kind. */
  act(kind, which, how, words) {
    globalThis.open = () => ({}); // another window would put this one behind it, where browsers paint rarely or never
    const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled;
    const any = (selector) => {
      const found = [...document.querySelectorAll(selector)].filter(seen);
      return found[Math.floor(which * found.length)];
    };
    const name = (element) => `${element.localName} ${element.id || element.dataset.param || element.textContent.trim().slice(0, 40)}`;
    const write = (element, value) => {
      element.value = value;
      for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
      if (element.type === "number") element.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
      return `${name(element)} = ${String(value).slice(0, 60)}`;
    };
    const press = (element) => {
      element.click();
      return name(element);
    };
    const between = ({ min, max }) => Math.round(Number(min) + how ** 2 * (Number(max) - Number(min)));
    const kinds = {
      control() {
        const element = any("[data-param], #opening-context");
        if (!element) return "";
        if (element.localName === "select") return write(element, element.options[Math.floor(how * element.options.length)].value);
        if (element.type === "range") return write(element, between(element));
        if (element.type === "number") return write(element, words || between(element));
        return press(element);
      },
      button: () => press(any("button:not([data-copy], [data-save], [data-action=theme], [data-do=play], dialog button)") ?? document.body),
      play() {
        const play = any("[data-do=play]");
        if (!play) return "";
        play.click();
        setTimeout(() => { if (play.textContent === "Pause") play.click(); }, 300);
        return "play, pause";
      },
      section() {
        const link = any("a[href^='#']");
        return link ? press(link) : "";
      },
      theme() {
        const button = any("[data-action=theme]");
        return button ? press(button) : "";
      },
      fold() {
        const summary = any("summary");
        return summary ? press(summary) : "";
      },
      focus() {
        const element = any("[data-param], button, summary");
        element?.focus({ preventScroll: true });
        return element ? name(element) : "";
      },
      model: () => this.paste("#own-config", "#your-model [data-action=read]", words),
      log: () => this.paste("#server-log", "#your-server [data-action=read]", words),
      quiz() {
        const radio = any("#quiz input[type=radio]");
        if (!radio) return "";
        radio.click();
        const check = radio.closest("form")?.querySelector("button");
        if (how < 0.8) check?.click();
        return `quiz ${radio.value}`;
      },
      print() {
        for (const type of ["beforeprint", "afterprint"]) dispatchEvent(new Event(type));
        return "print";
      },
      back: () => { history.back(); return "back"; },
      forward: () => { history.forward(); return "forward"; },
    };
    return kinds[kind]();
  },

  paste(place, button, words) {
    const area = document.querySelector(place);
    if (!area) return "";
    for (let part = area; part; part = part.parentElement) if (part.localName === "details") part.open = true;
    area.value = words;
    area.dispatchEvent(new Event("input", { bubbles: true }));
    document.querySelector(button).click();
    return `${place} ${words.slice(0, 40)}`;
  },

  /** What the acts say, and words anywhere that no reader should meet. */
  seen() {
    if (!document.body) return null; // one document is giving way to another
    globalThis.framesPainted ??= 0;
    requestAnimationFrame(() => { globalThis.framesPainted += 1; });
    const acts = {};
    for (const root of document.querySelectorAll("[data-act]")) {
      const readouts = [...root.querySelectorAll("[data-readout]")]
        .map((e) => [e.dataset.readout, e.textContent, e.dataset.value ?? null]);
      const texts = [...root.querySelectorAll("[data-text]")].map((e) => [e.dataset.text, e.textContent]);
      acts[root.dataset.act] = { readouts, texts, sentences: [...root.querySelectorAll("[data-sentence]")].map((e) => e.textContent) };
    }
    const wrong = /\bNaN\b|Infinity|In,fin|\bundefined\b|\bnull\b|\[object/;
    const told = [document.body.innerText, ...[...document.querySelectorAll("[aria-label], [aria-valuetext]")]
      .flatMap((e) => [e.ariaLabel, e.ariaValueText])];
    const drawn = (globalThis.Bokeh?.documents ?? []).flatMap((d) => [...d._all_models.values()])
      .filter((model) => model.type === "ColumnDataSource")
      .flatMap((model) => Object.entries(model.data).map(([column, values]) => [`${model.name} ${column}`, [...values].flat()]));
    return {
      acts,
      frame: globalThis.framesPainted,
      search: location.search,
      blank: location.protocol === "about:",
      playing: [...document.querySelectorAll("[data-do=play]")].some((e) => e.textContent === "Pause"),
      wrong: told.flatMap((text) => wrong.exec(text ?? "") ? [text.slice(Math.max(0, wrong.exec(text).index - 40)).slice(0, 80)] : []),
      infinite: drawn.filter(([, values]) => values.some((v) => typeof v === "number" && !Number.isFinite(v))).map(([column]) => column),
    };
  },
})
