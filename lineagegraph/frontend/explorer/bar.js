// The bar over the explorer's drawing.

import { make, titleBar } from "../dom.js";

/** Make the bar over a drawing, whose fields are the shared state. */
export function controls(state, { search, zoom, fit, refresh }) {
  const number = (name) =>
    make("input", {
      type: "number",
      min: "0",
      max: "99",
      class: "lg-steps",
      "aria-label": `edges ${name}`,
      onchange: ({ target }) =>
        state.set({ [name]: Math.max(0, Math.min(99, Math.round(Number(target.value)))) }),
    });
  const [up, down] = [number("up"), number("down")];
  const level = make("select", {
    "aria-label": "group by",
    onchange: () => state.set({ level: Number(level.value) }),
  });
  const stale = make("input", {
    type: "checkbox",
    onchange: () => state.set({ stale: stale.checked }),
  });
  const button = (text, label, onclick) =>
    make("button", { "aria-label": label, title: label, onclick }, text);
  const bar = titleBar(
    "Lineage",
    search,
    make("label", {}, "steps before ", up),
    make("label", {}, "steps after ", down),
    make("label", {}, "group by ", level),
    make("label", {}, stale, "mark what is stale"),
    make(
      "span",
      { class: "lg-zoom" },
      button("−", "zoom out", () => zoom(0.8)),
      button("fit", "fit", fit),
      button("+", "zoom in", () => zoom(1.25)),
    ),
    make("button", { onclick: refresh }, "Refresh"),
  );

  /** Show the state of a lineage with so many levels of jobs. */
  function show(depth) {
    const names = [
      "each job",
      "topmost jobs",
      ...Array.from({ length: Math.max(0, depth - 2) }, (_, n) => `level ${n + 2}`),
    ];
    level.replaceChildren(...names.map((name, n) => make("option", { value: n }, name)));
    level.value = Math.min(state.get("level"), names.length - 1);
    [up.value, down.value, stale.checked] = [
      state.get("up"),
      state.get("down"),
      state.get("stale"),
    ];
    up.disabled = down.disabled = !state.get("node");
    stale.disabled = Boolean(state.get("at"));
  }
  return { bar, show };
}
