// The form of a backfill: a pipeline, its days, and values of its other parameters.

import { button, make } from "../dom.js";
import { actForm, field, nameInput, select } from "../fields.js";
import { formatValue, zone } from "../format.js";

const WHICH = [
  ["INCOMPLETE", "that have not completed"],
  ["MISSING", "that never ran"],
  ["FAILED", "whose latest run failed"],
  ["ALL", "all, also completed ones"],
];

/** Make the form; `started` takes the id of the new backfill. */
export function startForm({ job, namespace, ask, report, started }) {
  const search = (text) => ask("pipelines", { text });
  const { input: pipeline, list } = nameInput(search, { required: true, value: job });
  const parameters = make("div", { class: "lg-fields" });
  const which = select(WHICH);
  const concurrency = make("input", { type: "number", min: "1", max: "1000", value: "1" });
  const plan = make("span", { class: "lg-soft", role: "status" });
  let known = null;
  let learned = null;
  let times = null;
  let values = [];

  /** Ask for the parameters of the pipeline that was typed. */
  async function learn() {
    const named = pipeline.value;
    if (named === learned) return;
    known = await ask("form", { job: named, namespace: named === job ? namespace : "" });
    learned = named;
    times = known.time && timesOf(known.time);
    values = known.others.map((one) => [one.name, valueInput(one)]);
    const others = values.map(([name, input]) => field(name, input));
    parameters.replaceChildren(...(times?.fields ?? []), ...others);
  }

  const trying = (work) => () => work().catch((error) => report(error.message));
  const about = async () => {
    await learn();
    const given = values.filter(([, input]) => input.value.trim());
    const listed = ([name, input]) => [name, input.value.split(",").map((text) => text.trim())];
    const span = { values: Object.fromEntries(given.map(listed)), which: which.value };
    if (times) span.times = times.read();
    return { job: known.job, namespace: known.namespace, span };
  };
  const preview = trying(async () => {
    const found = await ask("preview", await about());
    report(null);
    plan.textContent = `${found.to_run} would run, ${found.left_out} would be left out`;
  });
  const send = async () => {
    const order = { ...(await about()), concurrency: Number(concurrency.value) };
    const { id, to_run } = await ask("start", order);
    plan.textContent = `started: ${to_run} to run`;
    await started(id);
  };
  pipeline.addEventListener("change", trying(learn));
  const fields = [
    field("Pipeline", pipeline),
    list,
    parameters,
    field("Partitions", which),
    field("Runs at a time", concurrency),
  ];
  const form = actForm("Backfill", fields, "Start backfill", { send, report });
  form.append(button("Preview", preview), plan);
  if (job) trying(learn)();
  return form;
}

function timesOf(parameter) {
  const [first, last] = [1, 2].map(() => make("input", { type: "date", required: true }));
  const step = make("input", { value: "1d", size: "5" });
  return {
    fields: [
      field(`${parameter} from`, first),
      field(`${parameter} to`, last),
      field("Step", step),
    ],
    read: () => ({ first: first.value, last: last.value, step: step.value, zone, parameter }),
  };
}

function valueInput({ type, required, default: usual }) {
  return make("input", { required, placeholder: required ? `${type}, …` : formatValue(usual) });
}
