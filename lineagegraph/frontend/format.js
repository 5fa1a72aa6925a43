// Times, durations and values in words.

const SPANS = [
  ["w", 604800],
  ["d", 86400],
  ["h", 3600],
  ["m", 60],
  ["s", 1],
];

/** The installation's time zone: it may differ from the reader's, and all times are shown in it. */
export let zone = "UTC";

/** Set the zone of all times. */
export function useZone(name) {
  zone = name;
}

/** Format a time to the second. */
export function formatTime(at) {
  return at ? new Date(at).toLocaleString("sv-SE", { timeZone: zone }) : "–";
}

/** Format a time with its weekday and zone. */
export function formatMoment(at) {
  return at ? `${formatDay(at, { weekday: "short" })} ${formatTime(at)} ${zone}` : "–";
}

/** Format the day of a time: `Tue 17`. */
export function formatDay(at, parts = { weekday: "short", day: "numeric" }) {
  return at ? new Date(at).toLocaleDateString("en-GB", { ...parts, timeZone: zone }) : "–";
}

/** Format a duration: `4.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Format the time from a beginning to an end, or to now. */
export function formatElapsed(began, ended) {
  return began ? formatSeconds(elapsedSeconds(began, ended)) : "–";
}

/** Return the seconds from a beginning to an end, or to now. */
export function elapsedSeconds(began, ended) {
  if (!began) return 0;
  return Math.max(0, (ended ? Date.parse(ended) : Date.now()) - Date.parse(began)) / 1000;
}

/** Format a duration as rules state it: `30s`, `6h`. */
export function formatSpan(seconds) {
  if (typeof seconds !== "number") return seconds;
  const fits = ([, size]) => seconds >= size && seconds % size === 0;
  const [unit, size] = SPANS.find(fits) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}

/** Format a JSON value to be read; a text stands without quotes. */
export function formatValue(value) {
  if (value == null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Shorten a long name in its middle: both ends say more. */
export function shorten(text, most = 34) {
  const letters = [...text];
  if (letters.length <= most) return text;
  const half = (most - 1) >> 1;
  return `${letters.slice(0, most - 1 - half).join("")}…${letters.slice(-half).join("")}`;
}
