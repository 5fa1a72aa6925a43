// The time whose lineage is shown.

import { make } from "../dom.js";
import { formatTime, zone } from "../format.js";

const STEPS = 1000;

/** Make the slider that goes back in time; its right end is now. `show(first)` sets its left. */
export function timeSlider(state) {
  const words = make("span", { class: "lg-soft lg-when" });
  const slider = make("input", {
    type: "range",
    min: 0,
    max: STEPS,
    "aria-label": "show the lineage of a time",
    oninput: () => {
      words.textContent = describe(chosen());
    },
    onchange: () => {
      state.set({ at: chosen() });
    },
  });
  let since = null;

  function chosen() {
    const step = Number(slider.value);
    if (since === null || step >= STEPS) return "";
    return new Date(since + (step / STEPS) * (Date.now() - since)).toISOString();
  }

  function describe(at) {
    return at ? `as of ${formatTime(at)} ${zone}` : "now";
  }

  function show(first) {
    if (first !== undefined) since = first && Date.parse(first);
    slider.disabled = since === null;
    const at = state.get("at");
    const passed = at && since !== null ? (Date.parse(at) - since) / (Date.now() - since) : 1;
    slider.value = Math.round(STEPS * Math.max(0, Math.min(1, passed)));
    words.textContent = describe(at);
  }
  return { row: make("label", { class: "lg-time" }, "time ", slider, words), show };
}
