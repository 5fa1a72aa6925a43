// What the explorer has read so far, and what of it is seen: grouped, folded, followed.

/** Jobs, datasets and columns, and the data that flows between them. */
class Lineage {
  nodes = new Map();
  edges = new Map();
  columns = new Map();
  derivations = new Map();
  roots = [];

  /** Take a piece as Python packs it; its numbers count the nodes that were known first. */
  add(piece, known = []) {
    const above = [];
    for (const [key, id, title, kind, next] of piece.above) {
      above.push([...(above[next] ?? []), { key, id, title, place: kind }]);
    }
    for (const [key, id, title, place, isJob, state, top, before, after] of piece.nodes) {
      const line = above[top] ?? [];
      const node = { key, id, title, place, isJob, state, above: line, before, after };
      if (!this.nodes.has(key)) this.nodes.set(key, node);
    }
    const keys = [...known, ...piece.nodes.map(([key]) => key)];
    for (let n = 0; n < piece.edges.length; n += 2) {
      const [source, target] = [keys[piece.edges[n]], keys[piece.edges[n + 1]]];
      // What was known when this was asked may be folded by now.
      if (!this.nodes.has(source) || !this.nodes.has(target)) continue;
      this.edges.set(`${source}>${target}`, { source, target });
    }
    for (const [dataset, key, name, type] of piece.columns) {
      const columns = this.columns.get(keys[dataset]) ?? [];
      if (!columns.some((column) => column.key === key)) columns.push({ key, name, type });
      this.columns.set(keys[dataset], columns);
    }
    for (const [source, target, how, direct] of piece.derivations) {
      this.derivations.set(`${source}>${target}>${how}`, { source, target, how, direct });
    }
  }

  /** Return the node of an id. */
  find(id) {
    for (const node of this.nodes.values()) if (node.id === id) return node;
    return null;
  }

  /** Return the keys of jobs, or of datasets. */
  keys(isJob) {
    return [...this.nodes.values()].filter((node) => node.isJob === isJob).map(({ key }) => key);
  }

  /** Leave only what is joined to the roots without some nodes; return how many are gone. */
  fold(keys) {
    const folded = new Set(keys);
    const next = neighbours(this.edges.values());
    const starts = this.roots.filter((key) => this.nodes.has(key));
    const kept = reached(starts, (key) => (folded.has(key) ? [] : (next.get(key) ?? [])));
    for (const key of folded) kept.add(key);
    const gone = [...this.nodes.keys()].filter((key) => !kept.has(key));
    for (const key of gone) this.nodes.delete(key);
    for (const [name, { source, target }] of this.edges) {
      if (!kept.has(source) || !kept.has(target)) this.edges.delete(name);
    }
    return gone.length;
  }

  /** Return how many levels of jobs there are. */
  get depth() {
    return Math.max(0, ...[...this.nodes.values()].map((node) => node.above.length)) + 1;
  }
}

const WORST = ["failed", "killed", "running", "waiting", "pending", "completed", "fresh_skip"];

/** Return what is drawn: boxes, each for one node or a job in place of all below it, and lines. */
function seen(lineage, level, opened) {
  const boxes = new Map();
  const boxOf = new Map();
  const missing = degrees(lineage);
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
    box.columns = lineage.columns.get(box.key) ?? [];
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

/** Return the job that stands for a node: the one at the level, or below it where that is open. */
function standIn(node, level, opened) {
  const line = [...node.above, node];
  if (!level || !node.isJob) return node;
  let at = Math.min(level, line.length) - 1;
  while (at < line.length - 1 && opened.has(line[at].key)) at++;
  return line[at];
}

/** Return how many neighbours of each node are not here. */
function degrees({ nodes, edges }) {
  const missing = new Map();
  for (const { key, before, after } of nodes.values()) missing.set(key, { before, after });
  for (const { source, target } of edges.values()) {
    missing.get(source).after--;
    missing.get(target).before--;
  }
  for (const one of missing.values()) {
    one.before = Math.max(0, one.before);
    one.after = Math.max(0, one.after);
  }
  return missing;
}

/** Return a line for each flow; what is written inside a box is not shown as read by it too. */
function flows({ edges }, boxOf) {
  const written = new Set();
  for (const { source, target } of edges.values()) written.add(`${boxOf.get(source).key}>${target}`);
  const links = new Map();
  for (const { source, target } of edges.values()) {
    const [from, to] = [boxOf.get(source).key, boxOf.get(target).key];
    const isInner = to !== target && written.has(`${to}>${source}`);
    if (isInner && !edges.has(`${target}>${source}`)) continue;
    links.set(`${from}>${to}`, { source: from, target: to });
  }
  return links.values();
}

/** Return a line for each derivation between columns that are open. */
function columnLinks({ derivations }, boxes) {
  const place = new Map();
  for (const box of boxes.values()) {
    box.columns.forEach((column, row) => place.set(column.key, { key: box.key, row }));
  }
  return [...derivations.values()]
    .filter(({ source, target }) => place.has(source) && place.has(target))
    .map(({ source, target, how, direct }) => {
      const [from, to] = [place.get(source), place.get(target)];
      const ends = { source: from.key, target: to.key, sourceRow: from.row, targetRow: to.row };
      return { ...ends, columns: [source, target], how, direct };
    });
}

/** Return the boxes before one and after one; with columns, only by way of a column's lines. */
function followed(links, start, column = null) {
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

/** Return all that is on a way from one box to another, whichever way data flows. */
function between(links, one, other) {
  const [from, to] = [followed(links, one), followed(links, other)];
  const ways = [[from.after, to.before], [from.before, to.after]];
  const found = ways.map(([left, right]) => new Set([...left].filter((key) => right.has(key))));
  return found.sort((left, right) => right.size - left.size)[0];
}

function reached(starts, next) {
  const found = new Set(starts);
  for (const key of found) for (const other of next(key)) found.add(other);
  return found;
}

function neighbours(links) {
  const next = new Map();
  for (const { source, target } of links) {
    append(next, source, target);
    append(next, target, source);
  }
  return next;
}

function append(map, key, value) {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
