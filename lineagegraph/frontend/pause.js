// The pause of all triggers in one line.

import { make } from "./dom.js";
import { formatDay, formatMoment } from "./format.js";

/** Return an element that tells of a pause, in a list; an empty list without a pause. */
export function pauseNotice(pause) {
  if (!pause) return [];
  const day = formatDay(pause.until, { day: "numeric", month: "short" });
  const end = pause.until ? `${day}, ${formatMoment(pause.until)}` : "`lineagegraph resume --all`";
  const text = `All triggers are paused until ${end}: ${pause.reason} (${pause.author}, since ${formatMoment(pause.since)})`;
  return [make("section", { class: "lg-group lg-paused", role: "status" }, text)];
}
