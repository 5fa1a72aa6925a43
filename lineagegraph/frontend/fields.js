// Fields and forms: inputs with their names before them, and names that are completed.

import { isSecondClick, make } from "./dom.js";

/** Make an input, or anything else that takes a value, with its name before it. */
export function field(text, input) {
  return make("label", { class: "lg-field" }, make("span", {}, text), input);
}

/** Make a select of values, each with its text or as its own. */
export function select(options, attributes = {}) {
  const made = options.map((option) => {
    const [value, text] = [option].flat();
    return make("option", { value }, text ?? value);
  });
  return make("select", attributes, made);
}

/** Make an input that suggests names while its user types; `search(text)` promises them. */
export function nameInput(search, attributes = {}) {
  const id = `lg-${Math.random().toString(36).slice(2)}`;
  const list = make("datalist", { id });
  let turn = 0;
  const suggest = async () => {
    const mine = ++turn;
    const names = await search(input.value.trim()).catch(() => []);
    if (mine === turn) list.replaceChildren(...names.map((value) => make("option", { value })));
  };
  const input = make("input", { autocomplete: "off", ...attributes, list: id, oninput: suggest });
  return { input, list };
}

/** Make a form for what not everybody may do; `send` promises, and `report` takes what it throws. */
export function actForm(label, fields, text, { send, report }) {
  // A quick answer enables it again between the clicks of a double click.
  const onclick = (event) => isSecondClick(event) && event.preventDefault();
  const go = make("button", { type: "submit", onclick }, text);
  const submit = async (event) => {
    event.preventDefault();
    go.disabled = true;
    try {
      await send();
    } catch (error) {
      report(error.message);
    } finally {
      go.disabled = false;
    }
  };
  const attributes = { class: "lg-fields lg-act", "aria-label": label, onsubmit: submit };
  return make("form", attributes, fields, go);
}
