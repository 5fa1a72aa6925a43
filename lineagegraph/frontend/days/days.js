// Days: the critical path of one, and what differs from the day before.

import { button, make, nothing, stateBadge, table, titleBar } from "../dom.js";
import { field } from "../fields.js";
import { formatCount, formatSeconds, formatTime } from "../format.js";
import { address } from "../page/address.js";
import { panel } from "../panel.js";

const MOST = 50;
// What a run of the critical path followed.
const AFTER = {
  data: "its data",
  trigger: "its trigger",
  dependency: "a job it depends on",
  order: "the task before it",
  rerun: "the run it repeats",
  retry: "a failed attempt",
};
const AGAIN_MS = 10_000;

export function days(host) {
  const { root, askNewest, loaded, every, leave } = panel(host, "days", "Days");
  const [path, compared] = [1, 2].map(() => make("div", {}, nothing("Loading…")));
  const dayInput = (load) => make("input", { type: "date", onchange: load });
  const [day, before, after] = [dayInput(showPath), dayInput(showCompared), dayInput(showCompared)];
  root.append(
    titleBar("Days"),
    group("Critical path", [field("Day", day)], path),
    group("Compare two days", [field("Day before", before), field("Day after", after)], compared),
  );

  let isMissing = false;

  async function showPath() {
    await answering("path", { day: day.value || "today" }, (found) => {
      day.value = found.day;
      path.replaceChildren(...drawPath(found));
    });
  }

  async function showCompared() {
    const about = { before: before.value || "yesterday", after: after.value || "today" };
    await answering("compare", about, (found) => {
      [before.value, after.value] = [found.before, found.after];
      compared.replaceChildren(drawCompared(found));
    });
  }

  async function answering(question, about, draw) {
    try {
      const found = await askNewest(question, about);
      if (!found) return;
      loaded();
      draw(found);
    } catch (error) {
      isMissing = true;
      loaded(error);
    }
  }

  async function showBoth() {
    isMissing = false;
    await Promise.all([showPath(), showCompared()]);
  }

  // What a day was does not change: only what could not be answered is asked again.
  every(AGAIN_MS, () => isMissing && showBoth(), false);
  showBoth();
  return leave;
}

function group(name, fields, content) {
  return make(
    "section",
    { class: "lg-group lg-cards lg-labels", "aria-label": name },
    make("h2", {}, name),
    make("div", { class: "lg-fields" }, fields),
    content,
  );
}

function drawPath({ day, legs, worked, waited }) {
  if (!legs.length) return [nothing(`No run of ${day} has ended.`)];
  const rows = legs.map((leg) => [
    make("a", { href: address("run", leg.run) }, formatTime(leg.began)),
    jobLink(leg),
    stateBadge(leg.state),
    AFTER[leg.by] ?? "",
    formatSeconds(leg.waited),
    formatSeconds(leg.worked),
  ]);
  const sum = `${formatSeconds(worked)} of work, ${formatSeconds(waited)} of waits`;
  return [table(["Began", "Job", "State", "After", "Waited", "Worked"], rows), make("p", {}, sum)];
}

function drawCompared({ jobs }) {
  if (!jobs.length) return nothing("Nothing ran on either day.");
  const rows = jobs.map((one) => [
    jobLink(one),
    one.changed.join(", ") || make("span", { class: "lg-soft" }, "as before"),
    pair(one.runs_before, one.runs_after),
    pair(states(one.states_before), states(one.states_after)),
    pair(
      ...[one.seconds_before, one.seconds_after].map((took) =>
        took == null ? null : formatSeconds(took),
      ),
    ),
    pair(...[one.rows_before, one.rows_after].map(formatCount)),
  ]);
  const draw = (some) => table(["Job", "Changed", "Runs", "States", "Took", "Rows"], some);
  if (rows.length <= MOST) return draw(rows);
  const part = make("div", {}, draw(rows.slice(0, MOST)));
  part.append(button(`Show all ${rows.length} jobs`, () => part.replaceChildren(draw(rows))));
  return part;
}

function jobLink({ job, namespace }) {
  return make("a", { href: address("job", job, ...(namespace ? [namespace] : [])) }, job);
}

function states(counts) {
  return Object.entries(counts)
    .map(([state, count]) => `${count} ${state}`)
    .join(", ");
}

function pair(before, after) {
  return before === after ? (before ?? "") : `${before || "–"} → ${after || "–"}`;
}
