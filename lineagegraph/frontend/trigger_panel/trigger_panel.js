// The trigger panel: all triggers on the left, the chosen one or its form on the right.

import {
  actButton,
  button,
  hasFocus,
  make,
  nothing,
  nothingRow,
  restOf,
  stateBadge,
  titleBar,
} from "../dom.js";
import { panel } from "../panel.js";
import { pauseBox } from "../pause.js";
import { drawTrigger, fireRow } from "./detail.js";
import { triggerForm } from "./form.js";
import { NEW_CONDITION } from "./rule.js";

const EVERY_MS = 10000;
const EMPTY = "No triggers yet. A pipeline states one, or create one here.";
const CHOOSE = "Choose a trigger to see why it fired or not.";

export function triggerPanel(host) {
  const { state } = host;
  const { root, ask, askNewest, report, loaded, every, leave } = panel(
    host,
    "triggers",
    "Triggers",
  );
  const search = make("input", {
    type: "search",
    placeholder: "search",
    "aria-label": "search triggers",
    oninput: narrow,
  });
  const body = make("tbody");
  const pause = pauseBox(ask, report, load);
  const detail = make("div", { class: "lg-detail", tabindex: "-1" });
  const table = make(
    "table",
    {},
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        ["Starts", "Name", ""].map((name) => make("th", {}, name)),
      ),
    ),
    body,
  );
  const rest = make("div");
  const list = make("div", { class: "lg-scroll lg-cards lg-labels" }, table, rest);
  root.append(
    titleBar(
      "Triggers",
      search,
      actButton("New trigger", () => edit(newDraft())),
      button("Refresh", load),
    ),
    pause.element,
    make("div", { class: "lg-columns" }, list, detail),
  );
  let found = [];
  // Whether there are more triggers than the page has at once: the server searches in all then.
  let isLong = false;
  let shown = null;
  let isEditing = false;
  let asked = 0;
  // The row to fire the shown trigger: it is kept while the rest is drawn anew, with what is typed.
  let fire = null;

  async function load() {
    try {
      const listed = await askNewest("list", isLong ? { text: search.value } : {});
      if (!listed) return;
      take(listed);
      pause.show(await ask("paused"));
      loaded();
      showList();
      if (!isEditing && ![...detail.children].some(hasFocus)) await show();
    } catch (error) {
      loaded(error);
    }
  }

  function take(listed) {
    found = listed.rows;
    isLong = listed.total > found.length;
    rest.replaceChildren(...restOf(listed.left_out));
  }

  function narrow() {
    showList();
    if (isLong) load();
  }

  /** Do something, load again, and report the answer. */
  async function act(action, about) {
    let answer;
    try {
      answer = await ask(action, about);
    } catch (error) {
      return report(error.message);
    }
    fire = null;
    await load();
    await show().catch(loaded);
    if (!isEditing) detail.focus();
    report(answer);
  }

  function showList() {
    const text = search.value.toLowerCase();
    const fits = (one) => `${one.starts} ${one.name} ${one.text}`.toLowerCase().includes(text);
    const focused = [...body.children].findIndex(hasFocus);
    const lines = found.filter(fits).map(listRow);
    const why = found.length ? "No trigger has this in its name or condition." : EMPTY;
    body.replaceChildren(...(lines.length ? lines : [nothingRow(3, why)]));
    body.children[focused]?.focus();
  }

  function listRow(one) {
    const pick = () => state.set({ selected: one.select });
    const keys = (event) => {
      if (event.key === "Enter") pick();
      const next = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[
        event.key
      ];
      if (!next) return;
      event.preventDefault();
      event.currentTarget[next]?.focus();
    };
    const chosen = shown === one.id || state.get("selected") === one.select;
    const row = {
      tabindex: "0",
      "aria-selected": String(chosen),
      title: one.text,
      onclick: pick,
      onkeydown: keys,
    };
    const badge = one.enabled ? stateBadge("completed", "enabled") : stateBadge("", "suspended");
    return make(
      "tr",
      row,
      make("td", {}, one.starts),
      make("td", { "data-label": "Name" }, one.name === one.starts ? "" : one.name),
      make("td", {}, badge),
    );
  }

  async function choose() {
    isEditing = false;
    shown = null;
    report(null);
    showList();
    await show().catch((error) => report(error.message));
  }

  async function show() {
    // A form may have been opened while an answer was on its way.
    if (isEditing) return;
    const name = state.get("selected");
    const mine = ++asked;
    if (!name) return detail.replaceChildren(found.length ? nothing(CHOOSE) : "");
    const whole = await ask("show", { name });
    if (mine !== asked || isEditing) return;
    const isOther = shown !== whole.id;
    if (isOther) fire = null;
    shown = whole.id;
    showList();
    if (isOther) revealChosen();
    fire ??= fireRow(whole.id, act);
    const focused = [...fire.querySelectorAll("input")].find(hasFocus);
    detail.replaceChildren(...drawTrigger(whole, { act, edit, remove, fire, link: host.address }));
    focused?.focus();
  }

  /** Scroll the list, not the page, to the chosen trigger. */
  function revealChosen() {
    const row = body.querySelector('[aria-selected="true"]');
    if (row) list.scrollTop = row.offsetTop - (list.clientHeight - row.offsetHeight) / 2;
  }

  async function remove(whole) {
    const chosen = state.get("selected");
    state.set({ selected: "" });
    let answer;
    try {
      answer = await ask("delete", { name: whole.id, rule_hash: whole.rule_hash });
    } catch (error) {
      // What refused it may be a change of another, which is now shown.
      if (!isEditing) state.set({ selected: chosen });
      return report(error.message);
    }
    await load();
    if (!isEditing) detail.focus();
    report(answer);
  }

  function edit(draft) {
    isEditing = true;
    report(null);
    const close = async () => {
      isEditing = false;
      await load();
      await show();
    };
    const done = async (id) => {
      take(await ask("list"));
      isEditing = false;
      const name = found.find((one) => one.id === id)?.select ?? id;
      if (name === state.get("selected")) await close();
      else state.set({ selected: name });
    };
    detail.replaceChildren(triggerForm({ draft, ask, done, leave: close }));
    detail.querySelector("input")?.focus();
  }

  const unwatch = state.watch({ selected: choose });
  every(EVERY_MS, () => isEditing || load());
  load();
  const starts = state.get("starts");
  if (starts) edit({ ...newDraft(), starts, namespace: state.get("namespace") });
  return () => {
    leave();
    unwatch();
  };
}

function newDraft() {
  return { isNew: true, enabled: true, rule: { when: NEW_CONDITION.status() } };
}
