// The frame of every view: its root, theme, notices, questions and regular refreshes.

import { make } from "./dom.js";
import { useZone } from "./format.js";
import { followTheme } from "./theme.js";

/**
 * Prepare a view in a host `{el, state, connect}`; the web page also has `address(view, ...parts)`.
 *
 * `el` is the element to draw into. `state` is shared with the host: `get(name)`, `set(values)`,
 * and `watch(changes)`, which returns a function that ends it. `connect(notify)` returns
 * `{ask, isGone, leave}`: `ask(question, about)` promises an answer, and `notify` takes words about
 * the connection, or none once it is well again. A web page has `follow(wake)` beside these, which
 * calls `wake` when runs changed, and `again(wake)`, which does so once a token is given; its errors
 * have `isAway` if no answer came.
 *
 * Returns the `root` to append to; `ask`; `askNewest`, which promises null where the same question
 * was asked again meanwhile; `report(message)` for an error or a confirmation of what a person did;
 * `loaded(error)` for the outcome of a regular load, which leaves such messages alone; `loader`,
 * which makes one;
 * `every(ms, work)`; and `leave`.
 */
export function panel({ el, state, connect }, name, label) {
  const notice = make("div", { class: "lg-notice", role: "status", hidden: true });
  // The last attribute keeps a notebook's own shortcuts off the keys that are pressed in here.
  const attributes = {
    class: `lg lg-${name}`,
    "aria-label": label,
    "data-lm-suppress-shortcuts": "true",
  };
  const root = make("section", attributes, notice);
  el.replaceChildren(root);
  useZone(state.get("zone"));
  const unwatch = followTheme(root);
  let [message, fault, trouble] = ["", "", ""];
  let timer = null;
  let unfollow = () => {};

  function show() {
    notice.textContent = isGone() ? trouble : message || fault || trouble;
    notice.hidden = !notice.textContent;
  }

  const report = (text) => {
    message = text ?? "";
    show();
  };
  const loaded = (error) => {
    // The connection itself tells that it is away.
    fault = error?.isAway ? "" : (error?.message ?? "");
    show();
  };
  const { ask, isGone, follow, again, leave } = connect((words) => {
    trouble = words;
    show();
  });

  const turns = new Map();
  const askNewest = async (question, about) => {
    const turn = (turns.get(question) ?? 0) + 1;
    turns.set(question, turn);
    const answer = await ask(question, about);
    return turn === turns.get(question) ? answer : null;
  };

  /**
   * Return a function that asks a question and draws the answer, unless a newer one was asked;
   * `about()` has its values. An error is shown until a later load ends well.
   */
  const loader = (question, draw, about = () => ({})) =>
    async function load() {
      try {
        const found = await askNewest(question, about());
        if (!found) return;
        await draw(found);
        loaded();
      } catch (error) {
        loaded(error);
      }
    };

  /**
   * Repeat some work while the view can be seen, each time after the last has ended; also when it is
   * seen again, and when runs change, if it follows them, which it is told with `true`.
   */
  const every = (ms, work, follows = true) => {
    let isWorking = false;
    const turn = async (isWoken) => {
      if (isWorking || isGone() || document.hidden || !root.isConnected) return;
      isWorking = true;
      try {
        await work(isWoken);
      } finally {
        isWorking = false;
      }
    };
    timer = setInterval(turn, ms, false);
    // What a hidden tab shows may be hours old.
    const seen = () => turn(false);
    document.addEventListener("visibilitychange", seen);
    unfollow = () => document.removeEventListener("visibilitychange", seen);
    again?.(() => turn(true));
    if (follows) follow?.(() => turn(true));
  };
  const leaveAll = () => {
    clearInterval(timer);
    unfollow();
    unwatch();
    leave();
  };
  return { root, ask, askNewest, report, loaded, loader, every, leave: leaveAll };
}
