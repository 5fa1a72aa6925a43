// The pause of all triggers: what it is, its form, and its end.

import { actButton, make } from "./dom.js";
import { actForm, field } from "./fields.js";
import { formatDay, formatMoment, zone } from "./format.js";

/** Make what tells of a pause, begins it and ends it; `changed` is called after a change. */
export function pauseBox(ask, report, changed) {
  const reason = make("input", { type: "text", maxlength: "2000", required: true });
  const until = make("input", { type: "datetime-local" });
  const act = async (question, about) => {
    await ask(question, about);
    report(null);
    form.open = false;
    await changed();
  };
  const send = () => act("pause", { reason: reason.value, until: until.value });
  const resume = actButton("Resume all triggers", () =>
    act("resume").catch((error) => report(error.message)),
  );
  const words = make("span", { role: "status" });
  const notice = make("section", { class: "lg-paused", hidden: true }, words, " ", resume);
  const opener = make("summary", {}, "Pause all triggers");
  const fields = [field("Reason", reason), field(`Until (${zone})`, until)];
  const hint = make("span", { class: "lg-soft" }, "Without an end it lasts until it is resumed.");
  const form = make(
    "details",
    { class: "lg-act lg-more" },
    opener,
    actForm("Pause", [fields, hint], "Pause", { send, report }),
  );
  form.addEventListener("toggle", () => form.open && reason.focus());

  const show = (pause) => {
    notice.hidden = !pause;
    const text = pause ? describePause(pause) : "";
    if (words.textContent !== text) words.textContent = text;
    opener.textContent = pause ? "Change the pause" : "Pause all triggers";
  };
  return { element: make("div", {}, notice, form), show };
}

function describePause({ reason, author, since, until }) {
  const day = formatDay(until, { day: "numeric", month: "short" });
  const end = until ? `${day}, ${formatMoment(until)}` : "they are resumed";
  return `All triggers are paused until ${end}: ${reason} (${author}, since ${formatMoment(since)})`;
}
