import assert from "node:assert/strict";
import { test } from "node:test";
import { sparkParents } from "../../lineagegraph/frontend/run_history/timeline.js";

test("runs with parts in Spark are closed at first", () => {
  const rows = [
    { id: "a", parent: null, kind: "pipeline" },
    { id: "b", parent: "a", kind: "task" },
    { id: "c", parent: "b", kind: "application" },
    { id: "d", parent: "c", kind: "action" },
  ];
  assert.deepEqual([...sparkParents(rows)], ["b", "c"]);
});
