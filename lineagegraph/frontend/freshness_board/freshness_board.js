// The freshness board: a row for each job or dataset with terms, the worst first.

import { actButton, factList, hasFocus, make, nothingRow, stateBadge, titleBar } from "../dom.js";
import { actForm, field, nameInput } from "../fields.js";
import { panel } from "../panel.js";

const EVERY_MS = 10000;
const HEAD = ["State", "Job or dataset", "Age", "Terms", "Why"];
const EMPTY = "No terms yet. The form below sets how old a table may be.";

export function freshnessBoard(host) {
  const { state } = host;
  const { root, ask, report, loader, every, leave } = panel(host, "board", "Freshness board");
  const load = loader("board", (found) => {
    rows = found;
    show();
  });
  const only = make("input", { type: "checkbox", onchange: keep });
  const counts = make("span", { class: "lg-soft" });
  const body = make("tbody");
  const head = make(
    "tr",
    {},
    HEAD.map((name) => make("th", {}, name)),
  );
  root.append(
    titleBar(
      "Freshness",
      counts,
      make("label", {}, only, "only stale ones"),
      make("button", { onclick: load }, "Refresh"),
    ),
    make(
      "div",
      { class: "lg-scroll lg-cards lg-labels" },
      make("table", {}, make("thead", {}, head), body),
    ),
  );
  const { input: node, list } = nameInput((text) => ask("nodes", { text }), { required: true });
  const age = make("input", { required: true, placeholder: "2h", size: "8" });
  const channels = make("span", { class: "lg-soft" });
  const fields = [field("Job or dataset", node), list, field("Not older than", age)];
  const form = actForm("Set freshness", fields, "Set", { send: set, report });
  form.append(channels);
  root.querySelector(".lg-bar").after(form);
  const why = make("section", { class: "lg-why", "aria-label": "Why", hidden: true });
  form.after(why);
  let rows = [];

  async function set() {
    const id = await ask("node", { node: node.value });
    const named = await setTerms({ node: id, max_age: age.value, known: knownOf(id) });
    report(null);
    await load();
    if (named === state.get("selected")) await explain();
    else state.set({ selected: named });
  }

  /** Return the terms of a job or dataset that the person has seen; null for none. */
  function knownOf(id) {
    return rows.find((row) => row.node === id)?.stated ?? null;
  }

  async function setTerms(about) {
    try {
      return await ask("set", about);
    } catch (error) {
      // What refused them may be those of another, which are now shown.
      await load();
      throw error;
    }
  }

  async function remove(named) {
    try {
      await ask("unset", { node: named, known: knownOf(named) });
      report(null);
      state.set({ selected: "" });
      await load();
    } catch (error) {
      report(error.message);
    }
  }

  function keep() {
    state.set({ only_stale: only.checked });
  }

  function show() {
    only.checked = state.get("only_stale");
    const bad = rows.filter((row) => row.state === "stale");
    counts.textContent = rows.length ? `${bad.length} of ${rows.length} stale` : EMPTY;
    const focused = [...body.children].findIndex(hasFocus);
    const lines = (only.checked ? bad : rows).map(line);
    if (only.checked && rows.length && !bad.length)
      lines.push(nothingRow(HEAD.length, "Nothing is stale."));
    body.replaceChildren(...lines);
    body.children[focused]?.focus({ preventScroll: true });
  }

  function line(row) {
    const pick = () => state.set({ selected: row.node });
    return make(
      "tr",
      {
        tabindex: "0",
        "aria-selected": String(row.node === state.get("selected")),
        onclick: pick,
        onkeydown: (event) => event.key === "Enter" && pick(),
      },
      make("td", {}, stateBadge(row.state)),
      [row.node, row.age, row.terms, row.why].map((text, n) =>
        make("td", { "data-label": n ? HEAD[n + 1] : "" }, text),
      ),
    );
  }

  async function explain() {
    const node = state.get("selected");
    show();
    if (!node) why.hidden = true;
    report(null);
    if (!node) return;
    try {
      const facts = await ask("why", { node });
      if (node !== state.get("selected")) return;
      why.replaceChildren(
        make("h2", {}, `Why: ${node}`),
        factList(facts.map(([name, text, links]) => [name, linked(text, links)])),
        actButton("Remove its terms", () => remove(node)),
      );
      why.hidden = false;
      // A phone shows the answer above the list that was touched.
      if (hasFocus(body)) why.scrollIntoView({ block: "nearest" });
    } catch (error) {
      report(error.message);
    }
  }

  /** Link the names in a text; `links` are in its order. A notebook has no addresses. */
  function linked(text, links) {
    if (!host.address) return text;
    const parts = [];
    let rest = text;
    for (const [name, view, to] of links) {
      const at = rest.indexOf(name);
      if (at < 0) continue;
      parts.push(rest.slice(0, at), make("a", { href: host.address(view, ...to) }, name));
      rest = rest.slice(at + name.length);
    }
    return [parts, rest];
  }

  const unwatch = state.watch({ only_stale: show, selected: explain, changes: load });
  ask("channels").then(
    (told) => {
      channels.textContent = told.length
        ? `Notified when it is stale: ${told.join(", ")}.`
        : "Nobody is notified when data is stale: the settings name no channel for it.";
    },
    () => {},
  );
  every(EVERY_MS, load);
  load();
  if (state.get("selected")) explain();
  return () => {
    leave();
    unwatch();
  };
}
