// The overview: what failed, runs, waits, is stale or was given up, and what comes next.

import { button, make, nothing, redraw, stateBadge, table, titleBar } from "../dom.js";
import {
  formatElapsed,
  formatMoment,
  formatPartition,
  formatReason,
  formatTime,
} from "../format.js";
import { address } from "../page/address.js";
import { panel } from "../panel.js";
import { pauseBox } from "../pause.js";

const EVERY_MS = 5000;
// What takes long in a large graph is asked less often.
const STALE_MS = 30_000;
const FORECAST_MS = 60_000;
// The server answers no more rows of a group than these.
const MOST = 100;
const FIRST = 10;
const HELD = "it stands still while text in it is selected";
// Names of the groups whose rows are all shown.
const whole = new Set();

export function now(host) {
  const { root, ask, askNewest, report, loaded, every, leave } = panel(host, "now", "Now");
  const at = make("span", { class: "lg-soft", role: "status" });
  const groups = make("div", { class: "lg-cards lg-labels" });
  const around = make("input", { type: "time", onchange: askAround });
  const soon = make("label", { class: "lg-around" }, "What runs around ", around);
  const pause = pauseBox(ask, report, load);
  root.append(titleBar("Now", at, soon), pause.element, groups);

  let found = null;
  let shownAt = "";
  let stale = null;
  let staleAt = 0;
  let forecast = null;
  let foreseenAt = 0;

  async function findStale() {
    if (Date.now() - staleAt < STALE_MS) return;
    staleAt = Date.now();
    stale = await ask("stale");
    show();
  }

  async function foresee() {
    if (Date.now() - foreseenAt < FORECAST_MS) return;
    foreseenAt = Date.now();
    const asked = around.value;
    const foreseen = await ask("forecast", asked ? { around: asked } : {});
    if (asked !== around.value) return;
    forecast = { ...foreseen, ...titles(asked) };
    show();
  }

  function askAround() {
    foreseenAt = 0;
    forecast = null;
    return load();
  }

  async function load() {
    try {
      const latest = await askNewest("now");
      if (!latest) return;
      found = latest;
      loaded();
      pause.show(found.paused);
      show();
      await findStale();
      await foresee();
    } catch (error) {
      loaded(error);
    }
  }

  function show() {
    const isHeld = hasSelection();
    // What is replaced while it is pressed gets no click.
    if (!groups.matches(":active") && !isHeld) {
      redraw(groups, draw(found, stale, forecast));
      shownAt = formatMoment(found.at);
    }
    const words = isHeld ? `${shownAt}: ${HELD}` : shownAt;
    // A status that is written anew is read out anew.
    if (at.textContent !== words) at.textContent = words;
  }

  const hasSelection = () => {
    const selection = getSelection();
    return !selection.isCollapsed && groups.contains(selection.anchorNode);
  };

  every(EVERY_MS, load);
  load();
  return leave;
}

function draw(found, stale, forecast) {
  return [
    group("Failed in the last 24 hours", found.failed, ["When", "Job", "Reason"], (run) => [
      runLink(run, formatTime(run.at)),
      jobLink(run),
      [[run.reason, run.error].filter(Boolean).join(": "), seen(run.acknowledgement)],
    ]),
    group("Running", found.running, ["Since", "Job", "For"], (run) => [
      runLink(run, formatTime(run.at)),
      jobLink(run),
      formatElapsed(run.at),
    ]),
    group("Queued and waiting", found.waiting, ["Since", "Job", "State"], (run) => [
      runLink(run, formatTime(run.at)),
      jobLink(run),
      [stateBadge(run.state), run.error ? ` ${run.error}` : ""],
    ]),
    group("Stale", stale, ["Job or dataset", "Why"], (row) => [
      make("a", { href: address("freshness", row.node) }, row.node),
      row.why,
    ]),
    group("Given up", found.dead, ["When", "Trigger", "Reason"], (firing) => [
      formatTime(firing.at),
      make(
        "a",
        { href: address("triggers", firing.trigger_id) },
        firing.trigger_name ?? firing.trigger_id,
      ),
      formatReason([firing.kept_back, firing.reason].filter(Boolean).join("; ")),
    ]),
    group(
      forecast?.title ?? "Next 12 hours",
      forecast?.runs ?? found.next,
      ["When", "Job", "Why"],
      (run) => [
        formatTime(run.at),
        make("a", { href: address("job", run.job) }, run.job),
        run.trouble
          ? make("span", { class: "lg-trouble" }, `will be given up: ${run.trouble}`)
          : (formatReason(run.reason) ?? run.trigger),
      ],
      forecast?.total,
    ),
    ...(forecast
      ? [
          group(forecast.staleTitle, forecast.stale, ["From", "Job or dataset", "Why"], (row) => [
            formatTime(row.at),
            make("a", { href: address("freshness", row.node) }, row.node),
            row.why,
          ]),
        ]
      : []),
  ];
}

function titles(around) {
  if (!around) return { title: "Next 12 hours", staleTitle: "Stale in 12 hours" };
  return { title: `Around ${around}`, staleTitle: `Stale at ${around}` };
}

/**
 * Make a group with its first rows; all of them stay shown once a person has asked for them. Rows
 * that are null are still asked for; `total` counts those that are not among them too.
 */
function group(name, rows, head, cells, total) {
  if (!rows) return card(name, name, true, nothing("Loading…"));
  const lines = rows.map((row) => cells(row).map((cell) => make("span", {}, cell ?? "")));
  const count = total ?? (rows.length < MOST ? rows.length : `${MOST} or more`);
  const body = make("div");
  const show = () => {
    const some = whole.has(name) ? lines : lines.slice(0, FIRST);
    const more = () => {
      whole.add(name);
      show();
    };
    body.replaceChildren(
      table(head, some),
      some.length < lines.length ? button(`Show all ${lines.length}`, more) : "",
    );
  };
  if (rows.length) show();
  else body.append(nothing("none"));
  return card(name, `${name} (${count})`, !rows.length, body);
}

function card(name, title, isEmpty, body) {
  const attributes = { class: `lg-group ${isEmpty ? "lg-none" : ""}`, "aria-label": name };
  return make("section", attributes, make("h2", {}, title), body);
}

function seen(acknowledgement) {
  if (!acknowledgement) return "";
  const { author, note } = acknowledgement;
  const text = `acknowledged by ${author}${note ? `: ${note}` : ""}`;
  return make("div", { class: "lg-soft" }, text);
}

function runLink(run, text) {
  return make("a", { href: address("run", run.id) }, text);
}

function jobLink(run) {
  const partition = run.partition
    ? make("span", { class: "lg-soft" }, ` ${formatPartition(run.partition)}`)
    : "";
  return [make("a", { href: address("job", run.job, run.namespace) }, run.job), partition];
}
