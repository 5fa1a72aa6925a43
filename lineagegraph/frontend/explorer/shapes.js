// The shapes of the explorer's drawing: sizes, paths, and the names on boxes.

import { draw } from "../dom.js";
import { shorten } from "../format.js";

/** The height of a box without columns, and of each column's row. */
export const HEAD = 48;
export const ROW = 22;
const LONGEST_TYPE = 18;

/** Return a box's size: its texts fit. */
export function sizeOf({ title, place, columns, state }) {
  const rows = columns.map(
    ({ name, type }) => shorten(name).length + shorten(type, LONGEST_TYPE).length + 2,
  );
  const widest = Math.max(
    shorten(title).length * 8.3,
    shorten(place).length * 6.3,
    ...rows.map((n) => n * 6.3 - 34),
  );
  const height = columns.length ? HEAD + ROW * columns.length + 6 : HEAD;
  return { width: Math.max(130, widest + (state ? 78 : 60)), height };
}

/** Return how far a row is below the middle of its box; without a row, the head. */
export function rowMiddle({ height }, row) {
  return (row === undefined ? HEAD / 2 : HEAD + ROW * (row + 0.5)) - height / 2;
}

export function boxPath({ x, y, width, height }, r, shift = 0) {
  const [left, top] = [x - width / 2 + shift, y - height / 2 + shift];
  const arc = (right, down) => `a${r} ${r} 0 0 1 ${right * r} ${down * r}`;
  const [across, along] = [width - 2 * r, height - 2 * r];
  return `M${left + r} ${top}h${across}${arc(1, 1)}v${along}${arc(-1, 1)}h${-across}${arc(-1, -1)}v${-along}${arc(1, -1)}z`;
}

// A state has a shape too: not everybody sees its colour.
const SIGNS = {
  failed: "m-6 -4l2 -2l4 4l4 -4l2 2l-4 4l4 4l-2 2l-4 -4l-4 4l-2 -2l4 -4z",
  running: "m-4 -6l10 6l-10 6z",
  killed: "m-5 -5h10v10h-10z",
};

/** Return the sign of a state in the head of a box. */
export function dotPath({ x, y, width, height }, state) {
  const [middle, top] = [x + width / 2 - 15, y - height / 2 + 15];
  if (SIGNS[state]) return `M${middle} ${top}${SIGNS[state]}`;
  return `M${middle - 5} ${top}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z`;
}

export function linePath(points) {
  let path = `M${points[0][0].toFixed(1)} ${points[0][1].toFixed(1)}`;
  for (let n = 1; n < points.length; n++) {
    const [[x, y], [toX, toY]] = [points[n - 1], points[n]];
    const middle = ((x + toX) / 2).toFixed(1);
    if (Math.abs(y - toY) < 0.5) path += `H${toX.toFixed(1)}`;
    else
      path += `C${middle} ${y.toFixed(1)} ${middle} ${toY.toFixed(1)} ${toX.toFixed(1)} ${toY.toFixed(1)}`;
  }
  return path;
}

/** Return the tip of a line: at the left of a box, or at the right if the line goes back. */
export function tipPath(points) {
  const [[fromX], [x, y]] = points.slice(-2);
  const back = fromX <= x ? -8 : 8;
  return `M${x.toFixed(1)} ${y.toFixed(1)}l${back} -4v8z`;
}

/** Draw the texts of a box. */
export function nameOf(box, { places }, marks) {
  const { x, y, width, height } = places.get(box.key);
  const faded = marks.fades && !marks.bright.has(box.key) && box.key !== marks.selected;
  const more = (count, at, anchor) =>
    count > 0 &&
    draw(
      "text",
      { class: "lg-more", x: at, y: height / 2 - 6, "text-anchor": anchor },
      `+${count}`,
    );
  return draw(
    "g",
    {
      class: faded ? "lg-name faded" : "lg-name",
      role: "button",
      "aria-label": spokenName(box),
      "aria-pressed": String(box.key === marks.selected),
      transform: `translate(${x - width / 2} ${y - height / 2})`,
    },
    draw("rect", { width, height, fill: "transparent" }),
    ...(box.isJob ? jobIcon() : dataIcon()),
    draw("text", { class: "lg-title", x: 40, y: 21 }, shorten(box.title)),
    " ",
    draw("text", { class: "lg-place", x: 40, y: 37 }, shorten(box.place)),
    " ",
    more(box.before, -6, "end"),
    " ",
    more(box.after, width + 6, "start"),
    ...box.columns.map((column, row) => columnRow(column, row, width, marks)),
  );
}

function spokenName({ id, title, place, state, isGroup, members, before, after }) {
  // Who speaks to the machine says what is written.
  const written = [
    shorten(title),
    shorten(place),
    before > 0 && `+${before}`,
    after > 0 && `+${after}`,
  ];
  const parts = [
    id,
    written.filter(Boolean).join(" "),
    state,
    isGroup && `${members.length} inside`,
  ];
  if (before) parts.push(`${before} more before`);
  if (after) parts.push(`${after} more after`);
  return parts.filter(Boolean).join(", ");
}

function columnRow({ key, name, type }, row, width, marks) {
  const y = HEAD + ROW * (row + 0.5);
  const lit = marks.column && [marks.before, marks.after].some((set) => set?.has(key));
  return draw(
    "g",
    { class: lit ? "lg-column lit" : "lg-column", "aria-label": `column ${name} ${type}` },
    draw("rect", { x: 1, y: y - ROW / 2, width: width - 2, height: ROW, class: "lg-row" }),
    draw("text", { class: "lg-title", x: 14, y: y + 4 }, shorten(name)),
    draw(
      "text",
      { class: "lg-place", x: width - 12, y: y + 4, "text-anchor": "end" },
      shorten(type, LONGEST_TYPE),
    ),
  );
}

function jobIcon() {
  const icon = draw("circle", { class: "lg-icon job", cx: 23, cy: 24, r: 9.5 });
  return [icon, draw("path", { class: "lg-icon mark", d: "M20 19.5v9l7.5-4.5z" })];
}

function dataIcon() {
  const side = draw("path", {
    class: "lg-icon data",
    d: "M14 18v12a8 3.4 0 0 0 16 0V18M14 24a8 3.4 0 0 0 16 0",
  });
  return [side, draw("ellipse", { class: "lg-icon data", cx: 22, cy: 18, rx: 8, ry: 3.4 })];
}
