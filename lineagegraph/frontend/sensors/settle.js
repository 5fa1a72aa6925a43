// The form that ends an open wait by hand, where a person knows better than the sensor.

import { make } from "../dom.js";
import { actForm, field, select } from "../fields.js";
import { formatMoment } from "../format.js";

const OUTCOMES = [
  ["success", "what it waits for is there"],
  ["failed", "failed"],
  ["skipped", "skipped"],
];

const OVER = "The wait that was chosen is over: choose a run.";

/** Make the form; `settle` promises the end of a wait, and `show` takes the open ones. */
export function settleForm({ settle, report }) {
  const run = select([], { required: true });
  const outcome = select(OUTCOMES);
  const reason = make("input", { type: "text", required: true, maxlength: "1000" });
  const send = async () => {
    await settle({ run: run.value, reason: reason.value, outcome: outcome.value });
    reason.value = "";
  };
  const fields = [field("Run", run), field("Outcome", outcome), field("Reason", reason)];
  const element = actForm("Settle by hand", fields, "Settle by hand", { send, report });
  element.hidden = true;
  let known = "";

  /** Offer the open waits; what a person has chosen stays, and no other takes its place. */
  const show = (waits) => {
    element.hidden = !waits.length;
    const ids = waits.map((wait) => wait.run_id).join();
    if (!ids || ids === known) return;
    const isFirst = !known;
    known = ids;
    const chosen = run.value;
    const isOpen = isFirst || waits.some((wait) => wait.run_id === chosen);
    const named = ({ run_id, job, began_at }) =>
      make("option", { value: run_id }, `${job ?? run_id}, since ${formatMoment(began_at)}`);
    // An empty value is none: the select is required.
    const over = isOpen ? [] : [make("option", { value: "" }, OVER)];
    run.replaceChildren(...over, ...waits.map(named));
    if (isOpen && !isFirst) run.value = chosen;
  };
  return { element, show };
}
