// The walk through the lineage: what a person has read, opened and folded so far.

/** A walk that asks Python for what is next, and tells `laid(key, fit)` that there is more to see. */
class Walk {
  lineage = new Lineage();
  opened = new Set();
  level = 0;
  at = "";
  scene = seen(this.lineage, 0, this.opened);

  constructor(ask, laid) {
    this.ask = ask;
    this.laid = laid;
  }

  /** Draw what is seen now; the box of `key` stays where it is, `fit` shows all. */
  lay(key = null, fit = false) {
    this.scene = seen(this.lineage, this.level, this.opened);
    this.laid(key, fit);
  }

  /** Begin anew with a piece. */
  begin(piece) {
    this.lineage = new Lineage();
    this.lineage.add(piece);
    this.lineage.roots = piece.roots;
    this.lay(null, true);
  }

  /** Ask for a piece of this lineage; null where the walk has begun anew before it came. */
  async piece(what, about) {
    const lineage = this.lineage;
    const piece = await this.ask(what, about);
    return lineage === this.lineage ? piece : null;
  }

  /** Show what is next to a box. */
  async expand(box, up, down) {
    const [jobs, datasets] = [this.lineage.keys(true), this.lineage.keys(false)];
    const piece = await this.piece("more", { key: box.key, jobs, datasets, up, down, at: this.at });
    if (!piece) return;
    this.lineage.add(piece, [...jobs, ...datasets]);
    this.lay(box.key);
  }

  /** Hide what is joined to the start only by way of a box; return how much that is. */
  fold(box) {
    const count = this.lineage.fold(box.members.map(({ key }) => key));
    this.lay(box.key);
    return count;
  }

  openGroup(box) {
    this.opened.add(box.key);
    this.lay(null, true);
  }

  closeGroup(box) {
    for (const { key } of box.members[0].above) this.opened.delete(key);
    this.lay(null, true);
  }

  async openColumns(box) {
    this.refuseThen();
    const datasets = [...new Set([...this.lineage.columns.keys(), box.key])];
    const piece = await this.piece("columns", { datasets });
    if (!piece) return;
    this.lineage.add(piece, datasets);
    this.lay(box.key);
  }

  closeColumns(box) {
    this.lineage.columns.delete(box.key);
    this.lay(box.key);
  }

  /** Refuse, while another time is shown, what the graph can say of now only. */
  refuseThen() {
    if (this.at) throw new Error("columns are known as of now: set the time to now first");
  }

  /** Open all that a column is made from, and all that is made from it. */
  async trace(column) {
    this.refuseThen();
    const piece = await this.piece("trace", { column: column.key });
    if (!piece) return;
    this.lineage.columns.clear();
    this.lineage.add(piece);
    this.lay(null, true);
  }

  /** The key of the box where it starts, if it starts at one. */
  get start() {
    return this.scene.boxOf.get(this.lineage.roots[0])?.key;
  }

  /** Return the box that stands for the node of an id. */
  box(id) {
    if (!id) return null;
    for (const box of this.scene.boxes.values()) if (box.id === id) return box;
    const node = this.lineage.find(id);
    return node && this.scene.boxOf.get(node.key);
  }

  /** Return the box of an id, and the column where the id is `NODE#COLUMN`. */
  place(id) {
    const box = this.box(id);
    if (box || !id.includes("#")) return { box, column: null };
    const cut = id.lastIndexOf("#");
    const dataset = this.box(id.slice(0, cut));
    const column = dataset?.columns.find(({ name }) => name === id.slice(cut + 1)) ?? null;
    return { box: dataset, column, closed: Boolean(dataset && !dataset.columns.length) };
  }

  /** Return what can be done with a box, by name. */
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

  /** Do what is next with a box: open a group, show its neighbours, or fold them. */
  next(box) {
    if (box.isGroup) return this.openGroup(box);
    if (box.before + box.after) return this.expand(box, 1, 1);
    return this.lineage.roots.length ? this.fold(box) : null;
  }
}
