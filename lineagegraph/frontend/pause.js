// The pause of all triggers: what it is, its form, and its end.

import { formatMoment } from "./format.js";
import { describeEnd, temporaryBox } from "./temporary.js";

const WORDS = {
  open: "Pause all triggers",
  change: "Change the pause",
  go: "Pause",
  end: "Resume all triggers",
  hint: "Without an end it lasts until it is resumed.",
};

/** Make what tells of a pause, begins it and ends it; `changed` is called after a change. */
export function pauseBox(ask, report, changed) {
  const begin = (said) => ask("pause", said);
  const end = (known) => ask("resume", { known });
  const box = temporaryBox({ begin, end, changed, report, words: WORDS, endless: true });
  return { element: box.element, show: (pause) => box.show(pause, describePause) };
}

function describePause({ reason, author, since, until }) {
  const end = describeEnd(until, "they are resumed");
  return `All triggers are paused until ${end}: ${reason} (${author}, since ${formatMoment(since)})`;
}
