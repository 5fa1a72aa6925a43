// How times, values and changes read.

const SIGNS = { ADDED: "+", REMOVED: "−", CHANGED: "~", SAME: "" };

function sayTook(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Return a time as `sayTime` does, between the day of its week and the zone. */
function sayMoment(at) {
  return at ? `${sayDay(at, { weekday: "short" })} ${sayTime(at)} ${ZONE}` : "–";
}

/** Return the day of a time: `Tue 17`. */
function sayDay(at, parts = { weekday: "short", day: "numeric" }) {
  return at ? new Date(at).toLocaleDateString("en-GB", { ...parts, timeZone: ZONE }) : "–";
}

function sayValue(value) {
  return value == null ? "–" : typeof value === "string" ? value : JSON.stringify(value);
}

function saySpan(began, ended) {
  return began ? sayTook(secondsOf({ began, ended })) : "–";
}

/** Return how long something took, or has taken so far. */
function secondsOf({ began, ended }) {
  return began ? Math.max(0, (ended ? Date.parse(ended) : Date.now()) - Date.parse(began)) / 1000 : 0;
}

function stateOf(state) {
  return make("span", { class: `lg-state ${state.toLowerCase()}` }, state);
}

/** Make a table; a row is a list of texts and elements, the head too. */
function tableOf(head, rows) {
  return make(
    "table",
    {},
    make("thead", {}, make("tr", {}, head.map((cell) => make("th", { scope: "col" }, cell)))),
    make("tbody", {}, rows.map((row) => make("tr", {}, row.map((cell) => make("td", {}, cell ?? ""))))),
  );
}
