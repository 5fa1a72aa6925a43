// Inputs that write into a draft: each shows a member of it, and says when that has changed.

/** Make an input for a member; an empty one takes the member away. */
function textInput(draft, key, { label, show = String, read = (text) => text, changed, ...more }) {
  const take = ({ target }) => {
    if (target.value.trim() === "") delete draft[key];
    else draft[key] = read(target.value);
    changed();
  };
  const value = draft[key] == null ? "" : show(draft[key]);
  return make("input", { "aria-label": label, value, oninput: take, ...more });
}

function numberInput(draft, key, more) {
  return textInput(draft, key, { size: 4, inputmode: "numeric", read: asNumber, ...more });
}

/** Make an input for a span, which is written as `30s` or `6h`. */
function spanInput(draft, key, more) {
  return textInput(draft, key, { size: 6, placeholder: "6h", show: saySpan, read: asNumber, ...more });
}

/** Make an input for any JSON value; what is none is a text. */
function valueInput(draft, key, more) {
  return textInput(draft, key, { size: 10, show: sayValue, read: asValue, ...more });
}

function choice(draft, key, options, { label, changed, none }) {
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

function tick(text, is, take) {
  const box = make("input", { type: "checkbox", onchange: () => take(box.checked) });
  box.checked = is;
  return make("label", { class: "lg-tick" }, box, ` ${text}`);
}

/** Make an input with names to choose from that are searched for while somebody types. */
function picker({ label, value, search, pick }) {
  const id = freshId();
  const list = make("ul", { id, role: "listbox", "aria-label": label, hidden: true });
  const input = make("input", {
    role: "combobox", "aria-label": label, "aria-expanded": "false", "aria-controls": id,
    placeholder: "type to search", autocomplete: "off", size: 26, value,
    oninput: look, onclick: look, onkeydown: move,
  });
  let turn = 0;

  async function look() {
    const mine = ++turn;
    const found = await search(input.value).catch(() => []);
    if (mine === turn && hasFocus(input)) show(found);
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
      close();
      pick(one);
    };
    const keys = (event) => (event.key === "Enter" ? take(event) : move(event));
    return make(
      "li",
      { role: "option", tabindex: "-1", onmousedown: take, onkeydown: keys },
      one.name,
      make("small", { class: "lg-soft" }, ` ${one.namespace}`),
    );
  }

  function move(event) {
    const items = [...list.children];
    const here = items.indexOf(event.target);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") close();
    if (!step) return;
    event.preventDefault();
    if (list.hidden) look();
    else (items[here + step] ?? input).focus();
  }

  function close() {
    turn++;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  }

  const around = make("span", { class: "lg-picker" }, input, list);
  around.addEventListener("focusout", ({ relatedTarget }) => around.contains(relatedTarget) || close());
  return around;
}

/** Make an input with names to choose from that are known; any other may be typed as well. */
function suggested(input, names) {
  const id = freshId();
  input.setAttribute("list", id);
  const list = make("datalist", { id }, names.map((value) => make("option", { value })));
  return make("span", {}, input, list);
}

function freshId() {
  return `lg-${Math.random().toString(36).slice(2)}`;
}

/** Make rows of a list in a draft, each with a button that takes it away, and one that adds one. */
function rows(draft, key, { add, fresh, row, changed, drawn }) {
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
      make("div", { class: "lg-row" }, row(item), button("✕", remove(place), `remove ${place + 1}`)),
    ),
    button(add, more),
  ];
}

/** Keep an input beside the words that say what it is. */
function worded(text, input) {
  return make("span", { class: "lg-tick" }, `${text} `, input);
}

function button(text, onclick, label) {
  return make("button", { type: "button", "aria-label": label, onclick }, text);
}

/** Say whether the focus is on an element or in it, also where the page hides it in a shadow. */
function hasFocus(element) {
  return element.contains(element.getRootNode().activeElement);
}

/** Name the choices by what they are. */
const SAME = (names) => names.map((name) => [name, name]);

function line(label, ...what) {
  return make("div", { class: "lg-line" }, make("span", { class: "lg-soft" }, label), make("div", {}, ...what));
}

const SPANS = [["w", 604800], ["d", 86400], ["h", 3600], ["m", 60], ["s", 1]];

function saySpan(seconds) {
  if (typeof seconds !== "number") return seconds;
  const [unit, size] = SPANS.find(([, each]) => seconds >= each && seconds % each === 0) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}

function asNumber(text) {
  const number = Number(text);
  return Number.isFinite(number) ? number : text.trim();
}

function sayValue(value) {
  const needsQuotes = typeof value === "string" && typeof asValue(value) !== "string";
  return typeof value === "string" && !needsQuotes ? value : JSON.stringify(value);
}

function asValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
