// Backfills: the form that starts one, all of them with their progress, and the partitions of one.

import { make, nothing, redraw, restOf, stateBadge, table, titleBar } from "../dom.js";
import { formatCount, formatMoment, formatSeconds } from "../format.js";
import { address } from "../page/address.js";
import { panel } from "../panel.js";
import { drawBackfill } from "./detail.js";
import { startForm } from "./form.js";

const EVERY_MS = 3000;
const HEAD = ["Backfill", "Pipeline", "State", "Progress", "Failed", "Time left", "Started"];

export function backfills(host) {
  const { state } = host;
  const { root, ask, askNewest, report, loader, every, leave } = panel(
    host,
    "backfills",
    "Backfills",
  );
  const list = make("section", { class: "lg-group lg-cards lg-labels", "aria-label": "Backfills" });
  const detail = make("section", { class: "lg-group", "aria-label": "Partitions", hidden: true });
  const started = (id) => {
    report(null);
    state.set({ selected: id });
    return load();
  };
  const { job, namespace } = { job: state.get("job"), namespace: state.get("namespace") };
  const form = startForm({ job, namespace, ask, report, started });
  root.append(titleBar("Backfills"), form, detail, list);

  const load = loader("backfills", (found) => {
    if (!list.matches(":active")) redraw(list, drawList(found));
    return show();
  });

  async function show() {
    const id = state.get("selected");
    detail.hidden = !id;
    if (!id) return;
    const found = await askNewest("backfill", { backfill_id: id });
    if (found && !detail.matches(":active")) redraw(detail, drawBackfill(found, act));
  }

  async function act(question) {
    try {
      await ask(question, { backfill_id: state.get("selected") });
      report(null);
      await load();
    } catch (error) {
      report(error.message);
    }
  }

  every(EVERY_MS, load);
  load();
  return leave;
}

function drawList({ items: found, total }) {
  const heading = make("h2", {}, `Backfills (${formatCount(total)})`);
  if (!found.length) return [heading, nothing("No backfills yet. The form above starts one.")];
  const rows = found.map(({ about, progress }) => [
    make("a", { href: address("backfills", about.id) }, about.id),
    make("a", { href: address("job", about.job, about.namespace) }, about.job),
    stateBadge(about.state),
    `${formatCount(progress.done)} of ${formatCount(about.total)}`,
    formatCount(progress.failed),
    progress.rest_seconds ? formatSeconds(progress.rest_seconds) : "",
    formatMoment(about.created_at),
  ]);
  return [heading, table(HEAD, rows), ...restOf(total - found.length)];
}
