import assert from "node:assert/strict";
import { test } from "node:test";
import { sparkParents } from "../../lineagegraph/frontend/run_history/timeline.js";
import {
  ceiling,
  startsOf,
  summary,
  ticksTo,
} from "../../lineagegraph/frontend/run_history/trend.js";

test("runs with parts in Spark are closed at first", () => {
  const rows = [
    { id: "a", parent: null, kind: "pipeline" },
    { id: "b", parent: "a", kind: "task" },
    { id: "c", parent: "b", kind: "application" },
    { id: "d", parent: "c", kind: "action" },
  ];
  assert.deepEqual([...sparkParents(rows)], ["b", "c"]);
});

const point = (value, is_outlier = false) => ({ value, is_outlier });
const trend = {
  points: [point(10), point(500, true), point(11), point(40), point(42)],
  levels: [
    { since: "2026-03-02T00:00:00Z", runs: 3, middle: 10 },
    { since: "2026-03-05T00:00:00Z", runs: 2, middle: 41 },
  ],
  changes: [{ at: "2026-03-05T00:00:00Z", before: 10, after: 41 }],
};

test("an outlier does not press the levels of a trend to the ground", () => {
  assert.equal(Math.round(ceiling(trend)), 48);
  assert.equal(ceiling({ points: [point(0)], levels: [{ runs: 1, middle: 0 }] }), 1);
});

test("each level begins behind the runs of those before", () => {
  assert.deepEqual(startsOf(trend.levels), [0, 3]);
});

test("a trend is told in one sentence to who cannot see it", () => {
  assert.equal(
    summary(trend, String),
    "5 completed runs, usually 41 since Thu 2026-03-05 00:00:00 UTC, 1 change point, 1 outlier.",
  );
});

test("the axis of a trend has few round numbers", () => {
  assert.deepEqual(ticksTo(48, true), [0, 10, 20, 30, 40]);
  assert.deepEqual(ticksTo(1300, true), [0, 300, 600, 900, 1200]);
  assert.deepEqual(ticksTo(2064, false), [0, 500, 1000, 1500, 2000]);
  for (const top of [1e-6, 0.001, 1, 59, 61, 3599, 86400, 1e6, 1e9]) {
    for (const isSeconds of [true, false]) {
      const marks = ticksTo(top, isSeconds);
      assert.ok(marks.length >= 2 && marks.length <= 6, `${top} has ${marks.length}`);
    }
  }
});
