// The mute of a job's failures: what it is, its form, and its end.

import { describeEnd, temporaryBox } from "./temporary.js";

const WORDS = {
  open: "Mute failures",
  change: "Change the mute",
  go: "Mute",
  end: "Unmute",
  hint: "Until then nobody is notified of failures of the job and all below it.",
};

/** Make what tells of a mute, begins it and ends it; `about()` names a job, or a run of one. */
export function muteBox({ ask, about, report }) {
  const begin = (said) => ask("mute", { ...said, ...about() });
  const end = (known) => ask("unmute", { job: known.job, namespace: known.namespace, known });
  const box = temporaryBox({ begin, end, changed: load, report, words: WORDS });

  /** Ask whether the job is muted, and show it. */
  async function load() {
    const asked = JSON.stringify(about());
    const found = await ask("muted", about());
    if (asked !== JSON.stringify(about())) return;
    box.show(found, describe);
  }
  return { element: box.element, load };
}

function describe({ job, reason, author, expires_at }) {
  return `Failures of ${job} are muted until ${describeEnd(expires_at)}: ${reason} (${author})`;
}
