// The marks in the explorer's drawing, as sets of keys, and the line that describes them.

import { formatCount, shorten } from "../format.js";
import { between, followed } from "./graph.js";

/** Return the marks of a selection: the ways before and after it, a path, stale data. */
export function marksOf(walk, { selected, target, stale }, blamed) {
  const { links } = walk.scene;
  const { box, column } = walk.place(selected);
  const { box: other } = walk.place(target);
  const marks = { selected: box?.key, target: other?.key, column: column?.key };
  marks.roots = new Set(walk.lineage.roots.map((key) => walk.scene.boxOf.get(key)?.key));
  if (box && other) marks.between = between(links, box.key, other.key);
  else if (box) Object.assign(marks, followed(links, box.key, column?.key));
  if (stale) {
    const keys = (ids) => new Set(ids.map((id) => walk.box(id)?.key).filter(Boolean));
    marks.stale = keys(blamed.map(([first]) => first));
    marks.blamed = keys(blamed.flat());
  }
  marks.bright = brightOf(walk.scene, marks);
  marks.fades = Boolean(box || stale);
  return marks;
}

/** Return the keys of the boxes that do not fade. */
function brightOf({ boxes }, { column, before, after, between: path, blamed }) {
  const found = new Set([...(before ?? []), ...(after ?? []), ...(path ?? []), ...(blamed ?? [])]);
  if (!column) return found;
  const has = (box) => box.columns.some(({ key }) => found.has(key));
  return new Set([...boxes.values()].filter(has).map(({ key }) => key));
}

/** Return the line below the drawing. */
export function describeMarks(walk, { selected, target, before, after, between: path }) {
  const name = (key) => shorten(walk.scene.boxes.get(key).title, 60);
  const jobs = walk.lineage.keys(true).length;
  const all = `${formatCount(jobs)} jobs, ${formatCount(walk.lineage.nodes.size - jobs)} datasets`;
  if (!selected) return all;
  if (path?.size === 0) return `no path between ${name(selected)} and ${name(target)}`;
  if (path) return `${path.size} on the path between ${name(selected)} and ${name(target)}`;
  return `${all} · ${formatCount(before.size - 1)} before and ${formatCount(after.size - 1)} after ${name(selected)}`;
}

/** Return the key of the nearest neighbour: along a line to the side, or in the same layer. */
export function nearest({ links, places }, key, direction) {
  const from = places.get(key);
  const ends = { Left: ["target", "source"], Right: ["source", "target"] }[direction];
  const near = ends
    ? links
        .filter((link) => link[ends[0]] === key && link[ends[1]] !== key)
        .map((link) => link[ends[1]])
    : [...places.keys()].filter((other) => {
        const { x, y } = places.get(other);
        return x === from.x && (direction === "Up" ? y < from.y : y > from.y);
      });
  const away = (other) => Math.abs(places.get(other).y - from.y);
  return near.sort((left, right) => away(left) - away(right))[0] ?? null;
}
