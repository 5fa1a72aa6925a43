// Walks along links.

/** Return the keys before a box and after it; of a column, those along its derivations. */
export function followed(links, start, column = null) {
  const ends = ({ source, target, columns }) => (column ? (columns ?? []) : [source, target]);
  const [after, before] = [new Map(), new Map()];
  for (const link of links) {
    const [source, target] = ends(link);
    if (source === undefined || (!column && link.columns)) continue;
    append(after, source, target);
    append(before, target, source);
  }
  const from = [column ?? start];
  return {
    before: reached(from, (key) => before.get(key) ?? []),
    after: reached(from, (key) => after.get(key) ?? []),
  };
}

/** Return the keys on the paths between two boxes, whichever way data flows. */
export function between(links, one, other) {
  const [from, to] = [followed(links, one), followed(links, other)];
  const ways = [
    [from.after, to.before],
    [from.before, to.after],
  ];
  const found = ways.map(([left, right]) => new Set([...left].filter((key) => right.has(key))));
  return found.sort((left, right) => right.size - left.size)[0];
}

/** Return some starts and all that can be reached from them. */
export function reached(starts, next) {
  const found = new Set(starts);
  for (const key of found) for (const other of next(key)) found.add(other);
  return found;
}

/** Return the neighbours of each end of a link, in both directions. */
export function neighbours(links) {
  const next = new Map();
  for (const { source, target } of links) {
    append(next, source, target);
    append(next, target, source);
  }
  return next;
}

/** Append a value to a list in a map. */
export function append(map, key, value) {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
