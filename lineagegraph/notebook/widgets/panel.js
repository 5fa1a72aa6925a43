// What every widget's page uses: elements, questions to Python, light and dark.

const SVG = "http://www.w3.org/2000/svg";
const PATIENCE_MS = 20000;

/** Make an element. Text is only ever a text node: a name from the graph is never markup. */
function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Make an element of a drawing. */
function draw(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

/** Return `ask(what, about)`, which promises Python's answer, and a way to leave. */
function asking(model) {
  const open = new Map();
  const view = Math.random().toString(36).slice(2);
  let count = 0;
  const settle = (id, take) => {
    const question = open.get(id);
    if (!question) return;
    open.delete(id);
    clearTimeout(question.timer);
    take(question);
  };
  const hear = (message) =>
    settle(message.id, ({ resolve, reject }) =>
      "error" in message ? reject(new Error(message.error)) : resolve(message.answer),
    );
  model.on("msg:custom", hear);
  const ask = (what, about = {}) =>
    new Promise((resolve, reject) => {
      const id = `${view}-${++count}`;
      const silence = () =>
        settle(id, () =>
          reject(
            new Error(
              "The kernel does not answer: it is busy, or was restarted. Then run the cell again.",
            ),
          ),
        );
      open.set(id, { resolve, reject, timer: setTimeout(silence, PATIENCE_MS) });
      try {
        model.send({ id, ask: what, about });
      } catch {
        silence();
      }
    });
  return { ask, leave: () => model.off("msg:custom", hear) };
}

/** Prepare a widget's root: its theme follows the page's, and `say` shows what went wrong. */
function panel(el, name, label) {
  const notice = make("div", { class: "lg-notice", role: "status", hidden: true });
  // The last attribute keeps a notebook's own shortcuts off the keys that are pressed in here.
  const attributes = { class: `lg lg-${name}`, "aria-label": label, "data-lm-suppress-shortcuts": "true" };
  const root = make("section", attributes, notice);
  el.replaceChildren(root);
  el.dataset.widget = WIDGET;
  const watch = new MutationObserver(() => setTheme(root));
  for (const page of [document.documentElement, document.body]) {
    watch.observe(page, { attributes: true });
  }
  setTheme(root);
  requestAnimationFrame(() => setTheme(root));
  const say = (message) => {
    notice.textContent = message ?? "";
    notice.hidden = !message;
  };
  return { root, say, leave: () => watch.disconnect() };
}

function setTheme(root) {
  root.dataset.theme = isDark(root) ? "dark" : "light";
}

/** Say whether what is behind an element is dark; where nothing has a colour, ask the system. */
function isDark(element) {
  for (let one = parentOf(element); one; one = parentOf(one)) {
    const [r, g, b, a = 1] = (getComputedStyle(one).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
    if (b !== undefined && a > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

function parentOf(element) {
  const parent = element.parentNode ?? element.host;
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
}

/** Share a selection with Python. */
function select(model, name) {
  model.set("selected", name);
  model.save_changes();
}
