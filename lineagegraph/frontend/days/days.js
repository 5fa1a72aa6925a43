// Days: the critical path of one, and what differs from the day before.

import { button, hasFocus, make, nothing, stateBadge, table, titleBar } from "../dom.js";
import { field } from "../fields.js";
import { formatCount, formatSeconds, formatTime, today } from "../format.js";
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
const CHANGES_MS = 60_000;

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
  // Of both parts: whether its days were over when it was asked for, when that was, and its answer.
  const last = { path: {}, compare: {} };
  // The two days of which all jobs are shown.
  let unfolded = "";

  async function showPath() {
    await answering("path", { day: day.value || "today" }, (found) => {
      fill(day, found.day);
      path.replaceChildren(...drawPath(found));
    });
  }

  async function showCompared() {
    const about = { before: before.value || "yesterday", after: after.value || "today" };
    await answering("compare", about, (found) => {
      fill(before, found.before);
      fill(after, found.after);
      const days = `${found.before} ${found.after}`;
      const unfold = () => (unfolded = days);
      compared.replaceChildren(drawCompared(found, unfolded === days, unfold));
    });
  }

  async function answering(question, about, draw) {
    try {
      const [now, at] = [today(), performance.now()];
      const found = await askNewest(question, about);
      if (!found) return;
      loaded();
      const isOpen = [found.day, found.before, found.after].some((one) => one >= now);
      const text = JSON.stringify(found);
      const isSame = text === last[question].text;
      last[question] = { isOpen, at, text };
      if (!isSame) draw(found);
    } catch (error) {
      isMissing = true;
      loaded(error);
    }
  }

  async function showBoth() {
    isMissing = false;
    await Promise.all([showPath(), showCompared()]);
  }

  /** Ask again for days that were not over, but not while a person is in what would be replaced. */
  async function showChanges() {
    const isDue = ({ isOpen, at }) => isOpen && performance.now() - at >= CHANGES_MS;
    const isUsed = (part) => hasFocus(part) || part.matches(":active");
    if (isDue(last.path) && day.value && !isUsed(path)) await showPath();
    const isWhole = before.value && after.value;
    if (isDue(last.compare) && isWhole && !isUsed(compared)) await showCompared();
  }

  // What a day was does not change once it is over; what could not be answered is asked again.
  every(AGAIN_MS, () => (isMissing ? showBoth() : showChanges()), false);
  showBoth();
  return leave;
}

/** Fill in a date; the same one would put the cursor back to its first part. */
function fill(input, value) {
  if (input.value !== value) input.value = value;
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

function drawCompared({ jobs }, isWhole, unfold) {
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
  if (isWhole || rows.length <= MOST) return draw(rows);
  const part = make("div", {}, draw(rows.slice(0, MOST)));
  const showAll = () => {
    unfold();
    part.replaceChildren(draw(rows));
  };
  part.append(button(`Show all ${rows.length} jobs`, showAll));
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
