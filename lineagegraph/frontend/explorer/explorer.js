// The lineage explorer: the state and the walk decide what is drawn.

import { isShortcut, make, nothing } from "../dom.js";
import { shorten } from "../format.js";
import { panel } from "../panel.js";
import { controls } from "./bar.js";
import { detailsPane } from "./details.js";
import { drawing, READABLE } from "./drawing.js";
import { describeMarks, marksOf, nearest } from "./marks.js";
import { searchField } from "./search.js";
import { timeSlider } from "./time_slider.js";
import { Walk } from "./walk.js";

const EMPTY = "No jobs or datasets yet. Run a pipeline, or send OpenLineage events.";
const READ_AGAIN = ["node", "up", "down", "at"];
const AGAIN_MS = 10_000;
const MORE = "More exist: only the nearest are shown.";

export function explorer(host) {
  const { state } = host;
  const { root, ask, askNewest, report, loaded, every, leave } = panel(
    host,
    "explorer",
    "Lineage explorer",
  );
  const walk = new Walk(ask, drawn);
  const view = drawing({ click, open: next, over });
  const details = detailsPane(ask, (id) => choose(id));
  const { box: search, field } = searchField(ask, jump, report);
  const bar = controls(state, { search, zoom: view.zoom, fit: view.fit, refresh: () => read() });
  const time = timeSlider(state);
  const status = make("span", { class: "lg-soft lg-status", role: "status" });
  const empty = nothing(EMPTY);
  empty.hidden = true;
  root.append(
    bar.bar,
    empty,
    make("div", { class: "lg-stage" }, view.svg, details.root),
    make("div", { class: "lg-bar lg-foot" }, time.row, status),
  );
  root.addEventListener("keydown", press);
  let blamed = [];
  let isMissing = false;

  /** Do some work: the view is busy until its result is drawn, and reports errors. */
  async function working(work) {
    root.setAttribute("aria-busy", "true");
    report(null);
    walk.isCut = false;
    try {
      await work();
      loaded();
      if (walk.isCut) report(MORE);
    } catch (error) {
      loaded(error);
    }
    requestAnimationFrame(() => setTimeout(() => root.setAttribute("aria-busy", "false")));
  }

  const values = (names) => Object.fromEntries(names.map((name) => [name, state.get(name)]));

  const load = () =>
    working(async () => {
      const asked = values(READ_AGAIN);
      const piece = await askNewest("lineage", asked).catch((error) => {
        isMissing = true;
        throw error;
      });
      isMissing = false;
      if (!piece) return;
      if (READ_AGAIN.some((name) => asked[name] !== state.get(name))) return;
      [walk.level, walk.at] = [state.get("level"), asked.at];
      await walk.begin(piece);
      time.show();
      if (piece.cut) report(describeCut(walk.lineage.nodes.get(piece.latest)));
      await showSelected();
    });

  /** Draw the walk's scene, as `Walk.lay` says. */
  function drawn(key, smallest) {
    const at = key && view.onScreen(key);
    view.show(walk.scene);
    bar.show(walk.lineage.depth);
    empty.hidden = walk.lineage.nodes.size > 0;
    mark();
    if (smallest === null) return view.keep(key, at);
    const selected = walk.place(state.get("selected")).box?.key;
    view.open(selected ?? walk.start ?? walk.latest, smallest);
  }

  function mark() {
    const shown = values(["selected", "target", "stale"]);
    const marks = marksOf(walk, { ...shown, stale: shown.stale && !walk.at }, blamed);
    const { box, column } = walk.place(state.get("selected"));
    view.light(marks);
    status.textContent = describeMarks(walk, marks);
    details.show(box, column, walk.at, box ? actions(box, column) : []);
  }

  function actions(box, column) {
    const start = state.get("node") !== box.id && [["start here", () => begin(box.id)]];
    const acts = walk.actions(box, column).map(([name, act]) => [name, () => working(act)]);
    const focused = (act) => () => {
      view.svg.focus();
      act();
    };
    return [...acts, ...(start || [])].map(([name, act]) => [name, focused(act)]);
  }

  /** Show the selection; if it is not in the drawing yet, find it. */
  async function showSelected() {
    const id = state.get("selected");
    const { box, closed } = walk.place(id);
    if (closed) await walk.openColumns(box);
    if (box) view.reveal(box.key);
    else if (id) await jumpTo(await ask("find", { text: id }));
  }

  /** Jump once the lineage that was answered before is drawn. */
  async function jumpTo(id) {
    await walk.newest;
    jump(id);
  }

  function choose(id, target = "") {
    state.set({ target, selected: id });
  }

  function begin(id) {
    state.set({ node: id, target: "", selected: id });
  }

  function jump(id) {
    if (walk.place(id).box) choose(id);
    else begin(id);
    view.svg.focus();
  }

  function click(hit, shift) {
    if (!hit) return choose("");
    const id = hit.column ? `${hit.box.id}#${hit.column.name}` : hit.box.id;
    return shift && state.get("selected") ? choose(state.get("selected"), id) : choose(id);
  }

  function next(box) {
    if (box) working(() => walk.next(box));
  }

  function over(box) {
    if (box) status.textContent = shorten(box.id, 200);
  }

  function press(event) {
    const typing = event.target.matches("input, select, textarea, button, summary, a");
    if (isShortcut(event) || (typing && event.key !== "Escape")) return;
    const act = keys(event.key);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  function keys(key) {
    const { box } = walk.place(state.get("selected"));
    const columns = () => (box.columns.length ? walk.closeColumns(box) : walk.openColumns(box));
    const acts = {
      Escape: () => {
        choose("");
        view.svg.focus();
      },
      Enter: box && (() => next(box)),
      c: box && !box.isJob && (() => working(columns)),
      "/": () => field.focus(),
      "+": () => view.zoom(1.25),
      "-": () => view.zoom(0.8),
      0: view.fit,
    };
    return key.startsWith("Arrow") ? () => step(box, key.slice(5)) : acts[key];
  }

  function step(box, direction) {
    const { boxes } = walk.scene;
    const key = box ? nearest(walk.scene, box.key, direction) : boxes.keys().next().value;
    if (key) choose(boxes.get(key).id);
  }

  const markStale = () =>
    working(async () => {
      blamed = state.get("stale") ? await ask("stale") : [];
      bar.show(walk.lineage.depth);
      mark();
    });

  async function read() {
    ask("since").then(time.show, () => time.show(null));
    await load();
    if (state.get("stale")) await markStale();
  }

  const changes = {
    ...Object.fromEntries(READ_AGAIN.map((name) => [name, load])),
    level: () => {
      walk.level = state.get("level");
      working(() => walk.lay(null, READABLE));
    },
    selected: () => {
      mark();
      working(showSelected);
    },
    target: mark,
    stale: markStale,
  };
  const unwatch = state.watch(changes);
  // Lineage is read again when a person asks for it, and when no answer came.
  every(AGAIN_MS, () => isMissing && read(), false);
  read();
  return () => {
    unwatch();
    view.leave();
    leave();
  };
}

function describeCut(latest) {
  return latest
    ? `This is around ${latest.id}, which ran last: all is too much to draw. Search for another.`
    : "The lineage is cut off: search for a node and start there.";
}
