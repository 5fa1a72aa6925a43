import assert from "node:assert/strict";
import { test } from "node:test";
import { splitWords } from "../../lineagegraph/frontend/trigger_panel/detail.js";
import {
  parseNumber,
  parseValue,
  writeValue,
} from "../../lineagegraph/frontend/trigger_panel/inputs.js";
import { describePreview } from "../../lineagegraph/frontend/trigger_panel/preview.js";
import {
  asGroup,
  conditionOf,
  jobsIn,
  NEW_CONDITION,
  negated,
  newGroup,
  setStatus,
  statedRule,
  withCondition,
} from "../../lineagegraph/frontend/trigger_panel/rule.js";

const LEAF = { on: "status", job: "sales", statuses: ["COMPLETED"] };

test("a condition is edited as a group, and a group of one is stated as that one", () => {
  const when = asGroup(LEAF);
  assert.deepEqual(when, { on: "and", operands: [LEAF] });
  assert.equal(asGroup(when), when);
  assert.deepEqual(statedRule({ when, pick: "all" }), { when: LEAF, pick: "all" });
});

test("a group of one stays a group if it has a term, or its one cannot stand alone", () => {
  for (const when of [
    { on: "and", operands: [LEAF], within: 60 },
    { on: "and", operands: [{ on: "not", operand: LEAF }] },
    { on: "and", operands: [LEAF, LEAF] },
  ]) {
    assert.equal(statedRule({ when }).when, when);
  }
});

test("a part is negated and back, and stays negated when its condition is replaced", () => {
  const not = negated(LEAF, true);
  assert.deepEqual(not, { on: "not", operand: LEAF });
  assert.deepEqual(negated(not, true), not);
  assert.equal(negated(not, false), LEAF);
  assert.equal(conditionOf(not), LEAF);
  const event = NEW_CONDITION.event();
  assert.deepEqual(withCondition(not, event), { on: "not", operand: event });
  assert.equal(withCondition(LEAF, event), event);
});

test("statuses keep their order, whichever is taken first", () => {
  const leaf = NEW_CONDITION.status();
  setStatus(leaf, "KILLED", true);
  setStatus(leaf, "FAILED", true);
  assert.deepEqual(leaf.statuses, ["COMPLETED", "FAILED", "KILLED"]);
  setStatus(leaf, "COMPLETED", false);
  assert.deepEqual(leaf.statuses, ["FAILED", "KILLED"]);
});

test("new conditions share nothing", () => {
  const [group, other] = [newGroup(), newGroup()];
  group.operands[0].statuses.push("FAILED");
  assert.deepEqual(other.operands[0].statuses, ["COMPLETED"]);
});

test("the jobs that a condition names are found at any depth", () => {
  const deep = { on: "or", operands: [{ on: "not", operand: LEAF }, NEW_CONDITION.cron()] };
  assert.deepEqual(jobsIn({ on: "and", operands: [deep, LEAF] }), [LEAF, LEAF]);
});

test("a value is read back as it was written", () => {
  for (const value of [1, "1", "x", true, "true", null, [1, "a"], { a: 1 }, '"quoted"']) {
    assert.deepEqual(parseValue(writeValue(value)), value);
  }
  assert.equal(writeValue("plain text"), "plain text");
});

test("a text that is no number stays a text", () => {
  assert.deepEqual(["12", " 6h "].map(parseNumber), [12, "6h"]);
});

test("parameters are split at blanks outside quotes", () => {
  assert.deepEqual(splitWords('a=1 b="two words"  c='), ["a=1", "b=two words", "c="]);
});

test("a preview is summarised in one sentence", () => {
  const since = "2026-03-01";
  assert.equal(
    describePreview({ since, happened: 1, count: 1 }),
    "It would have fired once since 2026-03-01, with 1 occurrence.",
  );
  assert.match(describePreview({ since, happened: 3, count: 0 }), /^It would not have fired since/);
});
