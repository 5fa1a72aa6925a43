// Tags: the tables with values of tagged columns, and who reads them.

import { make, nothing, table, titleBar } from "../dom.js";
import { lineageAddress } from "../page/address.js";
import { panel } from "../panel.js";

const EMPTY = "No tags yet. Events attach them, or you do in Lineage.";
const AGAIN_MS = 10_000;
const CHOOSE = "Choose a tag to see the tables with it, and who reads them.";

export function tags(host) {
  const { state } = host;
  const { root, ask, askNewest, report, loaded, every, leave } = panel(host, "tags", "Tags");
  const names = make("div", { class: "lg-names" });
  const found = make("section", {
    class: "lg-group lg-cards lg-labels",
    "aria-label": "Tables",
    hidden: true,
  });
  root.append(titleBar("Tags", names), found);
  let known = null;

  async function load() {
    try {
      known = await ask("tags");
      loaded();
      showNames();
      await showTables();
    } catch (error) {
      loaded(error);
    }
  }

  function showNames() {
    if (!known) return;
    const one = ({ name, description }) => {
      const pressed = String(name === state.get("selected"));
      const attributes = { type: "button", title: description, "aria-pressed": pressed };
      return make("button", { ...attributes, onclick: () => state.set({ selected: name }) }, name);
    };
    names.replaceChildren(...(known.length ? known.map(one) : [nothing(EMPTY)]));
  }

  async function showTables() {
    const tag = state.get("selected");
    if (!tag) {
      found.hidden = !known?.length;
      return found.replaceChildren(nothing(CHOOSE));
    }
    try {
      const answer = await askNewest("tables", { tag });
      if (!answer) return;
      loaded();
      report(answer.cut ? "More exist: only the nearest are shown." : null);
      found.hidden = false;
      found.replaceChildren(make("h2", {}, `Tables with ${tag}`), draw(answer.tables));
    } catch (error) {
      loaded(error);
    }
  }

  const unwatch = state.watch({
    selected: () => {
      showNames();
      names.querySelector("[aria-pressed=true]")?.focus();
      showTables();
    },
  });
  every(AGAIN_MS, () => known || load(), false);
  load();
  return () => {
    leave();
    unwatch();
  };
}

function draw(tables) {
  if (!tables.length) return nothing("No column has this tag.");
  const rows = tables.map(({ namespace, name, tagged, reached, readers }) => [
    make("a", { href: lineageAddress(`dataset:${namespace}:${name}`) }, `${namespace}:${name}`),
    lines([tagged.length && `tagged: ${tagged.join(", ")}`, ...reached]),
    lines(readers.length ? readers : ["no reader is known"]),
  ]);
  return table(["Table", "Columns", "Read by"], rows);
}

function lines(texts) {
  return make(
    "div",
    {},
    texts.filter(Boolean).map((text) => make("div", {}, text)),
  );
}
