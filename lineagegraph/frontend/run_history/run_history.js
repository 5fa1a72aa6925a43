// The history of a job: a bar for each run; the chosen one's timeline, differences and reruns; the
// trend of all.

import { browserLink, isShortcut, make, nothing, stateBadge, titleBar } from "../dom.js";
import {
  elapsedSeconds,
  formatDay,
  formatElapsed,
  formatMoment,
  formatReason,
  formatSeconds,
} from "../format.js";
import { muteBox } from "../mute.js";
import { panel } from "../panel.js";
import { diffView } from "./diff.js";
import { asWasView, factsView } from "./facts.js";
import { rerunView } from "./rerun.js";
import { startView } from "./start.js";
import { timeline } from "./timeline.js";
import { trendView } from "./trend.js";

const EVERY_MS = 5000;
// The server answers no more runs than these.
const MOST = 60;
const UNFINISHED = ["PENDING", "WAITING", "RUNNING"];
const [TIMELINE, TREND, COMPARE] = ["Timeline", "Trend", "Compare"];
const [AS_WAS, ABOUT] = ["As it was", "About the job"];
const [AGAIN, START] = ["Run again", "Start a run"];
// They stay as they were drawn while newer runs arrive.
const OF_ONE_RUN = [AS_WAS, COMPARE, AGAIN];
const FOR_OPERATORS = [AGAIN, START];
const PANES = [TIMELINE, AS_WAS, COMPARE, TREND, ABOUT, ...FOR_OPERATORS];

export function runHistory(host) {
  const { state } = host;
  const { root, ask, askNewest, report, loaded, every, leave } = panel(
    host,
    "history",
    "Run history",
  );
  const title = make("h1", {}, `Runs of ${state.get("job")}`);
  const counts = make("span", { class: "lg-soft" });
  const bars = make("div", {
    class: "lg-bars",
    role: "listbox",
    "aria-label": "Runs, the newest right",
    onkeydown: press,
  });
  const facts = make("div", { class: "lg-facts" });
  const buttons = PANES.map(tabButton);
  const tabs = make("div", { class: "lg-bar lg-tabs", role: "tablist", hidden: true }, buttons);
  const pane = make("div", { class: "lg-pane", role: "tabpanel" });
  const lines = timeline();
  const job = () => ({ job: state.get("job"), namespace: state.get("namespace") });
  const showRun = (run) => {
    report(null);
    state.set({ selected: run, pane: TIMELINE });
  };
  const trend = trendView({ ask, about: job, choose: showRun });
  const about = factsView({ ask, about: job, report, link: host.address });
  const mute = muteBox({ ask, about: job, report });
  let runs = [];
  let known = "";
  let drawn = "";
  // The run that such a pane shows, whether a person chose it or it was the newest.
  let held = "";
  const loading = nothing("Loading…");

  root.append(
    titleBar(title, counts, make("button", { onclick: () => load(true) }, "Refresh")),
    mute.element,
    bars,
    facts,
    tabs,
    pane,
  );

  async function load(redraw = false) {
    try {
      const [found] = await Promise.all([askNewest("runs", job()), mute.load()]);
      if (!found) return;
      tabs.hidden = false;
      loaded();
      const text = JSON.stringify(found);
      const isSame = text === known;
      [runs, known] = [found, text];
      if (
        isSame &&
        !redraw &&
        !runs.some((run) => run.id === chosen() && UNFINISHED.includes(run.state))
      )
        return;
      showBars();
      showPane(false);
    } catch (error) {
      loaded(error);
    }
  }

  function open() {
    return PANES.includes(state.get("pane")) ? state.get("pane") : TIMELINE;
  }

  function chosen() {
    return state.get("selected") || held || runs.at(-1)?.id || "";
  }

  /** Keep the run for a pane that shows only one, and return it; others go on to the newest. */
  function hold(shown) {
    const before = chosen();
    held = OF_ONE_RUN.includes(shown) ? before : "";
    if (chosen() !== before) showBars();
    return chosen();
  }

  function other() {
    const compared = state.get("compared");
    if (compared && compared !== chosen()) return compared;
    const at = runs.findIndex((run) => run.id === chosen());
    return (runs[at - 1] ?? runs[at + 1])?.id ?? "";
  }

  function showBars() {
    title.textContent = `Runs of ${state.get("job")}`;
    const bad = runs.filter((run) => run.state === "FAILED").length;
    const some = `${runs.length} run${runs.length === 1 ? "" : "s"}, ${bad} failed`;
    const all = runs.length < MOST ? some : `the newest ${some}`;
    counts.textContent = runs.length ? all : "No runs yet.";
    const longest = Math.max(...runs.map(lengthOf), 0.001);
    const had = bars.contains(bars.getRootNode().activeElement);
    bars.replaceChildren(...runs.map((run) => bar(run, longest)));
    markDays();
    const current = bars.querySelector("[aria-selected=true]");
    if (had) current?.focus({ preventScroll: true });
    if (current) bars.scrollLeft = current.offsetLeft - bars.clientWidth / 2;
    showFacts();
  }

  function bar(run, longest) {
    const isChosen = run.id === chosen();
    const words = `${run.state}, ${formatMoment(run.began)}, ${formatSeconds(lengthOf(run))}`;
    return make(
      "div",
      {
        role: "option",
        class: `lg-one ${run.id === state.get("compared") ? "lg-other" : ""}`,
        tabindex: isChosen ? "0" : "-1",
        "aria-selected": String(isChosen),
        "aria-label": words,
        title: `${words}\n${run.id}${run.said ? `\n${run.said.slice(0, 300)}` : ""}`,
        "data-run": run.id,
        onclick: () => choose(run.id),
      },
      make("i", {
        class: `lg-run ${run.state.toLowerCase()}`,
        style: `height:${4 + (64 * lengthOf(run)) / longest}px`,
      }),
    );
  }

  /** Write each day below its first run, if there is room. */
  function markDays() {
    let [last, end] = ["", -1];
    for (const [at, run] of runs.entries()) {
      const day = formatDay(run.began);
      const one = bars.children[at];
      if (day !== last && one.offsetLeft > end) {
        one.append(make("small", {}, day));
        one.ariaLabel += `, ${day}`;
        end = one.offsetLeft + one.lastChild.offsetWidth;
      }
      last = day;
    }
  }

  function showFacts() {
    const run = runs.find((one) => one.id === chosen());
    const parts = run && [
      formatMoment(run.began),
      run.is_begun
        ? `${run.ended ? "took" : "running for"} ${formatElapsed(run.began, run.ended)}`
        : "has not begun",
      run.version && `version ${run.version.slice(0, 10)}`,
      formatReason(run.why),
    ];
    if (!run) return facts.replaceChildren(chosen());
    facts.replaceChildren(
      stateBadge(run.state),
      ` ${run.id} `,
      ...(host.address ? [make("a", { href: host.address("run", run.id) }, "Live run"), " "] : []),
      make("span", { class: "lg-soft" }, parts.filter(Boolean).join(" · ")),
      " ",
      browserLink(run.url),
    );
  }

  async function showPane(redraw = true) {
    const shown = open();
    for (const tab of buttons) tab.setAttribute("aria-selected", String(tab.textContent === shown));
    // What was asked for before the runs were known is not shown yet.
    if (!redraw && ![TIMELINE, TREND].includes(shown) && pane.hasChildNodes()) return;
    if (shown !== drawn) pane.replaceChildren(loading);
    drawn = shown;
    const run = hold(shown);
    try {
      if (shown === START) return await showStart();
      if (shown === ABOUT) return await showPart(ABOUT, about);
      if (!run) return pane.replaceChildren();
      if (shown === TIMELINE) await showTimeline(run);
      else if (shown === TREND) await showPart(TREND, trend);
      else if (shown === AS_WAS) await showAsWas(run);
      else if (shown === COMPARE) await showDiff(run);
      else pane.replaceChildren(rerunView({ ask, run, report, started: () => load(true) }));
    } catch (error) {
      loading.remove();
      // The next regular load draws it.
      if (error.isAway) known = "";
      if (redraw && !error.isAway) report(error.message);
      else loaded(error);
    }
  }

  async function showTimeline(run) {
    const found = await ask("tree", { run });
    if (run !== chosen() || open() !== TIMELINE) return;
    if (!pane.contains(lines.element)) pane.replaceChildren(lines.element);
    lines.show(found);
  }

  async function showPart(name, part) {
    await part.load();
    if (open() === name && !pane.contains(part.element)) pane.replaceChildren(part.element);
  }

  async function showAsWas(run) {
    const found = await ask("as_was", { run });
    if (run === chosen() && open() === AS_WAS) pane.replaceChildren(asWasView(found, host.address));
  }

  async function showDiff(run) {
    const before = other();
    const pick = make(
      "select",
      { "aria-label": "Compare with", onchange: () => compareWith(pick.value) },
      [...runs]
        .reverse()
        .filter((one) => one.id !== run)
        .map((one) =>
          make(
            "option",
            { value: one.id, selected: one.id === before },
            `${formatMoment(one.began)} ${one.state}`,
          ),
        ),
    );
    if (!before)
      return pane.replaceChildren(
        make("p", { class: "lg-again" }, "There is no other run to compare it with."),
      );
    const view = make("div", {}, loading);
    pane.replaceChildren(
      make("div", { class: "lg-bar" }, make("label", {}, "with the run of ", pick)),
      view,
    );
    const found = await ask("diff", { before, after: run });
    if (view.isConnected) view.replaceChildren(diffView(found));
  }

  async function showStart() {
    const about = job();
    const parameters = await ask("parameters", about);
    const start = async (params) => {
      const run = await ask("start", { ...about, params });
      await load();
      state.set({ pane: TIMELINE });
      choose(run);
    };
    if (open() === START) pane.replaceChildren(startView({ parameters, start, report }));
  }

  function tabButton(name) {
    const attributes = { role: "tab", class: FOR_OPERATORS.includes(name) && "lg-act" };
    return make("button", { ...attributes, onclick: () => turnTo(name) }, name);
  }

  function turnTo(name) {
    report(null);
    if (name === open()) showPane();
    else state.set({ pane: name });
  }

  function choose(run) {
    report(null);
    state.set({ selected: run });
  }

  function compareWith(run) {
    if (run === chosen()) return;
    state.set({ compared: run });
    turnTo(COMPARE);
  }

  function press(event) {
    const at = runs.findIndex((run) => run.id === event.target.dataset.run);
    const moves = {
      ArrowLeft: () => move(at - 1),
      ArrowRight: () => move(at + 1),
      Home: () => move(0),
      End: () => move(runs.length - 1),
      Enter: () => choose(runs[at].id),
      c: () => compareWith(runs[at].id),
    };
    if (at < 0 || isShortcut(event) || !moves[event.key]) return;
    moves[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }

  function move(at) {
    const to = bars.children[Math.min(Math.max(at, 0), runs.length - 1)];
    for (const one of bars.children) one.tabIndex = one === to ? 0 : -1;
    to.focus();
  }

  const turned = () => {
    showBars();
    showPane();
  };
  const anew = (show) => () => {
    held = "";
    show();
  };
  const unwatch = state.watch({
    selected: anew(turned),
    compared: turned,
    job: anew(() => load(true)),
    namespace: anew(() => load(true)),
    pane: showPane,
  });
  every(EVERY_MS, () => load());
  load(true);
  return () => {
    leave();
    unwatch();
  };
}

function lengthOf(run) {
  return run.is_begun ? elapsedSeconds(run.began, run.ended) : 0;
}
