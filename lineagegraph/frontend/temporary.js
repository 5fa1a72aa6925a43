// What a person states for a while, with a reason: what it is, its form, and its end.

import { actButton, make } from "./dom.js";
import { actForm, field } from "./fields.js";
import { formatDay, formatMoment, zone } from "./format.js";

/**
 * Make what tells of a statement, begins it and ends it.
 *
 * `begin({reason, until, known})` and `end(known)` promise the change of the statement that its user
 * saw, null for none; `changed` asks for it after that. `words` has the texts: `open` and `change`
 * of the form, `go` and `end` of the buttons, and a `hint`; with `endless` it needs no end.
 */
export function temporaryBox({ begin, end, changed, report, words, endless = false }) {
  let shown = null;
  // What was stated when the form was opened: that of another is not replaced unseen.
  let known = null;
  const reason = make("input", { type: "text", maxlength: "2000", required: true });
  const until = make("input", { type: "datetime-local", required: !endless });
  const act = async (work) => {
    try {
      await work();
    } catch (error) {
      // What refused it may be what another did meanwhile.
      await Promise.resolve(changed()).catch(() => {});
      known = shown;
      throw error;
    }
    report(null);
    form.open = false;
    await changed();
  };
  const send = () => act(() => begin({ reason: reason.value, until: until.value, known }));
  const stop = actButton(words.end, () =>
    act(() => end(shown)).catch((error) => report(error.message)),
  );
  const said = make("span", { role: "status" });
  const notice = make("section", { class: "lg-paused", hidden: true }, said, " ", stop);
  const opener = make("summary", {}, words.open);
  const fields = [field("Reason", reason), field(`Until (${zone})`, until)];
  const hint = make("span", { class: "lg-soft" }, words.hint);
  const form = make(
    "details",
    { class: "lg-act lg-more" },
    opener,
    actForm(words.go, [fields, hint], words.go, { send, report }),
  );
  form.addEventListener("toggle", () => {
    if (!form.open) return;
    known = shown;
    reason.focus();
  });

  /** Show what is stated now, null for nothing. */
  const show = (stated, describe) => {
    shown = stated;
    const text = stated && describe(stated);
    notice.hidden = !text;
    if (said.textContent !== (text ?? "")) said.textContent = text ?? "";
    opener.textContent = text ? words.change : words.open;
  };
  return { element: make("div", {}, notice, form), show };
}

/** Describe an end: its day and time, or other words without one. */
export function describeEnd(until, otherwise) {
  const day = formatDay(until, { day: "numeric", month: "short" });
  return until ? `${day}, ${formatMoment(until)}` : otherwise;
}
