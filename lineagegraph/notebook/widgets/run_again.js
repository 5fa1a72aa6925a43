// A run once more: what would be other than it was, and after a yes the new run.

const POLICIES = [
  ["as_was", "As it was", "with the code and parameters that it had"],
  ["latest", "With today's code", "with the code of today"],
];

/** Show both ways to run again; `started` is told the id of the new run. */
function againView(ask, run, say, started) {
  const plan = make("div", { class: "lg-plan" });
  const look = async (policy) => {
    try {
      const found = await ask("plan", { run, policy });
      say(found.faults.join("\n") || null);
      plan.replaceChildren(planView(found.plan, () => start(policy), () => plan.replaceChildren()));
    } catch (error) {
      say(error.message);
    }
  };
  const start = async (policy) => {
    plan.querySelectorAll("button").forEach((button) => (button.disabled = true));
    try {
      const made = await ask("rerun", { run, policy });
      plan.replaceChildren(make("p", { role: "status" }, `Run ${made.run} is rerun ${made.number}.`));
      started(made.run);
    } catch (error) {
      plan.replaceChildren();
      say(error.message);
    }
  };
  const buttons = POLICIES.map(([policy, label, title]) =>
    make("button", { title, onclick: () => look(policy) }, label),
  );
  return make("div", { class: "lg-again" }, make("p", {}, `Run ${run} once more:`), buttons, plan);
}

function planView(plan, start, leave) {
  const tasks = plan.tasks.length ? plan.tasks.join(", ") : "all tasks";
  const rows = plan.differences.map((one) => [one.what, one.name, sayValue(one.before), sayValue(one.after)]);
  return make(
    "div",
    {},
    make("p", {}, `${plan.job}: ${tasks}, ${plan.policy}`),
    rows.length
      ? tableOf(["Other than it was", "", "Before", "Now"], rows)
      : make("p", { class: "lg-soft" }, "Nothing is other than it was."),
    plan.missing.map((line) => make("p", {}, make("b", { class: "lg-removed" }, "missing "), line)),
    plan.missing.length ? null : make("button", { onclick: start }, "Start it"),
    make("button", { onclick: leave }, plan.missing.length ? "Close" : "Leave it"),
  );
}
