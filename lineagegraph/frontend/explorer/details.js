// The pane beside the explorer's drawing.

import { browserLink, make, stateBadge } from "../dom.js";

const KEYS = [
  ["click, arrow keys", "select, go to what is next to it"],
  ["double click, Enter", "expand or fold; open a group"],
  ["shift + click", "show the path between two"],
  ["c", "columns of a dataset"],
  ["/", "search"],
  ["+  −  0", "zoom, and show all"],
  ["Esc", "select nothing"],
];

/** Make the pane of the selected box; `actions` are `[name, function]`. */
export function detailsPane(ask) {
  const root = make("aside", { class: "lg-pane", "aria-label": "Details" });
  let shown = null;

  /** Show a box and then its details, or the keys of the drawing. */
  async function show(box, column, at, actions) {
    shown = box?.key ?? null;
    const lines = make("dl");
    if (!box)
      return root.replaceChildren(make("h4", {}, "Keys"), make("dl", {}, KEYS.flatMap(line)));
    const about = column && [
      make("p", {}, "column ", make("strong", {}, column.name), ` ${column.type}`),
    ];
    root.replaceChildren(
      make("h4", {}, box.title),
      ...(about ?? []),
      make(
        "div",
        { class: "lg-actions" },
        actions.map(([name, onclick]) => make("button", { onclick }, name)),
      ),
      lines,
    );
    try {
      const details = await ask("details", { key: box.key, at });
      if (shown === box.key)
        lines.replaceChildren(...details.lines.flatMap(line), browserLink(details.url));
      const readers =
        box.isJob || at ? [] : await ask("readers", { key: box.key, column: column?.name ?? "" });
      if (shown === box.key && readers.length)
        lines.append(
          make("dt", {}, `read by (${readers.length})`),
          ...readers.map((text) => make("dd", {}, text)),
        );
    } catch (error) {
      lines.replaceChildren(error.message);
    }
  }

  function line([name, text]) {
    const value = name === "state" ? stateBadge(text) : text;
    return [make("dt", {}, name), make("dd", {}, value)];
  }
  return { root, show };
}
