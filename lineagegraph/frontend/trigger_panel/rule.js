// The conditions of a rule, as JSON: fresh ones, and changes of a group and its parts.

import { zone } from "../format.js";

/** The statuses of a run that a condition can wait for. */
export const STATUSES = ["COMPLETED", "FAILED", "KILLED"];

/** Makers of each kind of condition, as it stands when it has just been chosen. */
export const NEW_CONDITION = {
  status: () => ({ on: "status", job: "", statuses: ["COMPLETED"] }),
  upstream: () => ({ on: "upstream", hops: 1, statuses: ["COMPLETED"] }),
  dataset: () => ({ on: "dataset", namespace: "", name: "" }),
  event: () => ({ on: "event", name: "" }),
  cron: () => ({ on: "cron", cron: "0 6 * * *", zone }),
  interval: () => ({ on: "interval", seconds: 3600 }),
  fresh: () => ({ on: "fresh", of: NEW_CONDITION.status(), max_age: 86400 }),
  absent: () => ({ on: "absent", of: NEW_CONDITION.status(), for: 86400 }),
  sensor: () => ({ on: "sensor", kind: "file", fields: {} }),
};

/** Return a group as it stands when it has just been added. */
export function newGroup() {
  return { on: "or", operands: [NEW_CONDITION.status()] };
}

export function isGroup(condition) {
  return "operands" in condition;
}

/** Return a condition as a group, which the form edits. */
export function asGroup(condition) {
  return isGroup(condition) ? condition : { on: "and", operands: [condition] };
}

/** Return the rule as it is sent: a group of one is that one, if it can stand alone. */
export function statedRule(rule) {
  const { operands, within } = rule.when;
  const isAlone = operands.length === 1 && within === undefined && operands[0].on !== "not";
  return { ...rule, when: isAlone ? operands[0] : rule.when };
}

/** Return the condition of a part, which may be negated. */
export function conditionOf(part) {
  return part.on === "not" ? part.operand : part;
}

/** Return another condition in place of that of a part, negated if that was. */
export function withCondition(part, condition) {
  return part.on === "not" ? { on: "not", operand: condition } : condition;
}

/** Return a part, negated or not. */
export function negated(part, isNegated) {
  const condition = conditionOf(part);
  return isNegated ? { on: "not", operand: condition } : condition;
}

/** Take or drop a status of a condition; they keep their order. */
export function setStatus(condition, status, isTaken) {
  condition.statuses = STATUSES.filter((other) =>
    other === status ? isTaken : condition.statuses.includes(other),
  );
}

/** Return the conditions that wait for jobs by name. */
export function jobsIn(condition) {
  if (condition.on === "not") return jobsIn(condition.operand);
  if (isGroup(condition)) return condition.operands.flatMap(jobsIn);
  return condition.on === "status" ? [condition] : [];
}
