// Inputs that write into a draft: each shows a member of it, and calls `changed` after a change.

import { button, hasFocus, make } from "../dom.js";
import { formatSpan } from "../format.js";

/** Make an input for a member; an empty one takes the member away. */
export function textInput(
  draft,
  key,
  { label, show = String, read = (text) => text, changed, ...more },
) {
  const take = ({ target }) => {
    if (target.value.trim() === "") delete draft[key];
    else draft[key] = read(target.value);
    changed();
  };
  const value = draft[key] == null ? "" : show(draft[key]);
  return make("input", { "aria-label": label, value, oninput: take, ...more });
}

export function numberInput(draft, key, more) {
  return textInput(draft, key, { size: 4, inputmode: "numeric", read: parseNumber, ...more });
}

/** Make an input for a duration, written as `30s` or `6h`. */
export function spanInput(draft, key, more) {
  return textInput(draft, key, {
    size: 6,
    placeholder: "6h",
    show: formatSpan,
    read: parseNumber,
    ...more,
  });
}

/** Make an input for any JSON value; anything else is a text. */
export function valueInput(draft, key, more) {
  return textInput(draft, key, { size: 10, show: writeValue, read: parseValue, ...more });
}

/** Make a choice for a member; `none` is the text of no choice. */
export function choice(draft, key, options, { label, changed, none }) {
  const all = none === undefined ? options : [["", none], ...options];
  const take = ({ target }) => {
    if (target.value === "") delete draft[key];
    else draft[key] = target.value;
    changed();
  };
  const select = make(
    "select",
    { "aria-label": label, onchange: take },
    all.map(([value, text]) => make("option", { value }, text)),
  );
  select.value = draft[key] ?? all[0][0];
  return select;
}

/** Make a checkbox; `take` gets whether it is checked. */
export function tick(text, is, take) {
  const box = make("input", { type: "checkbox", onchange: () => take(box.checked) });
  box.checked = is;
  return make("label", { class: "lg-tick" }, box, ` ${text}`);
}

let taking = Promise.resolve();

/** Return a promise that names which were typed whole are taken. */
export function typedNames() {
  return taking;
}

/** Make an input that searches for names while its user types. */
export function picker({ label, value, search, pick }) {
  const id = freshId();
  const list = make("ul", { id, role: "listbox", "aria-label": label, hidden: true });
  const input = make("input", {
    role: "combobox",
    "aria-label": label,
    "aria-expanded": "false",
    "aria-controls": id,
    placeholder: "type to search",
    autocomplete: "off",
    size: 26,
    value,
    oninput: update,
    onclick: update,
    onkeydown: move,
  });
  let turn = 0;
  let taken = value;

  async function update() {
    const mine = ++turn;
    list.ariaBusy = "true";
    const found = await search(input.value).catch(() => []);
    if (mine !== turn) return;
    list.ariaBusy = "false";
    if (hasFocus(input)) show(found);
  }

  function show(found) {
    list.replaceChildren(...found.map(option));
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
  }

  function option(one) {
    const take = (event) => {
      event.preventDefault();
      input.value = one.name;
      input.focus();
      choose(one);
    };
    const keys = (event) => (event.key === "Enter" ? take(event) : move(event));
    return make(
      "li",
      { role: "option", tabindex: "-1", onmousedown: take, onkeydown: keys },
      one.name,
      make("small", { class: "lg-soft" }, ` ${one.namespace}`),
    );
  }

  function choose(one) {
    taken = one.name ?? "";
    close();
    return pick(one);
  }

  /** Take a name that was typed whole; the server refuses one that none or several have. */
  async function takeTyped() {
    // What is taken out of the page while it has the focus is drawn again with its text. It loses
    // the focus just before.
    await null;
    const typed = input.value.trim();
    if (typed === taken || !input.isConnected) return;
    const found = typed ? await search(typed).catch(() => []) : [];
    if (input.value.trim() !== typed) return;
    const same = found.filter((one) => one.name === typed);
    const untaken = { namespace: undefined, name: typed || undefined };
    await choose(same.length === 1 ? same[0] : untaken);
  }

  function move(event) {
    const items = [...list.children];
    const here = items.indexOf(event.target);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") close();
    if (!step) return;
    event.preventDefault();
    if (list.hidden) update();
    else (items[here + step] ?? input).focus();
  }

  function close() {
    turn++;
    list.ariaBusy = "false";
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  }

  const around = make("span", { class: "lg-picker" }, input, list);
  around.addEventListener("focusout", ({ relatedTarget }) => {
    if (around.contains(relatedTarget)) return;
    close();
    taking = Promise.allSettled([taking, takeTyped()]);
  });
  return around;
}

/** Add suggestions to an input; any other text may be typed as well. */
export function suggested(input, names) {
  const id = freshId();
  input.setAttribute("list", id);
  const list = make(
    "datalist",
    { id },
    names.map((value) => make("option", { value })),
  );
  return make("span", {}, input, list);
}

function freshId() {
  return `lg-${Math.random().toString(36).slice(2)}`;
}

/** Make rows of a list in a draft, with buttons to remove each and to add one. */
export function rows(draft, key, { add, fresh, row, changed, drawn }) {
  const items = draft[key] ?? [];
  const again = () => {
    if (items.length) draft[key] = items;
    else delete draft[key];
    changed();
    drawn();
  };
  const remove = (place) => () => {
    items.splice(place, 1);
    again();
  };
  const more = () => {
    items.push(fresh());
    again();
  };
  return [
    ...items.map((item, place) =>
      make(
        "div",
        { class: "lg-row" },
        row(item),
        button("✕", remove(place), `remove ${place + 1}`),
      ),
    ),
    button(add, more),
  ];
}

/** Keep an input beside its words. */
export function worded(text, input) {
  return make("span", { class: "lg-tick" }, `${text} `, input);
}

/** Return choices whose texts are their values. */
export function plain(names) {
  return names.map((name) => [name, name]);
}

/** Make a line of a form. */
export function line(label, ...inputs) {
  return make(
    "div",
    { class: "lg-line" },
    make("span", { class: "lg-soft" }, label),
    make("div", {}, ...inputs),
  );
}

/** Return the number that a text states, or else the text. */
export function parseNumber(text) {
  const number = Number(text);
  return Number.isFinite(number) ? number : text.trim();
}

/** Return the JSON value that a text states, or else the text. */
export function parseValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Write a JSON value so that `parseValue` reads it back; most texts stand without quotes. */
export function writeValue(value) {
  const isPlain = typeof value === "string" && parseValue(value) === value;
  return isPlain ? value : JSON.stringify(value);
}
