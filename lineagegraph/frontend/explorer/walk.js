// The walk through the lineage: its parts that were read, opened and folded so far.

import { LEGIBLE, READABLE } from "./drawing.js";
import { Lineage } from "./lineage.js";
import { placed, toLayoutQuestion, toScene } from "./scene.js";

/** A walk that asks for pieces of lineage and for their layout, and then calls `drawn(key, smallest)`. */
export class Walk {
  lineage = new Lineage();
  opened = new Set();
  level = 0;
  at = "";
  scene = { boxes: new Map(), boxOf: new Map(), links: [], places: new Map() };
  newest = null;
  // Whether there is more than the piece that was added last.
  isCut = false;

  constructor(ask, drawn) {
    this.ask = ask;
    this.drawn = drawn;
  }

  /**
   * Lay out and draw the lineage; the box of `key` stays where it is, or all is shown unless that
   * is below the scale `smallest`. The scene changes with the drawing: until the layout is here,
   * clicks are about the boxes that are seen.
   */
  async lay(key = null, smallest = null) {
    const scene = toScene(this.lineage, this.level, this.opened);
    const asked = this.ask("layout", toLayoutQuestion(scene));
    this.newest = asked;
    const layout = await asked;
    if (asked !== this.newest) {
      await this.newest;
      return;
    }
    this.scene = placed(scene, layout);
    this.drawn(key, smallest);
  }

  /** Begin with a piece. */
  async begin(piece) {
    this.lineage = new Lineage();
    this.lineage.add(piece);
    this.lineage.roots = piece.roots;
    this.lineage.latest = piece.latest;
    await this.lay(null, LEGIBLE);
  }

  /** Ask for a piece of this lineage; null if the walk has begun with another meanwhile. */
  async piece(question, about) {
    const lineage = this.lineage;
    const piece = await this.ask(question, about);
    if (lineage !== this.lineage) return null;
    this.isCut = piece.cut;
    return piece;
  }

  /** Show what is next to a box. */
  async expand(box, up, down) {
    const [jobs, datasets] = [this.lineage.keys(true), this.lineage.keys(false)];
    const piece = await this.piece("more", { key: box.key, jobs, datasets, up, down, at: this.at });
    if (!piece) return;
    this.lineage.add(piece, [...jobs, ...datasets]);
    await this.lay(box.key);
  }

  /** Hide all that is joined to the start only through a box. */
  fold(box) {
    this.lineage.fold(box.members.map(({ key }) => key));
    return this.lay(box.key);
  }

  openGroup(box) {
    this.opened.add(box.key);
    return this.lay(null, READABLE);
  }

  closeGroup(box) {
    for (const { key } of box.members[0].above) this.opened.delete(key);
    return this.lay(null, READABLE);
  }

  async openColumns(box) {
    this.assertNow();
    const datasets = [...new Set([...this.lineage.columns.keys(), box.key])];
    const piece = await this.piece("columns", { datasets });
    if (!piece) return;
    this.lineage.add(piece, datasets);
    await this.lay(box.key);
  }

  closeColumns(box) {
    this.lineage.columns.delete(box.key);
    return this.lay(box.key);
  }

  /** Refuse, while another time is shown, what the graph knows of now only. */
  assertNow() {
    if (this.at) throw new Error("columns are known as of now: set the time to now first");
  }

  /** Open all that a column is made from, and all that is made from it. */
  async trace(column) {
    this.assertNow();
    const piece = await this.piece("trace", { column: column.key });
    if (!piece) return;
    this.lineage.columns.clear();
    this.lineage.add(piece);
    await this.lay(null, READABLE);
  }

  /** The key of the box where the walk starts, if it starts at one. */
  get start() {
    return this.scene.boxOf.get(this.lineage.roots[0])?.key;
  }

  /** The key of the box of the job that ran last, if all was asked for. */
  get latest() {
    return this.scene.boxOf.get(this.lineage.latest)?.key;
  }

  /** Return the box that stands for the node of an id. */
  box(id) {
    if (!id) return null;
    for (const box of this.scene.boxes.values()) if (box.id === id) return box;
    const node = this.lineage.find(id);
    return node && this.scene.boxOf.get(node.key);
  }

  /** Return the box of an id, and the column if the id is `NODE#COLUMN`; names may have a # too. */
  place(id) {
    const box = this.box(id);
    let found = { box, column: null };
    if (box) return found;
    for (let cut = id.lastIndexOf("#"); cut > 0; cut = id.lastIndexOf("#", cut - 1)) {
      const dataset = this.box(id.slice(0, cut));
      const column = dataset?.columns.find(({ name }) => name === id.slice(cut + 1)) ?? null;
      const here = { box: dataset, column, closed: Boolean(dataset && !dataset.columns.length) };
      if (column) return here;
      found = found.box ? found : here;
    }
    return found;
  }

  /** Return the actions on a box, each with its name. */
  actions(box, column) {
    const isOpen = box.columns.length > 0;
    const isInside = !box.isGroup && box.members[0].above.some(({ key }) => this.opened.has(key));
    return [
      column && ["trace the column", () => this.trace(column)],
      box.before > 0 && [`show ${box.before} before`, () => this.expand(box, 1, 0)],
      box.after > 0 && [`show ${box.after} after`, () => this.expand(box, 0, 1)],
      box.isGroup && ["open", () => this.openGroup(box)],
      isInside && ["group again", () => this.closeGroup(box)],
      !box.isJob && !isOpen && ["columns", () => this.openColumns(box)],
      !box.isJob && isOpen && ["hide columns", () => this.closeColumns(box)],
      this.lineage.roots.length > 0 && ["fold", () => this.fold(box)],
    ].filter(Boolean);
  }

  /** Open a group, show the neighbours of a box, or fold them. */
  next(box) {
    if (box.isGroup) return this.openGroup(box);
    if (box.before + box.after) return this.expand(box, 1, 1);
    return this.lineage.roots.length ? this.fold(box) : null;
  }
}
