// When a rule would have fired: a sentence, and a table.

function sayForeseen({ since, happened, count }) {
  const times = count === 1 ? "once" : `${count} times`;
  const said = count ? `It would have fired ${times}` : "It would not have fired";
  return `${said} since ${since}, on ${happened} ${happened === 1 ? "thing" : "things"} that happened.`;
}

function drawForeseen({ count, firings, refused, notes }) {
  return [
    ...notes.map((note) => make("div", { class: "lg-soft" }, note)),
    count > 0 &&
      make(
        "table",
        {},
        make("thead", {}, make("tr", {}, ["When", "Because", "It would have passed"].map((name) => make("th", {}, name)))),
        make("tbody", {}, [...firings].reverse().map(foreseenRow)),
      ),
    refused.length > 0 && make("details", {}, make("summary", {}, "What would not have counted"), refused.map((text) => make("div", {}, text))),
  ].filter(Boolean);
}

function foreseenRow({ at, value, causes, more, parameters, trouble }) {
  return make(
    "tr",
    {},
    make("td", {}, at, value == null ? null : ` for ${value}`),
    make("td", {}, causes.map((text) => make("div", {}, text)), more > 0 && make("div", {}, `and ${more} more`)),
    make("td", {}, make("code", {}, parameters), trouble && make("div", { class: "lg-fault" }, trouble)),
  );
}
