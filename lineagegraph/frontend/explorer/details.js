// The pane beside the explorer's drawing.

import { browserLink, make, stateBadge } from "../dom.js";
import { formatCount } from "../format.js";
import { describeForm } from "./describe.js";
import { tagsOf } from "./tags.js";

const KEYS = [
  ["click, arrow keys", "select, go to what is next to it"],
  ["double click, Enter", "expand or fold; open a group"],
  ["shift + click", "show the path between two"],
  ["c", "columns of a dataset"],
  ["/", "search"],
  ["+  −  0", "zoom, and show all"],
  ["Esc", "select nothing"],
];

/** Make the pane of the selected box; `pick` takes the id of a column that is clicked. */
export function detailsPane(ask, pick) {
  const root = make("aside", { class: "lg-pane", "aria-label": "Details" });
  let shown = null;

  /** Show a box and then its details, or the keys of the drawing; `actions` are `[name, function]`. */
  async function show(box, column, at, actions) {
    shown = box?.key ?? null;
    const [lines, tagged] = [make("dl"), make("div")];
    const said = make("p", { role: "status" });
    if (!box)
      return root.replaceChildren(
        make("h2", {}, "Keys"),
        make("dl", { class: "lg-keys" }, KEYS.flatMap(line)),
      );
    const about = column && [
      make("p", {}, "column ", make("strong", {}, column.name), ` ${column.type}`),
    ];
    root.replaceChildren(
      make("h2", {}, box.title),
      ...(about ?? []),
      make(
        "div",
        { class: "lg-actions" },
        actions.map(([name, onclick]) => make("button", { onclick }, name)),
      ),
      lines,
      tagged,
      said,
    );
    try {
      const details = await ask("details", { key: box.key, at });
      if (shown !== box.key) return;
      const rest = details.lines.filter(([name]) => at || name !== "tags").flatMap(line);
      lines.replaceChildren(...rest, browserLink(details.url));
      if (at) return;
      const changed = async (fault, next) => {
        if (fault || shown !== box.key) return said.replaceChildren(fault ?? "");
        await show(box, column, at, actions);
        root.querySelector(next)?.focus();
      };
      const tags = column
        ? details.column_tags.filter(({ field }) => field === column.name).map(({ tag }) => tag)
        : details.tags;
      tagged.replaceChildren(...tagsOf({ key: (column ?? box).key, tags, ask, changed }));
      const about = Object.fromEntries(details.lines);
      if (!column) tagged.append(describeForm({ key: box.key, about, ask, changed }));
      if (box.isJob) return;
      const of = { key: box.key, column: column?.name ?? "" };
      const uses = column && (await ask("column", of));
      const readers = await ask("readers", of);
      if (shown !== box.key || !lines.isConnected) return;
      const read = listed("read by", readers);
      const columns = columnButtons(box, details.columns, column);
      if (!column) {
        lines.prepend(...columns);
        return lines.append(...read);
      }
      const sources = listed("made from", uses.sources, uses.sources_cut);
      lines.prepend(...sources, ...listed("goes into", uses.impact, uses.impact_cut), ...read);
      lines.append(...columns);
    } catch (error) {
      lines.replaceChildren(error.message);
    }
  }

  function line([name, text]) {
    const value = name === "state" ? stateBadge(text) : text;
    return [make("dt", {}, name), make("dd", {}, value)];
  }
  function columnButtons(box, names, column) {
    if (!names.length) return [];
    const one = (name) => {
      const attributes = { type: "button", "aria-pressed": String(name === column?.name) };
      return make("button", { ...attributes, onclick: () => pick(`${box.id}#${name}`) }, name);
    };
    return [make("dt", {}, "follow a column"), make("dd", { class: "lg-columns" }, names.map(one))];
  }
  return { root, show };
}

/** Return a heading with the number of some texts, which may not be all, and the texts. */
function listed(name, texts, isCut = false) {
  const count = formatCount(texts.length);
  return [
    make("dt", {}, `${name} (${isCut ? `${count} and more` : count})`),
    ...texts.map((text) => make("dd", {}, text)),
  ];
}
