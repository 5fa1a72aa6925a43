// What every widget's page uses: elements, questions to Python, light and dark.

const SVG = "http://www.w3.org/2000/svg";
const LATE_MS = 5000;
const LATE = "The kernel has not answered yet: it is busy, or was restarted. If it was, run the cell again.";
const GONE = "The kernel was restarted, or cannot be reached: run the cell again.";

// The installation's, which may be another than the reader's: all that it shows is in the same.
let ZONE = "UTC";

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

/**
 * Return `ask(what, about)`, which promises Python's answer however long that takes, unless the
 * kernel is gone; `tell(words)` is told when it is late, when it is gone, and when it answers.
 */
function asking(model, tell) {
  const open = new Map();
  const view = Math.random().toString(36).slice(2);
  let count = 0;
  let isGone = false;

  function settle(id) {
    const question = open.get(id);
    open.delete(id);
    clearTimeout(question?.timer);
    return question;
  }

  function lose() {
    isGone = true;
    for (const id of [...open.keys()]) settle(id).reject(new Error(GONE));
    tell(GONE);
  }

  function hear(message) {
    isGone = false;
    const question = settle(message.id);
    tell([...open.values()].some((one) => one.isLate) ? LATE : "");
    if ("error" in message) question?.reject(new Error(message.error));
    else question?.resolve(message.answer);
  }

  function wait(id) {
    if (isGone) return lose();
    open.get(id).isLate = true;
    tell(LATE);
  }

  const ask = (what, about = {}) =>
    new Promise((resolve, reject) => {
      const id = `${view}-${++count}`;
      open.set(id, { resolve, reject, timer: setTimeout(() => wait(id), LATE_MS) });
      try {
        model.send({ id, ask: what, about });
      } catch {
        lose();
      }
    });
  // Jupyter has the second for a kernel that is restarted; what answers after all is not lost.
  const events = { "msg:custom": hear, comm_live_update: lose };
  for (const [name, heed] of Object.entries(events)) model.on(name, heed);
  const leave = () => {
    for (const [name, heed] of Object.entries(events)) model.off(name, heed);
    for (const id of [...open.keys()]) settle(id);
  };
  return { ask, isGone: () => isGone, leave };
}

/**
 * Prepare a widget: its `root`, whose theme follows the page's; `ask` for questions to Python; `say`
 * for what went wrong; `every` for looking again; and `leave`.
 */
function panel({ model, el }, name, label) {
  const notice = make("div", { class: "lg-notice", role: "status", hidden: true });
  // The last attribute keeps a notebook's own shortcuts off the keys that are pressed in here.
  const attributes = { class: `lg lg-${name}`, "aria-label": label, "data-lm-suppress-shortcuts": "true" };
  const root = make("section", attributes, notice);
  el.replaceChildren(root);
  el.dataset.widget = WIDGET;
  ZONE = model.get("zone");
  const unwatch = followTheme(root);
  let [said, kernel] = ["", ""];
  let timer = null;

  function show() {
    notice.textContent = kernel === GONE ? GONE : said || kernel;
    notice.hidden = !notice.textContent;
  }

  const say = (message) => {
    said = message ?? "";
    show();
  };
  const { ask, isGone, leave } = asking(model, (words) => {
    kernel = words;
    show();
  });

  /** Look every so often, while there is somebody to see it; not before the last look has ended. */
  const every = (ms, look) => {
    let isLooking = false;
    timer = setInterval(async () => {
      if (isLooking || isGone() || document.hidden || !root.isConnected) return;
      isLooking = true;
      try {
        await look();
      } finally {
        isLooking = false;
      }
    }, ms);
  };
  const leaveAll = () => {
    clearInterval(timer);
    unwatch();
    leave();
  };
  return { root, ask, say, every, leave: leaveAll };
}

/** Return a time to the second. */
function sayTime(at) {
  return at ? new Date(at).toLocaleString("sv-SE", { timeZone: ZONE }) : "–";
}

/** Make a link to Neo4j Browser, where an address of it is known. */
function browserLink(url) {
  const attributes = { class: "lg-browser", href: url, target: "_blank", rel: "noreferrer" };
  return url ? make("a", attributes, "open in Browser") : "";
}

function followTheme(root) {
  const watch = new MutationObserver(() => setTheme(root));
  for (const page of [document.documentElement, document.body]) {
    watch.observe(page, { attributes: true });
  }
  setTheme(root);
  requestAnimationFrame(() => setTheme(root));
  return () => watch.disconnect();
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
