// One sensor: facts about it, and the runs that wait or waited for it.

import { factList, make, nothing, stateBadge, table } from "../dom.js";
import { formatMoment } from "../format.js";
import { address } from "../page/address.js";

const NAMES = { smart_pending: "waiting", smart_running: "waiting", up_for_retry: "up for retry" };
const HEAD = ["Run", "State", "Since", "Expected", "Reason"];

/** Draw a sensor with its waits. */
export function drawSensor({ sensor, facts, waits }) {
  const lines = sensor.fault ? [["fault", sensor.fault], ...facts] : facts;
  return [
    make("h2", {}, `${sensor.looks_for} `, make("span", { class: "lg-soft" }, sensor.id)),
    factList(lines),
    waits.length
      ? make("div", { class: "lg-cards lg-labels lg-scroll" }, table(HEAD, waits.map(row)))
      : nothing("No run has waited for it."),
  ];
}

function row(wait) {
  return [
    make("a", { href: address("run", wait.run_id) }, wait.job ?? wait.run_id),
    stateBadge(wait.state, NAMES[wait.state]),
    formatMoment(wait.began_at),
    wait.expected_at ? formatMoment(wait.expected_at) : "",
    wait.said,
  ];
}
