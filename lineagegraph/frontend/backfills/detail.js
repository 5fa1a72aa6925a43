// One backfill: how far it has come, what can be done with it, and its partitions.

import { actButton, make, restOf, stateBadge, table } from "../dom.js";
import {
  formatCount,
  formatElapsed,
  formatPartition,
  formatSeconds,
  formatTime,
} from "../format.js";
import { address } from "../page/address.js";

const HEAD = ["Partition", "State", "Started", "Took", "Why"];

/** Draw a backfill; `act` takes `pause`, `resume` or `cancel`. */
export function drawBackfill({ backfill: { about, progress }, partitions, total }, act) {
  const { failed, active, waiting, done, rest_seconds } = progress;
  const words = [
    `${formatCount(done)} of ${formatCount(about.total)} done`,
    `${formatCount(failed)} failed`,
    `${formatCount(active)} in progress`,
    `${formatCount(waiting)} waiting`,
    rest_seconds && `about ${formatSeconds(rest_seconds)} left`,
  ].filter(Boolean);
  const acts = { RUNNING: ["pause", "cancel"], PAUSED: ["resume", "cancel"] }[about.state] ?? [];
  const names = { pause: "Pause backfill", resume: "Resume backfill", cancel: "Cancel backfill" };
  return [
    make("h2", {}, `${about.job} `, make("span", { class: "lg-soft" }, about.id)),
    make(
      "div",
      { class: "lg-fields" },
      stateBadge(about.state),
      make("progress", { max: about.total || 1, value: done, "aria-label": "Progress" }),
      make("span", { role: "status" }, words.join(", ")),
      acts.map((question) => actButton(names[question], () => act(question))),
    ),
    about.reason && make("p", {}, about.reason),
    make("div", { class: "lg-cards lg-labels lg-scroll" }, table(HEAD, partitions.map(row))),
    ...restOf(total - partitions.length),
  ].filter(Boolean);
}

function row(one) {
  const name = formatPartition(one.partition ?? one.params);
  return [
    one.run_id ? make("a", { href: address("run", one.run_id) }, name) : name,
    stateBadge(one.state),
    one.started_at ? formatTime(one.started_at) : "",
    one.started_at ? formatElapsed(one.started_at, one.ended_at) : "",
    [one.reason, one.error].filter(Boolean).join(": "),
  ];
}
