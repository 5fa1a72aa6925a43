// The tags of a job, dataset or column, and what attaches them and takes them off.

import { button, make } from "../dom.js";
import { actForm, field, nameInput } from "../fields.js";

/** Make the tags of the node of `key`; `changed` takes a fault, or what then has the focus. */
export function tagsOf({ key, tags, ask, changed }) {
  const act = async (question, tag) => {
    await ask(question, { key, tag });
    changed(null, "[name=tag]");
  };
  const take = (tag) => () => act("untag", tag).catch((error) => changed(error.message));
  const one = (tag) => {
    const off = button("×", take(tag), `Take off tag ${tag}`);
    off.classList.add("lg-write");
    return make("span", { class: "lg-tag" }, tag, off);
  };
  const known = async (text) =>
    (await ask("known_tags")).filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  const { input, list } = nameInput(known, {
    required: true,
    name: "tag",
    maxlength: "200",
    size: "12",
  });
  const send = () => act("tag", input.value);
  const form = actForm("Add a tag", [field("New tag", input), list], "Add tag", {
    send,
    report: changed,
  });
  form.classList.replace("lg-act", "lg-write");
  const shown = tags.length ? tags.map(one) : "–";
  const line = [make("dt", {}, "tags"), make("dd", { class: "lg-tags-of" }, shown)];
  return [make("dl", {}, line), form];
}
