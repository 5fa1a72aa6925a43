// A rerun: the differences to the run as it was and, once confirmed, the new run.

import { make, table } from "../dom.js";
import { formatValue } from "../format.js";

const POLICIES = [
  ["as_was", "As it was", "with the code and parameters that it had"],
  ["latest", "With today's code", "with the code of today"],
];

/** Show both ways to run again; `started` takes the id of the new run. */
export function rerunView({ ask, run, report, started }) {
  const plan = make("div", { class: "lg-plan" });
  let turn = 0;
  const load = async (policy) => {
    const mine = ++turn;
    try {
      const found = await ask("plan", { run, policy });
      // Another was asked for since, or this one is started: its button must not come back.
      if (mine !== turn) return;
      report(found.faults.join("\n") || null);
      plan.replaceChildren(
        planView(
          found.plan,
          () => start(policy),
          () => plan.replaceChildren(),
        ),
      );
    } catch (error) {
      if (mine === turn) report(error.message);
    }
  };
  const start = async (policy) => {
    turn += 1;
    for (const button of plan.querySelectorAll("button")) button.disabled = true;
    try {
      const made = await ask("rerun", { run, policy });
      report(null);
      plan.replaceChildren(
        make("p", { role: "status" }, `Run ${made.run} is rerun ${made.number}.`),
      );
      started(made.run);
    } catch (error) {
      plan.replaceChildren();
      report(error.message);
    }
  };
  const buttons = POLICIES.map(([policy, label, title]) =>
    make("button", { title, onclick: () => load(policy) }, label),
  );
  return make(
    "div",
    { class: "lg-again lg-act" },
    make("p", {}, `Run ${run} once more:`),
    buttons,
    plan,
  );
}

function planView(plan, start, leave) {
  const tasks = plan.tasks.length ? plan.tasks.join(", ") : "all tasks";
  const rows = plan.differences.map(({ what, name, before, after }) => [
    what,
    name,
    formatValue(before),
    formatValue(after),
  ]);
  return make(
    "div",
    {},
    make("p", {}, `${plan.job}: ${tasks}, ${plan.policy}`),
    rows.length
      ? table(["Difference", "", "Before", "Now"], rows)
      : make("p", { class: "lg-soft" }, "Nothing is other than it was."),
    plan.missing.map((line) => make("p", {}, make("b", { class: "lg-removed" }, "missing "), line)),
    plan.missing.length ? null : make("button", { onclick: start }, "Start"),
    make("button", { onclick: leave }, plan.missing.length ? "Close" : "Cancel"),
  );
}
