// The form of a job's or dataset's description and owners.

import { make } from "../dom.js";
import { actForm, field } from "../fields.js";

/** Make the form; `about` has what is known, and `changed` takes a fault, or what then has the focus. */
export function describeForm({ key, about, ask, changed }) {
  const before = { description: about.description ?? "", owner: about.owner ?? "" };
  const description = make("textarea", { rows: "3", maxlength: "2000" }, before.description);
  const owners = make("input", { type: "text", value: before.owner, placeholder: "team:sales, …" });
  const send = async () => {
    const said = { key, known: {} };
    if (description.value !== before.description) {
      said.description = description.value.trim();
      said.known.description = before.description;
    }
    if (owners.value !== before.owner) {
      said.owners = owners.value
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean);
      said.known.owner = before.owner;
    }
    if (said.description !== undefined || said.owners) await ask("describe", said);
    changed(null, "summary");
  };
  const fields = [field("Description", description), field("Owners", owners)];
  const form = actForm("Describe", fields, "Save", { send, report: changed });
  form.classList.remove("lg-act");
  return make("details", { class: "lg-write" }, make("summary", {}, "Describe"), form);
}
