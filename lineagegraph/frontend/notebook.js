// Views as widgets of a notebook: their state and questions go to the kernel through anywidget.

import { make } from "./dom.js";
import { addressOf, watchAddress } from "./page/address.js";

const LATE_MS = 5000;
const LATE =
  "The kernel has not answered yet: it is busy, or was restarted. If it was, run the cell again.";
const GONE = "The kernel was restarted, or cannot be reached: run the cell again.";

/** Return the anywidget module of a view; `name` is that of its style, `shown` that of the page. */
export function widget(name, view, shown) {
  return {
    render({ model, el }) {
      el.dataset.widget = name;
      const state = shared(model);
      const leave = view({ el, state, connect: (notify) => connect(model, notify) });
      const unwatch = linkPage(el, state, shown);
      return () => {
        unwatch();
        leave();
      };
    },
  };
}

/** Link the same view of the page, if its address is known. */
function linkPage(el, state, shown) {
  const page = state.get("page_url");
  if (!page) return () => {};
  const href = `${page}/${addressOf(shown, state)}`;
  const link = make("a", { href, target: "_blank", rel: "noreferrer" }, "Open the page");
  el.firstElementChild.append(make("div", { class: "lg-bar lg-to-page" }, link));
  return watchAddress(shown, state, (to) => link.setAttribute("href", `${page}/${to}`));
}

/** Return the state that Python and page share. */
function shared(model) {
  return {
    get: (name) => model.get(name),
    set(values) {
      for (const [name, value] of Object.entries(values)) model.set(name, value);
      model.save_changes();
    },
    watch(changes) {
      const events = Object.entries(changes).map(([name, change]) => [`change:${name}`, change]);
      return listen(model, events);
    },
  };
}

function listen(model, events) {
  for (const [name, hear] of events) model.on(name, hear);
  return () => {
    for (const [name, hear] of events) model.off(name, hear);
  };
}

/**
 * Return `ask`, whose answer may take as long as it likes while the kernel lives; `notify` hears
 * when one is late, when the kernel is gone, and when it answers.
 */
function connect(model, notify) {
  const open = new Map();
  // The views of one model hear each other's answers.
  const view = Math.random().toString(36).slice(2);
  let count = 0;
  let isGone = false;

  function close(id) {
    const question = open.get(id);
    open.delete(id);
    clearTimeout(question?.timer);
    return question;
  }

  function lose() {
    isGone = true;
    for (const id of [...open.keys()]) close(id).reject(new Error(GONE));
    notify(GONE);
  }

  function hear(message) {
    isGone = false;
    const question = close(message.id);
    notify([...open.values()].some((other) => other.isLate) ? LATE : "");
    if ("error" in message) question?.reject(new Error(message.error));
    else question?.resolve(message.answer);
  }

  function beLate(id) {
    if (isGone) return lose();
    open.get(id).isLate = true;
    notify(LATE);
  }

  const ask = (question, about = {}) =>
    new Promise((resolve, reject) => {
      const id = `${view}-${++count}`;
      open.set(id, { resolve, reject, timer: setTimeout(() => beLate(id), LATE_MS) });
      // State that is set in this turn goes first: Jupyter holds it back behind a message.
      queueMicrotask(() => {
        try {
          model.send({ id, ask: question, about });
        } catch {
          lose();
        }
      });
    });
  // Jupyter sends the second when a kernel is restarted; an answer after that still counts.
  const unlisten = listen(model, [
    ["msg:custom", hear],
    ["comm_live_update", lose],
  ]);
  const leave = () => {
    unlisten();
    for (const id of [...open.keys()]) close(id);
  };
  return { ask, isGone: () => isGone, leave };
}
