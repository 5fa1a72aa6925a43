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
  let shown = null;
  // The pause that a person saw who opened the form: that of another is not replaced unseen.
  let known = null;
  const begin = async (about) => {
    try {
      await ask("pause", { ...about, known });
    } catch (error) {
      await changed();
      known = shown;
      throw error;
    }
  };
  const end = () => ask("resume", { known: shown });
  const opened = () => {
    known = shown;
  };
  const words = { words: WORDS, endless: true, opened };
  const box = temporaryBox({ begin, end, changed, report, ...words });
  const show = (pause) => {
    shown = pause;
    box.show(pause && describePause(pause));
  };
  return { element: box.element, show };
}

function describePause({ reason, author, since, until }) {
  const end = describeEnd(until, "they are resumed");
  return `All triggers are paused until ${end}: ${reason} (${author}, since ${formatMoment(since)})`;
}
