// What stands around the explorer's drawing: bar, search, time, and the pane of what is selected.

const TYPED_MS = 250;
const STEPS = 1000;
const KEYS = [
  ["click, arrow keys", "select, go to what is next to it"],
  ["double click, Enter", "expand or fold; open a group"],
  ["shift + click", "show the path between two"],
  ["c", "columns of a dataset"],
  ["/", "search"],
  ["+  −  0", "zoom, and show all"],
  ["Esc", "select nothing"],
];

/** Make the bar over a drawing, whose fields are the state that Python shares. */
function controls(model, { search, zoom, fit, refresh }) {
  const share = (name, value) => {
    model.set(name, value);
    model.save_changes();
  };
  const number = (name) =>
    make("input", {
      type: "number", min: "0", max: "99", class: "lg-steps", "aria-label": `edges ${name}`,
      onchange: ({ target }) => share(name, Math.max(0, Math.min(99, Math.round(Number(target.value))))),
    });
  const [up, down] = [number("up"), number("down")];
  const level = make("select", { "aria-label": "group by", onchange: () => share("level", Number(level.value)) });
  const stale = make("input", { type: "checkbox", onchange: () => share("stale", stale.checked) });
  const button = (text, label, onclick) => make("button", { "aria-label": label, title: label, onclick }, text);
  const bar = make(
    "div",
    { class: "lg-bar" },
    search,
    make("label", {}, "before ", up),
    make("label", {}, "after ", down),
    make("label", {}, "group by ", level),
    make("label", {}, stale, " stale"),
    make("span", { class: "lg-zoom" }, button("−", "zoom out", () => zoom(0.8)), button("fit", "fit", fit), button("+", "zoom in", () => zoom(1.25))),
    make("button", { onclick: refresh }, "Refresh"),
  );

  /** Show the state; `depth` is how many levels of jobs there are. */
  function show(depth) {
    const names = ["each job", "topmost jobs", ...Array.from({ length: Math.max(0, depth - 2) }, (_, n) => `level ${n + 2}`)];
    level.replaceChildren(...names.map((name, n) => make("option", { value: n }, name)));
    level.value = Math.min(model.get("level"), names.length - 1);
    [up.value, down.value, stale.checked] = [model.get("up"), model.get("down"), model.get("stale")];
    up.disabled = down.disabled = !model.get("node");
    stale.disabled = Boolean(model.get("at"));
  }
  return { bar, show };
}

/** Make a field that finds jobs and datasets by a part of a name; `go` is told the id chosen. */
function searching(ask, go, say) {
  const found = make("div", { class: "lg-found", role: "listbox", hidden: true });
  const field = make("input", {
    type: "search", placeholder: "search  /", "aria-label": "search jobs and datasets",
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(look, TYPED_MS);
    },
  });
  let timer = null;

  async function look() {
    const text = field.value.trim();
    if (!text) return close();
    try {
      const ids = await ask("search", { text });
      if (text !== field.value.trim()) return;
      const hits = ids.map((id) => make("button", { role: "option", onclick: () => choose(id) }, id));
      found.replaceChildren(...(hits.length ? hits : [make("span", { class: "lg-soft" }, "nothing has this in its name")]));
      found.hidden = false;
    } catch (error) {
      say(error.message);
    }
  }

  function choose(id) {
    close();
    go(id);
  }

  function close() {
    field.value = "";
    found.hidden = true;
  }

  const box = make("span", { class: "lg-search", onkeydown: keys }, field, found);
  function keys(event) {
    const hits = [...found.querySelectorAll("button")];
    const at = hits.indexOf(box.getRootNode().activeElement);
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown") (hits[at + 1] ?? hits[0])?.focus();
    else if (event.key === "ArrowUp") (hits[at - 1] ?? field).focus();
    else if (event.key === "Enter" && at < 0) hits[0]?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return { box, field };
}

/** Make the slider that goes back in time; the right end is now. */
function timeline(model) {
  const said = make("span", { class: "lg-soft lg-when" });
  const slider = make("input", {
    type: "range", min: 0, max: STEPS, "aria-label": "show the lineage of a time",
    oninput: () => (said.textContent = saidOf(chosen())),
    onchange: () => {
      model.set("at", chosen());
      model.save_changes();
    },
  });
  let since = null;

  function chosen() {
    const step = Number(slider.value);
    if (since === null || step >= STEPS) return "";
    return new Date(since + (step / STEPS) * (Date.now() - since)).toISOString();
  }

  function saidOf(at) {
    return at ? `as of ${sayTime(at)} ${ZONE}` : "now";
  }

  function show(first) {
    if (first !== undefined) since = first && Date.parse(first);
    slider.disabled = since === null;
    const at = model.get("at");
    const passed = at && since !== null ? (Date.parse(at) - since) / (Date.now() - since) : 1;
    slider.value = Math.round(STEPS * Math.max(0, Math.min(1, passed)));
    said.textContent = saidOf(at);
  }
  return { row: make("label", { class: "lg-time" }, "time ", slider, said), show };
}

/** Make the pane of what is selected; `actions` are `[name, key, function]`. */
function pane(ask) {
  const root = make("aside", { class: "lg-pane", "aria-label": "Details" });
  let shown = null;

  /** Show a box, or how to use the drawing; what Python knows of a box follows. */
  async function show(box, column, at, actions) {
    shown = box?.key ?? null;
    const lines = make("dl");
    if (!box) return root.replaceChildren(make("h4", {}, "Keys"), make("dl", {}, KEYS.flatMap(line)));
    const about = column && [make("p", {}, "column ", make("strong", {}, column.name), ` ${column.type}`)];
    root.replaceChildren(
      make("h4", {}, box.title),
      ...(about ?? []),
      make("div", { class: "lg-actions" }, actions.map(([name, onclick]) => make("button", { onclick }, name))),
      lines,
    );
    try {
      const details = await ask("details", { key: box.key, at });
      if (shown === box.key) lines.replaceChildren(...details.lines.flatMap(line), browserLink(details.url));
    } catch (error) {
      lines.replaceChildren(error.message);
    }
  }

  function line([name, text]) {
    const value = name === "state" ? make("span", { class: `lg-state ${text.toLowerCase()}` }, text) : text;
    return [make("dt", {}, name), make("dd", {}, value)];
  }
  return { root, show };
}
