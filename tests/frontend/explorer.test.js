import assert from "node:assert/strict";
import { test } from "node:test";
import { between, followed } from "../../lineagegraph/frontend/explorer/graph.js";
import { Lineage } from "../../lineagegraph/frontend/explorer/lineage.js";
import { describeMarks, marksOf, nearest } from "../../lineagegraph/frontend/explorer/marks.js";
import { toLayoutQuestion, toScene } from "../../lineagegraph/frontend/explorer/scene.js";
import { HEAD, rowMiddle, sizeOf } from "../../lineagegraph/frontend/explorer/shapes.js";
import { Walk } from "../../lineagegraph/frontend/explorer/walk.js";

const ABOVE = [["j:sales", "job:sales", "sales", "pipeline", -1]];

/** raw → clean (of pipeline sales) → gold → report (of sales too) */
function piece(more = {}) {
  const node = (key, isJob, top, before, after, state = "") => [
    key,
    `id:${key}`,
    key,
    "place",
    isJob,
    state,
    top,
    before,
    after,
  ];
  return {
    above: ABOVE,
    nodes: [
      node("raw", false, -1, 2, 1),
      node("clean", true, 0, 1, 1, "failed"),
      node("gold", false, -1, 1, 1),
      node("report", true, 0, 1, 0, "completed"),
    ],
    edges: [0, 1, 1, 2, 2, 3],
    columns: [],
    derivations: [],
    roots: ["clean"],
    cut: false,
    ...more,
  };
}

function lineageOf(more) {
  const lineage = new Lineage();
  lineage.add(piece(more));
  lineage.roots = ["clean"];
  return lineage;
}

const boxesOf = (scene) => [...scene.boxes.keys()];
const linksOf = (scene) => scene.links.map(({ source, target }) => `${source}>${target}`);

/** Answer questions of a walk at once; places are in one row. */
function answering(answers = {}) {
  const layout = ({ boxes, links }) => ({
    middles: boxes.map((_, n) => [100 * n, 0]),
    routes: links.map(() => []),
    width: 0,
    height: 0,
  });
  return async (question, about) => ({ layout, ...answers })[question](about);
}

async function walkOf(answers, more) {
  const drawn = [];
  const walk = new Walk(answering(answers), (...drawing) => drawn.push(drawing));
  await walk.begin(piece(more));
  return { walk, drawn };
}

test("each job and dataset has a box, with the neighbours that have not been read", () => {
  const scene = toScene(lineageOf(), 0, new Set());
  assert.deepEqual(boxesOf(scene), ["raw", "clean", "gold", "report"]);
  assert.deepEqual(linksOf(scene), ["raw>clean", "clean>gold", "gold>report"]);
  assert.equal(scene.boxes.get("raw").before, 2);
  assert.equal(scene.boxes.get("clean").before, 0);
});

test("a group stands for its jobs, in the worst of their states", () => {
  const scene = toScene(lineageOf(), 1, new Set());
  assert.deepEqual(boxesOf(scene), ["raw", "j:sales", "gold"]);
  assert.deepEqual(linksOf(scene), ["raw>j:sales", "j:sales>gold"]);
  const group = scene.boxes.get("j:sales");
  assert.equal(group.state, "failed");
  assert.ok(group.isGroup);
  assert.equal(group.place, "pipeline · 2 inside");
});

test("an open group shows its jobs", () => {
  const scene = toScene(lineageOf(), 1, new Set(["j:sales"]));
  assert.deepEqual(boxesOf(scene), ["raw", "clean", "gold", "report"]);
});

test("a piece counts the nodes that were known before it first", () => {
  const lineage = lineageOf();
  const node = ["more", "id:more", "more", "", false, "", -1, 1, 0];
  lineage.add(piece({ nodes: [node], edges: [1, 2] }), ["raw", "report"]);
  assert.ok(lineage.edges.has("report>more"));
});

test("folding hides what hangs on a box alone", () => {
  const lineage = lineageOf();
  lineage.fold(["gold"]);
  assert.deepEqual([...lineage.nodes.keys()], ["raw", "clean", "gold"]);
  assert.deepEqual([...lineage.edges.keys()], ["raw>clean", "clean>gold"]);
});

test("derivations join the rows of columns that are shown", () => {
  const columns = [
    [0, "raw#x", "x", "int"],
    [2, "gold#y", "y", "int"],
    [2, "gold#z", "z", "int"],
  ];
  const derivations = [
    ["raw#x", "gold#z", "SUM", true],
    ["raw#x", "hidden#a", "SUM", true],
  ];
  const scene = toScene(lineageOf({ columns, derivations }), 0, new Set());
  const [link, ...others] = scene.links.filter((one) => one.columns);
  assert.deepEqual(others, []);
  assert.deepEqual([link.sourceRow, link.targetRow], [0, 1]);
  const { boxes, links } = toLayoutQuestion(scene);
  const size = sizeOf(scene.boxes.get("gold"));
  assert.deepEqual(boxes[2], [size.width, size.height]);
  assert.deepEqual(links.at(-1).slice(0, 2), [0, 2]);
  assert.equal(links.at(-1)[3], rowMiddle(size, 1));
  assert.equal(links[0][2], rowMiddle(sizeOf(scene.boxes.get("raw"))));
});

test("a line without a row leaves at the middle of a box without columns", () => {
  assert.equal(rowMiddle({ height: HEAD }), 0);
});

test("the ways before and after a box, and between two, follow the data", () => {
  const links = linksFrom("a>b", "b>c", "x>b", "c>d");
  assert.deepEqual([...followed(links, "b").before], ["b", "a", "x"]);
  assert.deepEqual([...followed(links, "b").after], ["b", "c", "d"]);
  assert.deepEqual([...between(links, "a", "c")].sort(), ["a", "b", "c"]);
  assert.deepEqual([...between(links, "c", "a")].sort(), ["a", "b", "c"]);
  assert.equal(between(links, "a", "x").size, 0);
});

function linksFrom(...pairs) {
  return pairs.map((pair) => {
    const [source, target] = pair.split(">");
    return { source, target };
  });
}

test("arrow keys go along lines, and up and down within a layer", () => {
  const places = new Map(
    Object.entries({ a: [0, 0], b: [9, 40], c: [9, 10], d: [9, 90] }).map(([key, [x, y]]) => [
      key,
      { x, y },
    ]),
  );
  const scene = { links: linksFrom("a>b", "a>c"), places };
  assert.equal(nearest(scene, "a", "Right"), "c");
  assert.equal(nearest(scene, "b", "Left"), "a");
  assert.equal(nearest(scene, "b", "Down"), "d");
  assert.equal(nearest(scene, "a", "Up"), null);
});

test("a selection marks both ways, and a target the path between", async () => {
  const { walk } = await walkOf();
  const marks = marksOf(walk, { selected: "id:gold", target: "", stale: false }, []);
  assert.deepEqual([...marks.before], ["gold", "clean", "raw"]);
  assert.match(describeMarks(walk, marks), /2 before and 1 after gold$/);
  const path = marksOf(walk, { selected: "id:raw", target: "id:gold", stale: false }, []);
  assert.equal(describeMarks(walk, path), "3 on the path between raw and gold");
});

test("an expanded box stays where it is, and its neighbours are drawn", async () => {
  const fresh = ["new", "id:new", "new", "", true, "", -1, 0, 1];
  const more = ({ key, jobs, datasets }) => {
    assert.equal(key, "raw");
    const known = [...jobs, ...datasets];
    return piece({ nodes: [fresh], edges: [known.length, known.indexOf("raw")], above: [] });
  };
  const { walk, drawn } = await walkOf({ more });
  await walk.expand(walk.box("id:raw"), 1, 0);
  assert.deepEqual(drawn.at(-1), ["raw", null]);
  assert.ok(linksOf(walk.scene).includes("new>raw"));
  assert.equal(walk.box("id:raw").before, 1);
});

test("until a layout is here the walk shows the scene before, and only the newest is drawn", async () => {
  const { walk, drawn } = await walkOf();
  const waiting = [];
  walk.ask = () => new Promise((resolve) => waiting.push(resolve));
  walk.level = 1;
  const first = walk.lay();
  walk.level = 0;
  walk.lineage.fold(["gold"]);
  const second = walk.lay("gold");
  assert.equal(walk.scene.boxes.size, 4);
  const answer = (count, links) => ({
    middles: Array.from({ length: count }, () => [0, 0]),
    routes: Array.from({ length: links }, () => []),
  });
  waiting[0](answer(3, 2));
  waiting[1](answer(3, 2));
  await Promise.all([first, second]);
  assert.deepEqual(boxesOf(walk.scene), ["raw", "clean", "gold"]);
  assert.deepEqual(drawn.slice(1), [["gold", null]]);
});

test("an id may name a column of a box", async () => {
  const { walk } = await walkOf({}, { columns: [[2, "gold#y", "y", "int"]] });
  assert.equal(walk.place("id:gold#y").column.key, "gold#y");
  assert.equal(walk.place("id:raw#x").closed, true);
  assert.equal(walk.place("id:none#x").box, null);
});

test("a column and its dataset may have a # in their names", async () => {
  const columns = [[2, "gold#y#z", "y#z", "int"]];
  const { walk } = await walkOf({}, { columns });
  assert.equal(walk.place("id:gold#y#z").column.key, "gold#y#z");
  assert.equal(walk.place("id:raw#x#").closed, true);
  assert.equal(walk.place("id:gold#no#z").box.key, "gold");
  assert.equal(walk.place("#").box, null);
});

test("columns are refused while another time is shown", async () => {
  const { walk } = await walkOf();
  walk.at = "2026-01-01T00:00:00Z";
  await assert.rejects(walk.openColumns(walk.box("id:raw")), /set the time to now first/);
});

test("large numbers below the drawing are grouped", () => {
  const lineage = { keys: () => Array.from({ length: 10017 }), nodes: { size: 12017 } };
  assert.equal(describeMarks({ lineage }, { selected: "" }), "10,017 jobs, 2,000 datasets");
});
