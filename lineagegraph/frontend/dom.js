// Elements of a page, and of a drawing.

import { formatCount } from "./format.js";

const SVG = "http://www.w3.org/2000/svg";

/** Make an element. Text is only ever a text node: a name from the graph is never markup. */
export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Make an element of a drawing. */
export function draw(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Make a button that sends no form. */
export function button(text, onclick, label) {
  return make("button", { type: "button", "aria-label": label, onclick }, text);
}

/** Make a button for what not everybody may do; the page hides it from others. */
export function actButton(text, onclick, label) {
  const attributes = { type: "button", class: "lg-act", "aria-label": label };
  return make("button", { ...attributes, onclick: once(onclick) }, text);
}

const SURE_MS = 4000;

/** Make a button that must be clicked twice; the first click lapses, for those with a class. */
export function confirmed(text, run, role = "lg-act") {
  const act = once(() => {
    if (twice.textContent !== text) return run();
    twice.textContent = `${text}: sure?`;
    setTimeout(() => (twice.textContent = text), SURE_MS);
  });
  const twice = make("button", { type: "button", class: role, onclick: act }, text);
  return twice;
}

/** Return a handler that acts once for a double click or a held key, and not while it acts. */
export function once(act) {
  let isActing = false;
  return async (event) => {
    if (isActing || event.repeat || isSecondClick(event)) return;
    isActing = true;
    try {
      await act(event);
    } finally {
      isActing = false;
    }
  };
}

/** Return whether a key is pressed with another: the browser goes back, copies or zooms then. */
export function isShortcut({ altKey, ctrlKey, metaKey }) {
  return altKey || ctrlKey || metaKey;
}

/** Return whether an event is the second click of a double click. */
export function isSecondClick({ detail }) {
  return detail > 1;
}

/** Make a table; a row is a list of texts and elements, and so is the head. */
export function table(head, rows) {
  const heads = head.map((cell) => make("th", { scope: "col" }, cell ?? ""));
  const cells = (row) => row.map((cell, n) => make("td", { "data-label": head[n] }, cell ?? ""));
  return make(
    "table",
    {},
    make("thead", {}, make("tr", {}, heads)),
    make(
      "tbody",
      {},
      rows.map((row) => make("tr", {}, cells(row))),
    ),
  );
}

/** Make the sentence of a list without entries. */
export function nothing(sentence) {
  return make("p", { class: "lg-soft lg-nothing" }, sentence);
}

/** Make the row of a table without entries, over so many columns. */
export function nothingRow(columns, sentence) {
  return make("tr", {}, make("td", { colspan: columns }, nothing(sentence)));
}

/** Make the sentence of what is left out of a list, in a list: empty if nothing is. */
export function restOf(number) {
  const sentence = `${formatCount(number)} more ${number === 1 ? "is" : "are"} not shown`;
  return number > 0 ? [make("p", { class: "lg-soft" }, sentence)] : [];
}

/** Make a list of facts, each a name and a text. */
export function factList(facts) {
  const lines = facts.map(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]);
  return make("dl", { class: "lg-pairs" }, lines);
}

/** Make the bar over a view: its heading, a text or an element, and what stands beside it. */
export function titleBar(title, ...beside) {
  const heading = typeof title === "string" ? make("h1", {}, title) : title;
  return make("div", { class: "lg-bar" }, heading, beside);
}

/** Make a state with its coloured dot. */
export function stateBadge(state, text = state) {
  return make("span", { class: `lg-state ${state.toLowerCase()}` }, text);
}

/** Make a link to Neo4j Browser, or nothing if its address is unknown. */
export function browserLink(url) {
  const attributes = { class: "lg-browser", href: url, target: "_blank", rel: "noreferrer" };
  return url ? make("a", attributes, "open in Neo4j Browser") : "";
}

/** Return whether the focus is in an element; a notebook may keep it in a shadow root. */
export function hasFocus(element) {
  return element.contains(element.getRootNode().activeElement);
}

const FOCUSABLE = "a, button, input, select, [tabindex]";

/** Replace the content of an element; its like has the focus of a part that had it. */
export function redraw(element, children) {
  const { activeElement } = element.getRootNode();
  const nameOf = (one) => one.getAttribute("href") ?? one.ariaLabel ?? one.textContent;
  const name = activeElement && nameOf(activeElement);
  const alike = () =>
    [...element.querySelectorAll(FOCUSABLE)].filter((one) => nameOf(one) === name);
  const place = alike().indexOf(activeElement);
  element.replaceChildren(...children);
  if (place >= 0) (alike()[place] ?? alike()[0])?.focus({ preventScroll: true });
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    // A security policy may forbid the attribute, but not this.
    else if (name === "style") element.style.cssText = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(
    ...children.flat(Number.POSITIVE_INFINITY).filter((child) => child != null && child !== false),
  );
  return element;
}
