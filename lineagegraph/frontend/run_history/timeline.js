// The timeline of a run and all below it: a line for each run, which opens and closes.

import { isShortcut, make, restOf } from "../dom.js";
import { formatElapsed, formatSeconds, formatTime } from "../format.js";

const SPARK_KINDS = ["application", "action"];
const ZOOMS = [1, 2, 4, 8, 16, 32];
const TICKS = 5;

/** Make a timeline; `show(rows)` draws the runs, each after its parent. */
export function timeline() {
  const head = make("div", { class: "lg-line lg-axis" });
  const body = make("div", {
    role: "tree",
    "aria-label": "The run and its descendants",
    onkeydown: press,
  });
  const scroll = make("div", { class: "lg-scroll lg-lines" }, head, body);
  const details = make("div", { class: "lg-details lg-soft", "aria-live": "polite" });
  const zoomed = make("span", { class: "lg-soft" });
  const rest = make("div");
  const tools = make(
    "div",
    { class: "lg-bar" },
    make(
      "button",
      { onclick: () => zoom(1), title: "Longer bars (+)", "aria-label": "Zoom in" },
      "+",
    ),
    make(
      "button",
      { onclick: () => zoom(-1), title: "Shorter bars (-)", "aria-label": "Zoom out" },
      "−",
    ),
    make("button", { onclick: () => zoom(-ZOOMS.length), title: "Whole run (0)" }, "Fit"),
    zoomed,
    make("button", { onclick: () => openAll(true) }, "Open all"),
    make("button", { onclick: () => openAll(false) }, "Close Spark"),
  );
  let rows = [];
  let below = new Map();
  let closed = new Set();
  let focused = null;
  let level = 0;
  let run = null;

  function show(found) {
    if (found[0]?.id !== run) {
      run = found[0]?.id;
      closed = sparkParents(found);
      focused = run;
      level = 0;
    }
    rows = found;
    below = grouped(rows);
    paint();
  }

  function paint() {
    const began = Math.min(
      ...rows.map((row) => Date.parse(row.began ?? row.known)).filter((at) => at),
    );
    const ended = Math.max(
      ...rows.map((row) => (row.ended ? Date.parse(row.ended) : row.began ? Date.now() : began)),
    );
    const span = Math.max(ended - began, 1);
    const had = body.contains(root().activeElement);
    scroll.style.setProperty("--zoom", ZOOMS[level]);
    zoomed.textContent = level ? `${ZOOMS[level]}×` : "";
    rest.replaceChildren(...restOf(rows[0]?.left_out));
    head.replaceChildren(make("span", { class: "lg-name lg-soft" }, "Run"), ticks(span / 1000));
    body.replaceChildren(...visible().map((row) => line(row, began, span)));
    if (had) focus(focused);
    describe(rows.find((row) => row.id === focused) ?? rows[0]);
  }

  function root() {
    return scroll.getRootNode();
  }

  function visible() {
    const found = [];
    const walk = (row, depth) => {
      row.depth = depth;
      found.push(row);
      if (closed.has(row.id)) return;
      for (const child of below.get(row.id) ?? []) walk(child, depth + 1);
    };
    if (rows.length) walk(rows[0], 0);
    return found;
  }

  function line(row, began, span) {
    const inner = below.get(row.id) ?? [];
    const from = Date.parse(row.began ?? row.known ?? row.ended);
    const to = row.ended ? Date.parse(row.ended) : row.began ? Date.now() : from;
    const place = (at) => `${(100 * (at - began)) / span}%`;
    const width = (first, then) => `${(100 * Math.max(then - first, 0)) / span}%`;
    const known = row.known && row.began ? Date.parse(row.known) : from;
    const sign = inner.length ? (closed.has(row.id) ? "▸" : "▾") : "";
    return make(
      "div",
      {
        class: "lg-line",
        role: "treeitem",
        "data-run": row.id,
        tabindex: row.id === focused ? "0" : "-1",
        "aria-level": row.depth + 1,
        "aria-expanded": inner.length ? String(!closed.has(row.id)) : null,
        "aria-label": `${row.name}, ${row.state}, ${formatSeconds((to - from) / 1000)}`,
        onclick: () => {
          focused = row.id;
          if (inner.length) toggle(row.id);
          else paint();
        },
        onfocus: () => describe(row),
        onmouseenter: () => describe(row),
      },
      make(
        "span",
        { class: "lg-name", style: `padding-left:${8 + 14 * row.depth}px` },
        make("span", { class: "lg-sign" }, sign),
        row.attempt > 1 ? `${row.name} (attempt ${row.attempt})` : row.name,
        closed.has(row.id)
          ? make("span", { class: "lg-soft" }, ` ${countBelow(row.id)} inside`)
          : null,
      ),
      make(
        "span",
        { class: "lg-track" },
        known < from &&
          make("i", {
            class: "lg-queue",
            style: `left:${place(known)};width:${width(known, from)}`,
          }),
        make("i", {
          class: `lg-run ${row.state.toLowerCase()}`,
          style: `left:${place(from)};width:${width(from, to)}`,
        }),
      ),
    );
  }

  function describe(row) {
    if (!row) return;
    const took = row.began ? `took ${formatElapsed(row.began, row.ended)}` : "never began";
    const waited =
      row.began && row.known ? (Date.parse(row.began) - Date.parse(row.known)) / 1000 : 0;
    const parts = [row.name, row.kind, row.state, formatTime(row.began ?? row.known), took];
    if (waited > 0.1) parts.push(`after ${formatSeconds(waited)} in the queue`);
    details.replaceChildren(
      make("div", {}, parts.filter(Boolean).join(" · ")),
      ...(row.said ? [make("pre", {}, row.said)] : []),
    );
  }

  function countBelow(id) {
    return (below.get(id) ?? []).reduce((sum, child) => sum + 1 + countBelow(child.id), 0);
  }

  function toggle(id) {
    if (!closed.delete(id)) closed.add(id);
    paint();
  }

  function openAll(all) {
    closed = all ? new Set() : sparkParents(rows);
    paint();
  }

  function zoom(steps) {
    level = Math.min(Math.max(level + steps, 0), ZOOMS.length - 1);
    paint();
  }

  function focus(id) {
    focused = id;
    for (const item of body.children) item.tabIndex = item.dataset.run === id ? 0 : -1;
    [...body.children].find((item) => item.dataset.run === id)?.focus();
  }

  function press(event) {
    const shown = visible();
    const at = shown.findIndex((row) => row.id === focused);
    const row = shown[at];
    const inner = (below.get(row?.id) ?? []).length > 0;
    const isClosed = closed.has(row?.id);
    const moves = {
      ArrowDown: () => focus(shown[Math.min(at + 1, shown.length - 1)].id),
      ArrowUp: () => focus(shown[Math.max(at - 1, 0)].id),
      Home: () => focus(shown[0].id),
      End: () => focus(shown[shown.length - 1].id),
      ArrowRight: () => (inner && isClosed ? toggle(row.id) : inner && focus(shown[at + 1].id)),
      ArrowLeft: () => (inner && !isClosed ? toggle(row.id) : row.parent && focus(row.parent)),
      Enter: () => inner && toggle(row.id),
      "+": () => zoom(1),
      "-": () => zoom(-1),
      0: () => zoom(-ZOOMS.length),
    };
    if (!row || isShortcut(event) || !moves[event.key]) return;
    moves[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }

  return { element: make("div", {}, tools, scroll, rest, details), show };
}

function ticks(seconds) {
  const marks = Array.from({ length: TICKS }, (_, number) => (seconds * number) / TICKS);
  const texts = marks.map((at, number) => (number ? `+${formatSeconds(at)}` : "0"));
  return make(
    "span",
    { class: "lg-track" },
    // Parts of a short time that read alike are named once.
    texts.map((text, number) =>
      make(
        "em",
        { style: `left:${(100 * number) / TICKS}%` },
        text === texts[number - 1] || text === "+0s" ? "" : text,
      ),
    ),
  );
}

/** Return the ids of the runs whose parts in Spark are closed at first. */
export function sparkParents(rows) {
  return new Set(
    rows
      .filter((row) => SPARK_KINDS.includes(row.kind))
      .map((row) => row.parent)
      .filter(Boolean),
  );
}

function grouped(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.parent, [...(found.get(row.parent) ?? []), row]);
  return found;
}
