// The freshness board: a row for each thing that has terms, the worst first.

const EVERY_MS = 10000;

function render({ model, el }) {
  const { root, ask, say, every, leave } = panel({ model, el }, "board", "Freshness board");
  const only = make("input", { type: "checkbox", onchange: keep });
  const counts = make("span", { class: "lg-soft" });
  const body = make("tbody");
  const head = ["State", "Job or dataset", "Age", "Terms", "Why"];
  const table = make(
    "table",
    {},
    make("thead", {}, make("tr", {}, head.map((name) => make("th", {}, name)))),
    body,
  );
  root.append(
    make(
      "div",
      { class: "lg-bar" },
      make("strong", {}, "Freshness"),
      counts,
      make("label", {}, only, " only what is stale"),
      make("button", { onclick: load }, "Refresh"),
    ),
    make("div", { class: "lg-scroll" }, table),
  );
  let rows = [];

  async function load() {
    try {
      rows = await ask("board");
      say(null);
      show();
    } catch (error) {
      say(error.message);
    }
  }

  function keep() {
    model.set("only_stale", only.checked);
    model.save_changes();
  }

  function show() {
    only.checked = model.get("only_stale");
    const bad = rows.filter((row) => row.state === "stale");
    counts.textContent = rows.length
      ? `${bad.length} of ${rows.length} stale`
      : 'nothing has terms: board.expect("gold/daily", lg.freshness("1d")) sets some';
    body.replaceChildren(...(only.checked ? bad : rows).map(line));
  }

  function line(row) {
    const pick = () => select(model, row.node);
    return make(
      "tr",
      {
        tabindex: "0",
        "aria-selected": String(row.node === model.get("selected")),
        onclick: pick,
        onkeydown: (event) => event.key === "Enter" && pick(),
      },
      make("td", {}, make("span", { class: `lg-state ${row.state}` }, row.state)),
      ...[row.node, row.age, row.terms, row.why].map((text) => make("td", {}, text)),
    );
  }

  model.on("change:only_stale", show);
  model.on("change:selected", show);
  model.on("change:changes", load);
  every(EVERY_MS, load);
  load();
  return () => {
    leave();
    model.off("change:only_stale", show);
    model.off("change:selected", show);
    model.off("change:changes", load);
  };
}

export default { render };
