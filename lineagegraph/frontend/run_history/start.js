// A new run of a pipeline with parameters.

import { make } from "../dom.js";
import { actForm, field } from "../fields.js";
import { formatValue } from "../format.js";

/** Show a field for each parameter; `start` takes the given values. */
export function startView({ parameters, start, report }) {
  const inputs = parameters.map(({ name, type, required, default: usual }) => {
    const kind = type === "date" ? "date" : "text";
    const placeholder = required ? type : formatValue(usual);
    return [name, make("input", { type: kind, required, placeholder })];
  });
  const send = () => {
    const given = inputs.filter(([, input]) => input.value !== "");
    return start(Object.fromEntries(given.map(([name, input]) => [name, input.value])));
  };
  const fields = inputs.map(([name, input]) => field(name, input));
  const none = make("span", { class: "lg-soft" }, "It has no parameters.");
  const form = actForm("Start a run", fields.length ? fields : none, "Start", { send, report });
  return make("div", { class: "lg-again" }, form);
}
