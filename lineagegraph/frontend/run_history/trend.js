// The trend of a job: a measure of its completed runs over time, its levels and change points.

import { draw, make, table } from "../dom.js";
import { formatCount, formatDay, formatMoment, formatSeconds, formatTime } from "../format.js";

const MEASURES = [
  ["seconds", "duration"],
  ["rows", "rows written"],
  ["executor_seconds", "time of Spark executors"],
  ["core_seconds", "time of Spark cores"],
];
const [WIDTH, HEIGHT] = [900, 240];
const [LEFT, RIGHT, TOP, BOTTOM] = [84, 16, 46, 28];
const [MINUTE, HOUR, DAY] = [60, 3600, 86400];
const TIME_STEPS = [
  ...[15, 30],
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5].map((days) => days * DAY),
];
const DAY_WIDTH = 70;
const LABEL_WIDTH = 150;

/** Make a trend; `load()` asks for it, and `choose` takes the id of a run. */
export function trendView({ ask, about, choose }) {
  const pick = make(
    "select",
    { "aria-label": "Measure", onchange: () => load() },
    MEASURES.map(([value, text]) => make("option", { value }, text)),
  );
  const place = make("div", { class: "lg-trend" });
  const bar = make("div", { class: "lg-bar" }, make("label", {}, "trend of the ", pick));

  async function load() {
    const measure = pick.value;
    const found = await ask("trend", { ...about(), measure });
    if (measure === pick.value) place.replaceChildren(...picture(found, choose));
  }

  return { element: make("div", {}, bar, place), load };
}

function picture(trend, choose) {
  if (!trend.points.length) return [make("p", {}, "No completed run has this measure.")];
  const format = formatOf(trend.measure);
  return [
    make("div", { class: "lg-scroll", tabindex: "0" }, chart(trend, format, choose)),
    make("p", {}, summary(trend, format)),
    trend.changes.length ? changeTable(trend.changes, format, choose) : "",
  ];
}

function formatOf(measure) {
  return measure === "rows" ? (value) => formatCount(Math.round(value)) : formatSeconds;
}

/** Return a trend in one sentence. */
export function summary({ points, levels, changes }, format) {
  const far = points.filter((point) => point.is_outlier).length;
  const since = changes.length ? ` since ${formatMoment(levels.at(-1).since)}` : "";
  const parts = [
    `${points.length} completed run${points.length === 1 ? "" : "s"}`,
    `usually ${format(levels.at(-1).middle)}${since}`,
    `${changes.length || "no"} change point${changes.length === 1 ? "" : "s"}`,
    `${far || "no"} outlier${far === 1 ? "" : "s"}`,
  ];
  return `${parts.join(", ")}.`;
}

function changeTable(changes, format, choose) {
  const rows = changes.map((change) => [
    formatMoment(change.at),
    format(change.before),
    `${format(change.after)}${change.factor ? ` (× ${change.factor.toPrecision(2)})` : ""}`,
    change.version ? change.version.slice(0, 12) : "",
    make("button", { type: "button", onclick: () => choose(change.run) }, "Show run"),
  ]);
  return table(["Changed", "Before", "After", "Version that began", ""], rows);
}

function chart(trend, format, choose) {
  const { points, levels, changes } = trend;
  const top = ceiling(trend);
  const x = (at) => LEFT + ((at + 0.5) * (WIDTH - LEFT - RIGHT)) / points.length;
  const y = (value) => HEIGHT - BOTTOM - (Math.min(value, top) / top) * (HEIGHT - TOP - BOTTOM);
  const starts = startsOf(levels);
  const rules = ticksTo(top, trend.measure !== "rows").map((value) => [
    draw("line", { class: "lg-rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
    draw("text", { class: "lg-end", x: LEFT - 8, y: y(value) + 4 }, format(value)),
  ]);
  const lines = levels.map(({ runs, middle }, n) =>
    draw("line", {
      class: "lg-level",
      x1: x(starts[n] - 0.5),
      x2: x(starts[n] + runs - 0.5),
      y1: y(middle),
      y2: y(middle),
    }),
  );
  const marks = changes.map((change, n) =>
    changeMark(change, x(starts[n + 1] - 0.5), 14 + 14 * (n % 2), format),
  );
  const dots = points.map((point, at) => dot(point, x(at), y(point.value), format, choose));
  return draw(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": summary(trend, format) },
    ...[rules, days(points, x), lines, marks, dots].flat(2),
  );
}

/** Return where the axis ends: an outlier beyond is drawn at the edge, and hides no level. */
export function ceiling({ points, levels }) {
  const usual = points.filter((point) => !point.is_outlier).map((point) => point.value);
  const highest = Math.max(...usual, ...levels.map((level) => level.middle));
  return highest > 0 ? highest * 1.15 : 1;
}

/** Return the index of the first run of each level. */
export function startsOf(levels) {
  let next = 0;
  return levels.map(({ runs }) => {
    next += runs;
    return next - runs;
  });
}

/** Return at most six round numbers up to `top`; round seconds are whole minutes or hours. */
export function ticksTo(top, isSeconds) {
  const power = 10 ** Math.floor(Math.log10(top));
  const steps = isSeconds && top > 60 ? TIME_STEPS : [0.2, 0.5, 1, 2].map((size) => size * power);
  const step = steps.find((size) => top / size < 6) ?? Math.ceil(top / 5 / DAY) * DAY;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, n) => n * step);
}

function days(points, x) {
  let [last, end] = ["", 0];
  return points.flatMap((point, at) => {
    const day = formatDay(point.at, { day: "numeric", month: "short" });
    if (day === last || x(at) < end) return [];
    [last, end] = [day, x(at) + DAY_WIDTH];
    return [draw("text", { class: "lg-middle", x: x(at), y: HEIGHT - 8 }, day)];
  });
}

function changeMark(change, at, high, format) {
  const isLate = at > WIDTH - RIGHT - LABEL_WIDTH;
  const words = `${format(change.before)} → ${format(change.after)}`;
  return [
    draw("line", { class: "lg-change", x1: at, x2: at, y1: high - 10, y2: HEIGHT - BOTTOM }),
    draw(
      "text",
      { class: isLate ? "lg-end" : "", x: at + (isLate ? -6 : 6), y: high },
      change.version ? `${words} · ${change.version.slice(0, 8)}` : words,
    ),
  ];
}

function dot(point, x, y, format, choose) {
  const words = `${formatTime(point.at)}: ${format(point.value)}`;
  const size = point.is_outlier ? 5 : 3.5;
  return draw(
    "path",
    {
      class: point.is_outlier ? "lg-far" : "lg-point",
      d: point.is_outlier ? diamond(x, y, size) : circle(x, y, size),
      onclick: () => choose(point.run),
    },
    draw("title", {}, point.is_outlier ? `${words}, an outlier` : words),
  );
}

function diamond(x, y, size) {
  return `M${x - size} ${y}L${x} ${y - size}L${x + size} ${y}L${x} ${y + size}Z`;
}

function circle(x, y, size) {
  return `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0Z`;
}
