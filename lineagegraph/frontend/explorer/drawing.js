// The explorer's drawing: a few paths for all boxes and lines, and names where they can be read.

import { draw } from "../dom.js";
import { append } from "./graph.js";
import { boxPath, dotPath, HEAD, linePath, nameOf, ROW, tipPath } from "./shapes.js";

const MARGIN = 24;
/** The smallest scale with names. */
export const READABLE = 0.3;
/** The smallest scale at which a drawing begins: its names have nine pixels or more. */
export const LEGIBLE = 0.7;
const MOST_NAMED = 400;
const [CLOSEST, FARTHEST] = [3, 0.02];

/**
 * Make a drawing that is panned and zoomed. `show(scene)` draws a placed scene; `light(marks)`
 * marks `selected`, `column`, `target` and the sets `before`, `after`, `between`, `stale` and
 * `blamed` of boxes' keys. `on` has what is called: `click(hit, shift)`, `open(box)`, `over(box)`.
 */
export function drawing(on) {
  const world = draw("g");
  const names = draw("g");
  const svg = draw(
    "svg",
    {
      class: "lg-drawing",
      tabindex: "0",
      role: "application",
      "aria-label": "Lineage: arrow keys move, Enter expands",
    },
    draw("g", { class: "lg-world" }, world, names),
  );
  let scene = { boxes: new Map(), links: [], places: new Map(), routes: [], width: 0, height: 0 };
  let marks = {};
  let view = { x: 0, y: 0, k: 1 };
  let fitted = true;

  function show(next) {
    scene = next;
    scene.paths = scene.routes.map(linePath);
    paint();
  }

  function light(next) {
    marks = next;
    paint();
  }

  /** Draw the shapes: one path for all of the same look. */
  function paint() {
    const lines = new Map();
    for (const [n, link] of scene.links.entries()) {
      const look = lineLook(link, marks);
      append(lines, look, scene.paths[n]);
      append(lines, `${look} tip`, tipPath(scene.routes[n]));
    }
    const shapes = new Map();
    const dots = new Map();
    for (const box of scene.boxes.values()) {
      const place = scene.places.get(box.key);
      const look = boxLook(box, marks);
      append(shapes, look, boxPath(place, box.isJob ? 15 : 4));
      if (box.isGroup) append(shapes, `${look} behind`, boxPath(place, 15, 5));
      if (box.state)
        append(
          dots,
          look.endsWith("faded") ? `${box.state} faded` : box.state,
          dotPath(place, box.state),
        );
    }
    world.replaceChildren(
      ...[...lines]
        .sort(litLast)
        .map(([look, paths]) => draw("path", { class: look, d: paths.join("") })),
      ...[...shapes]
        .sort(behindFirst)
        .map(([look, paths]) => draw("path", { class: look, d: paths.join("") })),
      ...[...dots].map(([state, paths]) =>
        draw("path", { class: `lg-dot ${state}`, d: paths.join("") }),
      ),
    );
    move();
  }

  /** Draw the view, with names where they can be read. */
  function move() {
    const { x, y, k } = view;
    world.parentNode.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
    const close = k < READABLE ? [] : inView();
    names.replaceChildren(
      ...(close.length > MOST_NAMED ? [] : close.map((box) => nameOf(box, scene, marks))),
    );
  }

  function inView() {
    const [left, top] = toWorld(0, 0);
    const [right, bottom] = toWorld(svg.clientWidth, svg.clientHeight);
    return [...scene.boxes.values()].filter(({ key }) => {
      const { x, y, width, height } = scene.places.get(key);
      return (
        x + width / 2 > left &&
        x - width / 2 < right &&
        y + height / 2 > top &&
        y - height / 2 < bottom
      );
    });
  }

  function toWorld(x, y) {
    return [(x - view.x) / view.k, (y - view.y) / view.k];
  }

  /** Return the box at a point of the page, and the column there. */
  function hit({ clientX, clientY }) {
    const corner = svg.getBoundingClientRect();
    const [x, y] = toWorld(clientX - corner.left, clientY - corner.top);
    for (const box of scene.boxes.values()) {
      const place = scene.places.get(box.key);
      const [across, down] = [x - place.x, y - place.y];
      if (Math.abs(across) > place.width / 2 || Math.abs(down) > place.height / 2) continue;
      const row = Math.floor((down + place.height / 2 - HEAD) / ROW);
      return { box, column: box.columns[row] ?? null };
    }
    return null;
  }

  function zoom(factor, x = svg.clientWidth / 2, y = svg.clientHeight / 2) {
    const k = Math.min(CLOSEST, Math.max(FARTHEST, view.k * factor));
    const [atX, atY] = toWorld(x, y);
    turn({ x: x - atX * k, y: y - atY * k, k });
  }

  /** Set the view: from now on a resized drawing shows the same part. */
  function turn(next) {
    view = next;
    fitted = false;
    move();
  }

  /** Show all of it; a small drawing is not enlarged. */
  function fit() {
    const [width, height] = [svg.clientWidth, svg.clientHeight];
    fitted = true;
    if (!width || !height) return;
    const wanted = [width / (scene.width + 2 * MARGIN), height / (scene.height + 2 * MARGIN)];
    const k = Math.max(FARTHEST, Math.min(1, ...wanted));
    view = { x: (width - scene.width * k) / 2, y: (height - scene.height * k) / 2, k };
    move();
  }

  /** Show all of it, or begin at a box where that would be smaller than a scale. */
  function open(key, smallest) {
    fit();
    if (view.k >= smallest) return;
    const [width, height] = [svg.clientWidth, svg.clientHeight];
    moveTo(key, [width / 2, height / 2], LEGIBLE);
    const { x, y, k } = view;
    turn({ x: filled(x, scene.width * k, width), y: filled(y, scene.height * k, height), k });
  }

  /** Leave a box where it was on the screen; a view of all stays one of all. */
  function keep(key, at) {
    if (fitted || !at) fit();
    else moveTo(key, at);
  }

  /** Bring a box into view, large enough to be read, and move no more than needed. */
  function reveal(key) {
    if (!scene.places.has(key)) return;
    if (fitted) fit();
    if (fitted && view.k >= READABLE) return;
    const { clientWidth: width, clientHeight: height } = svg;
    if (view.k < READABLE) return moveTo(key, [width / 2, height / 2], 0.7);
    const [x, y] = onScreen(key);
    const inside = (at, edge, size) => Math.max(edge, Math.min(size - edge, at));
    const wanted = [inside(x, 100, width), inside(y, 50, height)];
    if (wanted[0] !== x || wanted[1] !== y) moveTo(key, wanted);
  }

  /** Move a box to a place on the screen. */
  function moveTo(key, [x, y], k = view.k) {
    const place = scene.places.get(key);
    if (place) turn({ x: x - place.x * k, y: y - place.y * k, k });
  }

  function onScreen(key) {
    const place = scene.places.get(key);
    return place ? [place.x * view.k + view.x, place.y * view.k + view.y] : null;
  }

  const resized = new ResizeObserver(() => (fitted ? fit() : move()));
  resized.observe(svg);
  const pan = (x, y) => turn({ ...view, x: view.x + x, y: view.y + y });
  grabbing(svg, { hit, on, pan, zoom });
  return {
    svg,
    show,
    light,
    fit,
    open,
    zoom,
    reveal,
    keep,
    onScreen,
    leave: () => resized.disconnect(),
  };
}

/** Return where a drawing begins on a side of the view, which it fills if it is long enough. */
function filled(begin, drawn, side) {
  const last = side - drawn - MARGIN;
  return last > MARGIN ? (side - drawn) / 2 : Math.max(last, Math.min(MARGIN, begin));
}

/** Pan with the pointer, zoom with the wheel if the drawing has the focus, and hear clicks. */
function grabbing(svg, { hit, on, pan, zoom }) {
  let from = null;
  let dragged = false;
  let clicked = null;
  svg.addEventListener("pointerdown", (event) => {
    from = [event.clientX, event.clientY];
    dragged = false;
  });
  svg.addEventListener("pointermove", (event) => {
    if (!from || !event.buttons) {
      svg.style.cursor = hit(event) ? "pointer" : "grab";
      on.over(hit(event)?.box ?? null);
      return;
    }
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    if (!dragged && Math.hypot(x, y) < 4) return;
    if (!dragged) svg.setPointerCapture(event.pointerId);
    dragged = true;
    from = [event.clientX, event.clientY];
    pan(x, y);
  });
  svg.addEventListener("pointerup", () => {
    from = null;
  });
  // A double click opens the box that its first click hit: by the second it may have moved.
  svg.addEventListener("click", (event) => {
    if (dragged || event.detail > 1) return;
    clicked = hit(event);
    on.click(clicked, event.shiftKey);
  });
  svg.addEventListener("dblclick", () => on.open(clicked?.box ?? null));
  const wheel = (event) => {
    const isFocused = svg.getRootNode().activeElement === svg;
    if (!isFocused && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const corner = svg.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 500), event.clientX - corner.left, event.clientY - corner.top);
  };
  svg.addEventListener("wheel", wheel, { passive: false });
}

function lineLook({ source, target, columns, direct, how }, marks) {
  const kind = columns ? (direct ? "lg-line column" : "lg-line column indirect") : "lg-line";
  const ends = columns && marks.column ? columns : [source, target];
  if (!marks.fades || (columns && !marks.column && how)) return kind;
  const both = (set) => set?.has(ends[0]) && set.has(ends[1]);
  for (const name of ["blamed", "between", "before", "after"]) {
    if (both(marks[name])) return `${kind} lit ${name}`;
  }
  return `${kind} faded`;
}

function boxLook(box, marks) {
  const words = ["lg-box", box.isJob ? "job" : "data"];
  if (marks.roots?.has(box.key)) words.push("root");
  if (marks.stale?.has(box.key)) words.push("stale");
  if (box.key === marks.selected || box.key === marks.target) words.push("selected");
  else if (marks.fades && !marks.bright.has(box.key)) words.push("faded");
  return words.join(" ");
}

function litLast([left], [right]) {
  return Number(left.includes(" lit")) - Number(right.includes(" lit"));
}

function behindFirst([left], [right]) {
  return Number(right.includes("behind")) - Number(left.includes("behind"));
}
