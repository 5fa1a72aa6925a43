// The lineage explorer: what is read is asked for, what is seen follows from that and the state.

const READ_ANEW = ["node", "up", "down", "at"];

function render({ model, el }) {
  const { root, ask, say, leave } = panel({ model, el }, "explorer", "Lineage explorer");
  const walk = new Walk(ask, laid);
  const view = drawing({ click, open: next, over });
  const details = pane(ask);
  const { box: search, field } = searching(ask, jump, say);
  const bar = controls(model, { search, zoom: view.zoom, fit: view.fit, refresh: () => read() });
  const time = timeline(model);
  const status = make("span", { class: "lg-soft lg-status", role: "status" });
  root.append(
    bar.bar,
    make("div", { class: "lg-stage" }, view.svg, details.root),
    make("div", { class: "lg-bar lg-foot" }, time.row, status),
  );
  root.addEventListener("keydown", press);
  let places = new Map();
  let blamed = [];

  /** Do what takes time: the panel is busy until it is drawn, and says what went wrong. */
  async function working(work) {
    root.setAttribute("aria-busy", "true");
    say(null);
    try {
      await work();
    } catch (error) {
      say(error.message);
    }
    requestAnimationFrame(() => setTimeout(() => root.setAttribute("aria-busy", "false")));
  }

  const state = (names) => Object.fromEntries(names.map((name) => [name, model.get(name)]));

  const load = () =>
    working(async () => {
      const asked = state(READ_ANEW);
      const piece = await ask("lineage", asked);
      if (READ_ANEW.some((name) => asked[name] !== model.get(name))) return;
      [walk.level, walk.at] = [model.get("level"), asked.at];
      walk.begin(piece);
      time.show();
      if (piece.cut) say("This is not all of it: search for a node, and start there.");
      await showSelected();
    });

  /** Lay out and draw what is seen; the box of `key` stays where it is. */
  function laid(key, fit) {
    const at = key && view.onScreen(key);
    const { boxes } = walk.scene;
    const sizes = new Map([...boxes.values()].map((box) => [box.key, { key: box.key, ...sizeOf(box) }]));
    const links = walk.scene.links.map((link) => withRows(link, sizes));
    const layout = layOut([...sizes.values()], links);
    places = layout.places;
    view.show({ ...layout, boxes, links });
    bar.show(walk.lineage.depth);
    mark();
    if (!fit) return view.keep(key, at);
    view.fit();
    view.reveal(walk.place(model.get("selected")).box?.key ?? walk.start);
  }

  function mark() {
    const said = state(["selected", "target", "stale"]);
    const marks = marksOf(walk, { ...said, stale: said.stale && !walk.at }, blamed);
    const { box, column } = walk.place(model.get("selected"));
    view.light(marks);
    status.textContent = saying(walk, marks);
    details.show(box, column, walk.at, box ? actions(box, column) : []);
  }

  function actions(box, column) {
    const start = model.get("node") !== box.id && [["start here", () => begin(box.id)]];
    const acts = walk.actions(box, column).map(([name, act]) => [name, () => working(act)]);
    const focused = (act) => () => (view.svg.focus(), act());
    return [...acts, ...(start || [])].map(([name, act]) => [name, focused(act)]);
  }

  /** Show what Python or a person has selected; what is not shown yet is looked for. */
  async function showSelected() {
    const id = model.get("selected");
    const { box, closed } = walk.place(id);
    if (closed) await walk.openColumns(box);
    if (box) view.reveal(box.key);
    else if (id) jump(await ask("find", { text: id }));
  }

  function choose(id, target = "") {
    model.set("target", target);
    select(model, id);
  }

  function begin(id) {
    model.set("node", id);
    choose(id);
  }

  function jump(id) {
    if (walk.box(id)) choose(id);
    else begin(id);
    view.svg.focus();
  }

  function click(hit, shift) {
    if (!hit) return choose("");
    const id = hit.column ? `${hit.box.id}#${hit.column.name}` : hit.box.id;
    return shift && model.get("selected") ? choose(model.get("selected"), id) : choose(id);
  }

  function next(box) {
    if (box) working(() => walk.next(box));
  }

  function over(box) {
    if (box) status.textContent = short(box.id, 200);
  }

  function press(event) {
    const typing = event.target.matches("input, select, button, a");
    if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape")) return;
    const act = keys(event.key);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  function keys(key) {
    const { box } = walk.place(model.get("selected"));
    const columns = () => (box.columns.length ? walk.closeColumns(box) : walk.openColumns(box));
    const acts = {
      Escape: () => (choose(""), view.svg.focus()),
      Enter: box && (() => next(box)),
      c: box && !box.isJob && (() => working(columns)),
      "/": () => field.focus(),
      "+": () => view.zoom(1.25),
      "-": () => view.zoom(0.8),
      0: view.fit,
    };
    return key.startsWith("Arrow") ? () => step(box, key.slice(5)) : acts[key];
  }

  function step(box, direction) {
    const { boxes, links } = walk.scene;
    const key = box ? nearest(links, places, box.key, direction) : boxes.keys().next().value;
    if (key) choose(boxes.get(key).id);
  }

  const markStale = () =>
    working(async () => {
      blamed = model.get("stale") ? await ask("stale") : [];
      bar.show(walk.lineage.depth);
      mark();
    });

  function read() {
    load().then(() => model.get("stale") && markStale());
    ask("since").then(time.show, () => time.show(null));
  }

  const changes = {
    ...Object.fromEntries(READ_ANEW.map((name) => [name, load])),
    level: () => working(() => ((walk.level = model.get("level")), walk.lay(null, true))),
    selected: () => (mark(), working(showSelected)),
    target: mark,
    stale: markStale,
  };
  for (const [name, change] of Object.entries(changes)) model.on(`change:${name}`, change);
  read();
  return () => {
    for (const [name, change] of Object.entries(changes)) model.off(`change:${name}`, change);
    view.leave();
    leave();
  };
}

/** Return a line with how far below the middles of its boxes it leaves and enters. */
function withRows(link, sizes) {
  const leaves = rowMiddle(sizes.get(link.source), link.sourceRow);
  return { ...link, leaves, enters: rowMiddle(sizes.get(link.target), link.targetRow) };
}

export default { render };
