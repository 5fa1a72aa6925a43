// The live run: its tree with states and Spark's stages, the end of its log, and Stop.

import { browserLink, make, restOf, stateBadge, titleBar } from "../dom.js";
import { formatElapsed, formatMoment } from "../format.js";
import { muteBox } from "../mute.js";
import { panel } from "../panel.js";
import { handsOn } from "./hands.js";

const EVERY_MS = 1000;
// People mark a run that is over, write notes, and mute its job.
const OVER_MS = 10_000;
// What the page of its job shows of a run.
const WAYS = ["Timeline", "As it was", "Compare", "Run again"];

export function liveRun(host) {
  const { state } = host;
  const { root, ask, askNewest, report, loaded, every, leave } = panel(host, "live", "Live run");
  const title = make("h1", {}, "Run");
  const head = make("span");
  const link = make("span");
  const ways = make("span", { class: "lg-ways" });
  const stop = make("button", { class: "lg-stop lg-act", onclick: end }, "Stop");
  const why = make("div", { class: "lg-why", hidden: true });
  const tree = make("div", { class: "lg-tree", role: "listbox", "aria-label": "Runs" });
  const rest = make("div");
  const tail = make("pre", { class: "lg-tail", tabindex: "0", "aria-label": "Log" });
  const where = make("div", { class: "lg-where lg-soft" });
  let live = null;
  let isStopping = false;
  let askedAt = 0;
  let muteAskedAt = 0;

  const hands = handsOn((question, about) => act(question, about));
  const bar = titleBar(title, head, link, ways, stop);
  const mute = muteBox({ ask, about: () => ({ run: state.get("run_id") }), report });
  root.append(bar, mute.element, why, hands.element, tree, rest, tail, where);

  async function load() {
    askedAt = performance.now();
    try {
      const about = { run: state.get("run_id"), selected: state.get("selected") };
      const found = await askNewest("live", about);
      if (!found) return;
      live = found;
      loaded(live.away && new Error(live.away));
      show();
    } catch (error) {
      loaded(error);
    }
  }

  async function end() {
    isStopping = true;
    show();
    try {
      isStopping = await ask("stop", { run: state.get("run_id") });
      if (!isStopping) report("Nothing to stop: the run is over, or another process runs it.");
    } catch (error) {
      isStopping = false;
      report(error.message);
    }
    load();
  }

  async function act(question, about) {
    let isDone = true;
    try {
      await ask(question, { run: state.get("run_id"), ...about });
      report(null);
    } catch (error) {
      isDone = false;
      report(error.message);
    }
    // What refused a change may be what another did meanwhile.
    await load();
    return isDone;
  }

  function show() {
    if (!live) return;
    const top = live.rows[0];
    title.textContent = top.name;
    const took = top.began
      ? ` ${formatElapsed(top.began, top.ended)}, began ${formatMoment(top.began)}`
      : " has not begun";
    head.replaceChildren(stateBadge(top.state), make("span", { class: "lg-soft" }, took));
    if (!link.hasChildNodes()) link.append(browserLink(live.url));
    stop.hidden = live.is_over;
    stop.disabled = isStopping;
    stop.textContent = isStopping ? "Stopping…" : "Stop";
    why.hidden = !live.why;
    why.textContent = live.why ?? "";
    hands.show(live);
    showTree();
    showLog();
  }

  async function loadMute() {
    muteAskedAt = performance.now();
    // A run without a job cannot be muted.
    await mute.load().catch(() => {});
  }

  function turn() {
    isStopping = false;
    report(null);
    link.replaceChildren();
    ways.replaceChildren();
    load();
    loadMute();
    loadWays();
  }

  async function loadWays() {
    const run = state.get("run_id");
    const job = host.address && (await ask("job", { run }).catch(() => null));
    if (!job || run !== state.get("run_id")) return;
    if (job.deleted) return ways.replaceChildren(`The job ${job.deleted}.`);
    const to = (...parts) => host.address("job", job.name, job.namespace, ...parts);
    const panes = WAYS.map((pane) => make("a", { href: to(run, pane) }, pane));
    const found = [make("a", { href: to() }, "Job"), ...panes];
    ways.replaceChildren(...found.flatMap((way) => [way, " "]));
  }

  function showTree() {
    // A row that is replaced while it is pressed gets no click.
    if (tree.matches(":active")) return;
    rest.replaceChildren(...restOf(live.left_out));
    const focused = tree.getRootNode().activeElement?.dataset?.run;
    tree.replaceChildren(...live.rows.map(line));
    if (focused) tree.querySelector(`[data-run="${focused}"]`)?.focus({ preventScroll: true });
  }

  function showLog() {
    const isAtEnd = tail.scrollHeight - tail.scrollTop - tail.clientHeight < 30;
    if (tail.textContent !== live.tail) tail.textContent = live.tail;
    tail.hidden = !live.tail;
    if (isAtEnd) tail.scrollTop = tail.scrollHeight;
    const elsewhere = live.log && !live.tail ? "empty, or on another machine: " : "";
    where.textContent = live.log ? `log: ${elsewhere}${live.log}` : "";
    where.hidden = !live.log;
  }

  function line(row) {
    const pick = () => state.set({ selected: row.id === state.get("selected") ? "" : row.id });
    return make(
      "div",
      {
        class: "lg-step",
        role: "option",
        tabindex: "0",
        "data-run": row.id,
        "aria-selected": String(row.id === state.get("selected")),
        style: `padding-left:${10 + 18 * row.depth}px`,
        title: row.said,
        onclick: pick,
        onkeydown: (event) => event.key === "Enter" && pick(),
      },
      stateBadge(row.state),
      make("span", { class: "lg-what" }, row.name),
      make("span", { class: "lg-soft" }, row.began ? formatElapsed(row.began, row.ended) : ""),
      row.stages.map(stageBar),
    );
  }

  const unwatch = state.watch({ selected: load, run_id: turn });
  const isOver = () => live?.is_over && !live.away;
  const isDue = (at) => performance.now() - at >= OVER_MS;
  every(EVERY_MS, async (isWoken) => {
    if (isDue(muteAskedAt)) loadMute();
    if (isWoken || !isOver() || isDue(askedAt)) await load();
  });
  load();
  loadMute();
  loadWays();
  return () => {
    leave();
    unwatch();
  };
}

function stageBar(stage) {
  const { id, job, name, tasks, done, active, failed } = stage;
  const words = `${done} of ${tasks} tasks, ${active} running${failed ? `, ${failed} failed` : ""}`;
  return make(
    "div",
    { class: "lg-stage", title: `stage ${id} of job ${job}: ${name}` },
    make("span", { class: "lg-soft" }, `stage ${id}`),
    make("progress", { max: tasks || 1, value: done, "aria-label": `stage ${id}: ${words}` }),
    make("span", {}, words),
    make("span", { class: "lg-soft lg-at" }, name),
  );
}
