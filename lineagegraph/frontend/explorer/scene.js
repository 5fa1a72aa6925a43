// The boxes and links that are drawn of a lineage.

import { rowMiddle, sizeOf } from "./shapes.js";

const WORST = ["failed", "killed", "running", "waiting", "pending", "completed", "fresh_skip"];

/** Return the boxes, each for one node or a job in place of all below it, and the links. */
export function toScene(lineage, level, opened) {
  const boxes = new Map();
  const boxOf = new Map();
  const missing = countMissing(lineage);
  for (const node of lineage.nodes.values()) {
    const shown = standIn(node, level, opened);
    const box = boxes.get(shown.key) ?? newBox(shown, shown === node);
    box.members.push(node);
    for (const side of ["before", "after"]) box[side] += missing.get(node.key)[side];
    if (rank(node.state) < rank(box.state)) box.state = node.state;
    boxes.set(shown.key, box);
    boxOf.set(node.key, box);
  }
  for (const box of boxes.values()) {
    box.isGroup = box.members.length > 1 || box.members[0].key !== box.key;
    if (box.isGroup) box.place = `${box.place} · ${box.members.length} inside`;
    box.columns = [...(lineage.columns.get(box.key) ?? [])];
  }
  return { boxes, boxOf, links: [...flows(lineage, boxOf), ...columnLinks(lineage, boxes)] };
}

function newBox({ key, id, title, place, isJob = true }) {
  return { key, id, title, place, isJob, state: "", members: [], before: 0, after: 0 };
}

function rank(state) {
  const at = WORST.indexOf(state);
  return at < 0 ? WORST.length : at;
}

/** Return the job that stands for a node: the one at the level, or below it if that is open. */
function standIn(node, level, opened) {
  const line = [...node.above, node];
  if (!level || !node.isJob) return node;
  let at = Math.min(level, line.length) - 1;
  while (at < line.length - 1 && opened.has(line[at].key)) at++;
  return line[at];
}

/** Count the neighbours of each node that have not been read. */
function countMissing({ nodes, edges }) {
  const missing = new Map();
  for (const { key, before, after } of nodes.values()) missing.set(key, { before, after });
  for (const { source, target } of edges.values()) {
    missing.get(source).after--;
    missing.get(target).before--;
  }
  for (const counts of missing.values()) {
    counts.before = Math.max(0, counts.before);
    counts.after = Math.max(0, counts.after);
  }
  return missing;
}

/** Return a link for each flow; data written inside a box is not shown as read by it too. */
function flows({ edges }, boxOf) {
  const written = new Set();
  for (const { source, target } of edges.values())
    written.add(`${boxOf.get(source).key}>${target}`);
  const links = new Map();
  for (const { source, target } of edges.values()) {
    const [from, to] = [boxOf.get(source).key, boxOf.get(target).key];
    const isInner = to !== target && written.has(`${to}>${source}`);
    if (isInner && !edges.has(`${target}>${source}`)) continue;
    links.set(`${from}>${to}`, { source: from, target: to });
  }
  return links.values();
}

/** Return a link for each derivation between columns that are shown. */
function columnLinks({ derivations }, boxes) {
  const place = new Map();
  for (const box of boxes.values()) {
    for (const [row, column] of box.columns.entries()) {
      place.set(column.key, { key: box.key, row });
    }
  }
  return [...derivations.values()]
    .filter(({ source, target }) => place.has(source) && place.has(target))
    .map(({ source, target, how, direct }) => {
      const [from, to] = [place.get(source), place.get(target)];
      const ends = { source: from.key, target: to.key, sourceRow: from.row, targetRow: to.row };
      return { ...ends, columns: [source, target], how, direct };
    });
}

/** Return boxes and links as the kernel lays them out: sizes, and numbers in place of keys. */
export function toLayoutQuestion({ boxes, links }) {
  const sizes = [...boxes.values()].map(sizeOf);
  const number = new Map([...boxes.keys()].map((key, n) => [key, n]));
  return {
    boxes: sizes.map(({ width, height }) => [width, height]),
    links: links.map(({ source, target, sourceRow, targetRow }) => {
      const [from, to] = [number.get(source), number.get(target)];
      return [from, to, rowMiddle(sizes[from], sourceRow), rowMiddle(sizes[to], targetRow)];
    }),
  };
}

/** Return the scene at the places and on the routes that the kernel answered. */
export function placed(scene, { width, height, middles, routes }) {
  const place = (box, [x, y]) => [box.key, { ...sizeOf(box), x, y }];
  const places = new Map([...scene.boxes.values()].map((box, n) => place(box, middles[n])));
  return { ...scene, width, height, places, routes };
}
