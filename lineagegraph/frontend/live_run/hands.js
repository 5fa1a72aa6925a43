// What people say about a run: notes, marks of its state, and acknowledged failures.

import { actButton, make } from "../dom.js";

/** Show the marks of a run, and buttons for them; `act` asks a question and promises success. */
export function handsOn(act) {
  const notes = make("div", { class: "lg-soft" });
  const words = make("input", {
    type: "text",
    maxlength: "2000",
    placeholder: "reason or note",
    "aria-label": "Reason or note",
  });
  const send = async (question, about) => {
    if (await act(question, about)) words.value = "";
  };
  const mark = (state) => () => send("mark", { state, reason: words.value });
  const acknowledge = actButton("Acknowledge", () => send("acknowledge", { note: words.value }));
  const succeed = actButton("Mark as succeeded", mark("COMPLETED"));
  const fail = actButton("Mark as failed", mark("FAILED"));
  const unmark = actButton("Remove the mark", () => send("unmark", {}));
  const annotate = actButton("Add note", () => send("annotate", { note: words.value }));
  const form = make(
    "div",
    { class: "lg-form lg-act" },
    words,
    annotate,
    acknowledge,
    succeed,
    fail,
    unmark,
  );
  const element = make(
    "div",
    { class: "lg-hands", role: "group", "aria-label": "By hand", hidden: true },
    notes,
    form,
  );

  const show = (live) => {
    const { state } = live.rows[0];
    element.hidden = false;
    const lines = [live.mark, live.seen, ...live.notes].filter(Boolean);
    notes.replaceChildren(...lines.map((line) => make("div", {}, line)));
    acknowledge.hidden = !["FAILED", "KILLED"].includes(state);
    succeed.hidden = !live.is_over || state === "COMPLETED";
    fail.hidden = !live.is_over || state === "FAILED";
    unmark.hidden = !live.mark;
  };
  return { element, show };
}
