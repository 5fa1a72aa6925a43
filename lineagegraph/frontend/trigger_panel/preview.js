// The preview of a rule: a sentence and a table of when it would have fired.

import { make, table } from "../dom.js";

/** Summarise when a rule would have fired. */
export function describePreview({ since, happened, count }) {
  const times = count === 1 ? "once" : `${count} times`;
  const fired = count ? `It would have fired ${times}` : "It would not have fired";
  return `${fired} since ${since}, with ${happened} ${happened === 1 ? "occurrence" : "occurrences"}.`;
}

/** Draw each time a rule would have fired, and what it would have rejected. */
export function drawPreview({ count, firings, refused, notes }) {
  return [
    ...notes.map((note) => make("div", { class: "lg-soft" }, note)),
    count > 0 &&
      table(["When", "Because", "It would have passed"], [...firings].reverse().map(previewRow)),
    refused.length > 0 &&
      make(
        "details",
        {},
        make("summary", {}, "Occurrences that would not have counted"),
        refused.map((text) => make("div", {}, text)),
      ),
  ].filter(Boolean);
}

function previewRow({ at, value, causes, more, parameters, trouble }) {
  const because = causes.map((text) => make("div", {}, text));
  return [
    value == null ? at : `${at} for ${value}`,
    make("div", {}, because, more > 0 && make("div", {}, `and ${more} more`)),
    make(
      "div",
      {},
      make("code", {}, parameters),
      trouble && make("div", { class: "lg-fault" }, trouble),
    ),
  ];
}
