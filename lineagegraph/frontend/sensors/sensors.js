// Sensors: what they look for and what they last found, and the waits of one.

import { make, nothing, redraw, restOf, stateBadge, table, titleBar } from "../dom.js";
import { formatMoment } from "../format.js";
import { address } from "../page/address.js";
import { panel } from "../panel.js";
import { drawSensor } from "./detail.js";
import { settleForm } from "./settle.js";

const EVERY_MS = 3000;
const HEAD = ["Looks for", "Waiting", "Watched", "Answer", "Last poke", "Next poke", "Expected"];

export function sensors(host) {
  const { state } = host;
  const { root, ask, askNewest, report, loader, every, leave } = panel(host, "sensors", "Sensors");
  const list = make("section", { class: "lg-group lg-cards lg-labels", "aria-label": "Sensors" });
  const detail = make("section", { class: "lg-group", "aria-label": "Waits", hidden: true });
  const settle = settleForm({ settle: end, report });
  root.append(titleBar("Sensors"), detail, settle.element, list);

  const load = loader("sensors", (found) => {
    if (!list.matches(":active")) redraw(list, drawList(found));
    return show();
  });

  async function show() {
    const sensor = state.get("selected");
    if (!sensor) return;
    const found = await askNewest("sensor", { sensor });
    if (!found) return;
    detail.hidden = false;
    if (!detail.matches(":active")) redraw(detail, drawSensor(found));
    settle.show(found.waits.filter((wait) => wait.is_open));
  }

  async function end(about) {
    await ask("settle", about);
    report(null);
    await load();
  }

  every(EVERY_MS, load);
  load();
  return leave;
}

function answerOf({ poked_at, is_true, fault }) {
  if (fault) return [stateBadge("failed", "fault"), ` ${fault}`];
  if (!poked_at) return ["not poked yet"];
  return [is_true ? stateBadge("success", "true") : stateBadge("waiting", "not yet")];
}

function drawList({ sensors: found, total }) {
  const heading = make("h2", {}, `Sensors (${total})`);
  if (!found.length)
    return [heading, nothing("No sensors yet. They appear when runs wait or triggers watch.")];
  const rows = found.map((one) => [
    make("a", { href: address("sensors", one.id) }, one.looks_for),
    String(one.waits),
    String(one.watches || ""),
    make("span", {}, answerOf(one)),
    one.poked_at ? formatMoment(one.poked_at) : "",
    one.next_at ? formatMoment(one.next_at) : "",
    one.expected_at ? formatMoment(one.expected_at) : "",
  ]);
  return [heading, table(HEAD, rows), ...restOf(total - found.length)];
}
