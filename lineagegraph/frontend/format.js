// Times, durations and values in words.

const UNITS = [
  ["d", 86400],
  ["h", 3600],
  ["m", 60],
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

/** Format the times in a stored reason as all others. */
export function formatReason(text) {
  const stamp = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)([+-]\d\d)(\d\d)/g;
  return text?.replace(stamp, (_, day, time, hours, minutes) =>
    formatTime(`${day}T${time}${hours}:${minutes}`),
  );
}

/** Format a time with its weekday and zone. */
export function formatMoment(at) {
  return at ? `${formatDay(at, { weekday: "short" })} ${formatTime(at)} ${zone}` : "–";
}

/** Format the day of a time: `Tue 17`. */
export function formatDay(at, parts = { weekday: "short", day: "numeric" }) {
  return at ? new Date(at).toLocaleDateString("en-GB", { ...parts, timeZone: zone }) : "–";
}

/** Return the day that it is now in the zone, as fields of dates have it: `2026-03-01`. */
export function today() {
  return new Date().toLocaleDateString("sv-SE", { timeZone: zone });
}

/** Format a length of time in its two largest units: `4.2s`, `3m 20s`, `2h 5m`. */
export function formatSeconds(seconds) {
  const rounded = seconds < 60 ? Math.round(seconds * 10) / 10 : Math.floor(seconds);
  return formatSpan(rounded).split(" ").slice(0, 2).join(" ");
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

/** Format a duration exactly, as rules state it: `1d 12h`, `1m 30s`, `0.25s`. */
export function formatSpan(seconds) {
  if (typeof seconds !== "number") return seconds;
  let rest = seconds;
  const parts = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count) parts.push(`${count}${unit}`);
    rest -= count * size;
  }
  if (rest || !parts.length) parts.push(`${Math.round(rest * 1000) / 1000}s`);
  return parts.join(" ");
}

/** Format a JSON value to be read; a text stands without quotes. */
export function formatValue(value) {
  if (value == null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Format a partition or parameters, stated as JSON: `day=2026-03-01, region=EU`. */
export function formatPartition(json) {
  return Object.entries(JSON.parse(json))
    .map(([name, value]) => `${name}=${formatValue(value)}`)
    .join(", ");
}

/** Format a number of things, if it is known: `10,017`. */
export function formatCount(number) {
  return number?.toLocaleString("en");
}

/** Shorten a long name in its middle: both ends say more. */
export function shorten(text, most = 34) {
  const letters = [...text];
  if (letters.length <= most) return text;
  const half = (most - 1) >> 1;
  return `${letters.slice(0, most - 1 - half).join("")}…${letters.slice(-half).join("")}`;
}
