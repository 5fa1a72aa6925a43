// The trigger panel: the rules on the left; of the one that is chosen, all there is on the right.

const EVERY_MS = 10000;

function render({ model, el }) {
  const { root, ask, say, every, leave } = panel({ model, el }, "triggers", "Triggers");
  const search = make("input", { type: "search", placeholder: "search", "aria-label": "search triggers", oninput: showList });
  const body = make("tbody");
  const detail = make("div", { class: "lg-detail", tabindex: "-1" });
  const table = make("table", {}, make("thead", {}, make("tr", {}, ["Starts", "Name", ""].map((name) => make("th", {}, name)))), body);
  root.append(
    make("div", { class: "lg-bar" }, make("strong", {}, "Triggers"), search, button("New trigger", () => edit(anew())), button("Refresh", load)),
    make("div", { class: "lg-columns" }, make("div", { class: "lg-scroll" }, table), detail),
  );
  let found = [];
  let shown = null;
  let isEditing = false;
  let isCutOff = false;
  let asked = 0;

  async function load() {
    try {
      found = await ask("list");
      if (isCutOff) say(null);
      isCutOff = false;
      showList();
      if (!isEditing && ![...detail.children].some(hasFocus)) await show();
    } catch (error) {
      isCutOff = true;
      say(error.message);
    }
  }

  /** Do something, say what came of it, and look again. */
  async function act(what, about) {
    try {
      const said = await ask(what, about);
      await load();
      await show();
      detail.focus();
      say(said);
    } catch (error) {
      say(error.message);
    }
  }

  function showList() {
    const text = search.value.toLowerCase();
    const fits = (one) => `${one.starts} ${one.name} ${one.text}`.toLowerCase().includes(text);
    const focused = [...body.children].findIndex(hasFocus);
    body.replaceChildren(...found.filter(fits).map(listRow));
    body.children[focused]?.focus();
    if (!found.length) body.append(make("tr", {}, make("td", { colspan: 3 }, "no triggers yet: make one")));
  }

  function listRow(one) {
    const pick = () => select(model, one.select);
    const keys = (event) => {
      if (event.key === "Enter") pick();
      const next = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
      if (!next) return;
      event.preventDefault();
      event.currentTarget[next]?.focus();
    };
    const chosen = shown === one.id || model.get("selected") === one.select;
    const row = { tabindex: "0", "aria-selected": String(chosen), title: one.text, onclick: pick, onkeydown: keys };
    const state = make("span", { class: `lg-state ${one.enabled ? "completed" : ""}` }, one.enabled ? "enabled" : "suspended");
    return make("tr", row, make("td", {}, one.starts), make("td", {}, one.name), make("td", {}, state));
  }

  async function choose() {
    isEditing = false;
    shown = null;
    say(null);
    showList();
    await show().catch((error) => say(error.message));
  }

  async function show() {
    const name = model.get("selected");
    const mine = ++asked;
    if (!name) return detail.replaceChildren(make("p", { class: "lg-soft" }, "Choose a trigger, or make one."));
    const whole = await ask("show", { name });
    if (mine !== asked || isEditing) return;
    shown = whole.id;
    showList();
    detail.replaceChildren(...drawTrigger(whole, { act, edit, remove }));
  }

  function remove(whole) {
    select(model, "");
    act("delete", { name: whole.id });
  }

  function edit(draft) {
    isEditing = true;
    say(null);
    const close = async () => {
      isEditing = false;
      await load();
      await show();
    };
    const done = async (id) => {
      found = await ask("list");
      isEditing = false;
      const name = found.find((one) => one.id === id).select;
      if (name === model.get("selected")) await close();
      else select(model, name);
    };
    detail.replaceChildren(triggerForm({ draft, ask, done, leave: close }));
  }

  model.on("change:selected", choose);
  every(EVERY_MS, () => isEditing || load());
  load();
  return () => {
    leave();
    model.off("change:selected", choose);
  };
}

function anew() {
  return { anew: true, enabled: true, rule: { when: FRESH_LEAF.status() } };
}

function drawTrigger(whole, { act, edit, remove }) {
  const { id, stated } = whole;
  const known = { ...whole, anew: false };
  const copy = { ...whole, anew: true, enabled: true, name: `${whole.name} copy` };
  const draft = (one) => () => edit({ ...one, rule: structuredClone(whole.rule) });
  const actions = [
    button(whole.enabled ? "Disable" : "Enable", () => act("enable", { name: id, enabled: !whole.enabled })),
    !stated && button("Edit", draft(known)),
    button("Copy", draft(copy)),
    whole.dead > 0 && button(`Redrive ${whole.dead} dead letters`, () => act("redrive", { name: id })),
    !stated && confirmed("Delete", () => remove(whole)),
    browserLink(whole.browser),
  ];
  return [
    make("h3", {}, whole.name, make("span", { class: "lg-soft" }, ` starts ${whole.starts}`)),
    whole.description && make("p", {}, whole.description),
    make("p", {}, `when ${whole.text}`),
    stated && make("p", { class: "lg-soft" }, `It is stated in ${stated}: change it there, or copy it.`),
    whole.suspended_at && !whole.enabled && make("p", {}, `It is suspended since ${whole.suspended_at}.`),
    make("div", { class: "lg-row" }, actions),
    fireRow(whole, act),
    make("h4", {}, "Why, and why not"),
    make("ul", { role: "tree", class: "lg-tree" }, whole.standings.map(drawSaid)),
    whole.waiting.map(({ text, key }) =>
      make("p", { class: "lg-warn" }, text, " ", key && button("Redrive", () => act("redrive", { name: id, key }))),
    ),
    whole.refused.map((text) => make("p", { class: "lg-soft" }, text)),
    whole.next.length > 0 && [make("h4", {}, `Next (${ZONE})`), make("ul", {}, whole.next.map((text) => make("li", {}, text)))],
    make("h4", {}, "Newest firings"),
    whole.fired.length ? firingsTable(whole.fired) : make("p", { class: "lg-soft" }, "It has never fired."),
  ].flat(Infinity).filter(Boolean);
}

/** Make a button that asks once more before it does it. */
function confirmed(text, run) {
  const one = button(text, () => {
    if (one.textContent !== text) return run();
    one.textContent = `${text}: sure?`;
    setTimeout(() => (one.textContent = text), 4000);
  });
  return one;
}

function fireRow(whole, act) {
  const params = make("input", { "aria-label": "parameters", placeholder: "name=value name=value", size: 24 });
  let consume = false;
  const fire = () => act("fire", { name: whole.id, params: words(params.value), consume });
  params.addEventListener("keydown", (event) => event.key === "Enter" && fire());
  return make("div", { class: "lg-row" }, button("Fire", fire), params, tick("take what pends", false, (is) => (consume = is)));
}

/** Cut a line at its blanks, but not within quotes. */
function words(text) {
  return [...text.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ""));
}

function drawSaid(said) {
  const mark = said.is_true ? "✓" : "✗";
  return make(
    "li",
    { role: "treeitem", "aria-label": `${said.is_true ? "true" : "not true"}: ${said.text}` },
    make("span", { class: said.is_true ? "lg-yes" : "lg-no", "aria-hidden": "true" }, `${mark} `),
    said.text,
    said.lines.map(({ text, tone }) => make("div", { class: `lg-${tone}` }, text)),
    said.parts.length > 0 && make("ul", { role: "group" }, said.parts.map(drawSaid)),
  );
}

function firingsTable(fired) {
  const run = ({ id, state }) => make("div", { title: id }, make("span", { class: `lg-state ${state.toLowerCase()}` }, state), ` ${id.slice(0, 13)}`);
  const row = (one) =>
    make("tr", {}, make("td", {}, one.at), make("td", {}, one.reason), make("td", {}, one.runs.length ? one.runs.map(run) : one.state));
  return make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ["Fired", "Reason", "Run"].map((name) => make("th", {}, name)))),
    make("tbody", {}, fired.map(row)),
  );
}

export default { render };
