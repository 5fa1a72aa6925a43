// The lineage that the explorer has read so far.

import { neighbours, reached } from "./graph.js";

/** Jobs, datasets and columns, and the data that flows between them. */
export class Lineage {
  nodes = new Map();
  edges = new Map();
  columns = new Map();
  derivations = new Map();
  roots = [];
  latest = null;

  /** Add a piece as Python packs it; its numbers count the nodes known before it first. */
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
      // A node that was known when the piece was asked for may be folded by now.
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

  /** Hide nodes that are joined to the roots only through some others. */
  fold(keys) {
    const folded = new Set(keys);
    const next = neighbours(this.edges.values());
    const starts = this.roots.filter((key) => this.nodes.has(key));
    const kept = reached(starts, (key) => (folded.has(key) ? [] : (next.get(key) ?? [])));
    for (const key of folded) kept.add(key);
    for (const key of this.nodes.keys()) if (!kept.has(key)) this.nodes.delete(key);
    for (const [name, { source, target }] of this.edges) {
      if (!kept.has(source) || !kept.has(target)) this.edges.delete(name);
    }
  }

  /** Return how many levels of jobs there are. */
  get depth() {
    return Math.max(0, ...[...this.nodes.values()].map((node) => node.above.length)) + 1;
  }
}
