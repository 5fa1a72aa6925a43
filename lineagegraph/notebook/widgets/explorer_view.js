// The explorer's drawing: a few paths for all boxes and lines, and names on what can be read.

const HEAD = 48;
const ROW = 22;
const MARGIN = 24;
const READABLE = 0.3;
const MOST_NAMED = 400;
const MOST_LETTERS = 34;
const [CLOSEST, FARTHEST] = [3, 0.02];

/** Return a box's size, as large as what is written in it. */
function sizeOf({ title, place, columns, state }) {
  const rows = columns.map(({ name, type }) => short(name).length + short(type, 18).length + 2);
  const widest = Math.max(short(title).length * 8.3, short(place).length * 6.3, ...rows.map((n) => n * 6.3 - 34));
  const height = columns.length ? HEAD + ROW * columns.length + 6 : HEAD;
  return { width: Math.max(130, widest + (state ? 78 : 60)), height };
}

/** Keep both ends of a long name: the middle says least. */
function short(text, most = MOST_LETTERS) {
  const letters = [...text];
  if (letters.length <= most) return text;
  const half = (most - 1) >> 1;
  return `${letters.slice(0, most - 1 - half).join("")}…${letters.slice(-half).join("")}`;
}

/** Return how far a row is below the middle of its box; without a row, the head. */
function rowMiddle({ height }, row) {
  return (row === undefined ? HEAD / 2 : HEAD + ROW * (row + 0.5)) - height / 2;
}

/**
 * A drawing that is panned and zoomed. `show(scene)` draws `{boxes, links, places, routes}`;
 * `light(marks)` says what stands out: `selected`, `column`, `target`, sets `before`, `after`,
 * `between`, `stale`, `blamed` of boxes' keys, and whether all else fades.
 */
function drawing(told) {
  const world = draw("g");
  const names = draw("g");
  const svg = draw(
    "svg",
    { class: "lg-drawing", tabindex: "0", role: "application", "aria-label": "Lineage: arrow keys move, Enter expands" },
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

  /** Draw the shapes anew: one path for all that look the same. */
  function paint() {
    const lines = new Map();
    scene.links.forEach((link, n) => {
      const look = lineLook(link, marks);
      append(lines, look, scene.paths[n]);
      append(lines, `${look} tip`, tipPath(scene.routes[n]));
    });
    const shapes = new Map();
    const dots = new Map();
    for (const box of scene.boxes.values()) {
      const place = scene.places.get(box.key);
      const look = boxLook(box, marks);
      append(shapes, look, boxPath(place, box.isJob ? 15 : 4));
      if (box.isGroup) append(shapes, `${look} behind`, boxPath(place, 15, 5));
      if (box.state) append(dots, look.endsWith("faded") ? `${box.state} faded` : box.state, dotPath(place));
    }
    world.replaceChildren(
      ...[...lines].sort(litLast).map(([look, paths]) => draw("path", { class: look, d: paths.join("") })),
      ...[...shapes].sort(behindFirst).map(([look, paths]) => draw("path", { class: look, d: paths.join("") })),
      ...[...dots].map(([state, paths]) => draw("path", { class: `lg-dot ${state}`, d: paths.join("") })),
    );
    move();
  }

  /** Set the view, and name what can be read in it. */
  function move() {
    const { x, y, k } = view;
    world.parentNode.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
    const close = k < READABLE ? [] : inView();
    names.replaceChildren(...(close.length > MOST_NAMED ? [] : close.map((box) => nameOf(box, scene, marks))));
  }

  function inView() {
    const [left, top] = toWorld(0, 0);
    const [right, bottom] = toWorld(svg.clientWidth, svg.clientHeight);
    return [...scene.boxes.values()].filter(({ key }) => {
      const { x, y, width, height } = scene.places.get(key);
      return x + width / 2 > left && x - width / 2 < right && y + height / 2 > top && y - height / 2 < bottom;
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
    look({ x: x - atX * k, y: y - atY * k, k });
  }

  /** Look at a part: from now on a drawing that becomes larger or smaller shows the same. */
  function look(next) {
    view = next;
    fitted = false;
    move();
  }

  /** Show all of it; what is small is not made larger. */
  function fit() {
    const [width, height] = [svg.clientWidth, svg.clientHeight];
    fitted = true;
    if (!width || !height) return;
    const wanted = [width / (scene.width + 2 * MARGIN), height / (scene.height + 2 * MARGIN)];
    const k = Math.max(FARTHEST, Math.min(1, ...wanted));
    view = { x: (width - scene.width * k) / 2, y: (height - scene.height * k) / 2, k };
    move();
  }

  /** Leave a box where it was on the screen; what showed all goes on to show all. */
  function keep(key, at) {
    if (fitted || !at) fit();
    else moveTo(key, at);
  }

  /** Bring a box into view, large enough to be read, and move no more than that takes. */
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
    if (place) look({ x: x - place.x * k, y: y - place.y * k, k });
  }

  function onScreen(key) {
    const place = scene.places.get(key);
    return place ? [place.x * view.k + view.x, place.y * view.k + view.y] : null;
  }

  const resized = new ResizeObserver(() => (fitted ? fit() : move()));
  resized.observe(svg);
  const pan = (x, y) => look({ ...view, x: view.x + x, y: view.y + y });
  grabbing(svg, { hit, told, pan, zoom });
  return { svg, show, light, fit, zoom, reveal, keep, onScreen, leave: () => resized.disconnect() };
}

/** Pan with the pointer, zoom with the wheel of a drawing that has the focus, tell of clicks. */
function grabbing(svg, { hit, told, pan, zoom }) {
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
      told.over(hit(event)?.box ?? null);
      return;
    }
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    if (!dragged && Math.hypot(x, y) < 4) return;
    if (!dragged) svg.setPointerCapture(event.pointerId);
    dragged = true;
    from = [event.clientX, event.clientY];
    pan(x, y);
  });
  svg.addEventListener("pointerup", () => (from = null));
  // What the first click of two hit is opened: it may have moved when the second comes.
  svg.addEventListener("click", (event) => {
    if (dragged || event.detail > 1) return;
    clicked = hit(event);
    told.click(clicked, event.shiftKey);
  });
  svg.addEventListener("dblclick", () => told.open(clicked?.box ?? null));
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
  const both = (set) => set && set.has(ends[0]) && set.has(ends[1]);
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

function litLast([one], [other]) {
  return Number(one.includes(" lit")) - Number(other.includes(" lit"));
}

function behindFirst([one], [other]) {
  return Number(other.includes("behind")) - Number(one.includes("behind"));
}

function boxPath({ x, y, width, height }, r, shift = 0) {
  const [left, top] = [x - width / 2 + shift, y - height / 2 + shift];
  const arc = (right, down) => `a${r} ${r} 0 0 1 ${right * r} ${down * r}`;
  const [across, along] = [width - 2 * r, height - 2 * r];
  return `M${left + r} ${top}h${across}${arc(1, 1)}v${along}${arc(-1, 1)}h${-across}${arc(-1, -1)}v${-along}${arc(1, -1)}z`;
}

function dotPath({ x, y, width, height }) {
  const [middle, top] = [x + width / 2 - 15, y - height / 2 + 15];
  return `M${middle - 5} ${top}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z`;
}

function linePath(points) {
  let path = `M${points[0][0].toFixed(1)} ${points[0][1].toFixed(1)}`;
  for (let n = 1; n < points.length; n++) {
    const [[x, y], [toX, toY]] = [points[n - 1], points[n]];
    const middle = ((x + toX) / 2).toFixed(1);
    if (Math.abs(y - toY) < 0.5) path += `H${toX.toFixed(1)}`;
    else path += `C${middle} ${y.toFixed(1)} ${middle} ${toY.toFixed(1)} ${toX.toFixed(1)} ${toY.toFixed(1)}`;
  }
  return path;
}

/** Draw where a line ends: at the left of a box, or where it goes back at the right. */
function tipPath(points) {
  const [[fromX], [x, y]] = points.slice(-2);
  const back = fromX <= x ? -8 : 8;
  return `M${x.toFixed(1)} ${y.toFixed(1)}l${back} -4v8z`;
}

/** Draw what is written on a box. */
function nameOf(box, { places }, marks) {
  const { x, y, width, height } = places.get(box.key);
  const faded = marks.fades && !marks.bright.has(box.key) && box.key !== marks.selected;
  const more = (count, at, anchor) =>
    count > 0 && draw("text", { class: "lg-more", x: at, y: height / 2 + 4, "text-anchor": anchor }, `+${count}`);
  return draw(
    "g",
    {
      class: faded ? "lg-name faded" : "lg-name",
      role: "button",
      "aria-label": spoken(box),
      "aria-pressed": String(box.key === marks.selected),
      transform: `translate(${x - width / 2} ${y - height / 2})`,
    },
    draw("rect", { width, height, fill: "transparent" }),
    ...(box.isJob ? jobIcon() : dataIcon()),
    draw("text", { class: "lg-title", x: 40, y: 21 }, short(box.title)),
    draw("text", { class: "lg-place", x: 40, y: 37 }, short(box.place)),
    more(box.before, -6, "end"),
    more(box.after, width + 6, "start"),
    ...box.columns.map((column, row) => columnRow(column, row, width, marks)),
  );
}

function spoken({ id, state, isGroup, members, before, after }) {
  const parts = [id, state, isGroup && `${members.length} inside`];
  if (before) parts.push(`${before} more before`);
  if (after) parts.push(`${after} more after`);
  return parts.filter(Boolean).join(", ");
}

function columnRow({ key, name, type }, row, width, marks) {
  const y = HEAD + ROW * (row + 0.5);
  const lit = marks.column && [marks.before, marks.after].some((set) => set?.has(key));
  return draw(
    "g",
    { class: lit ? "lg-column lit" : "lg-column", "aria-label": `column ${name} ${type}` },
    draw("rect", { x: 1, y: y - ROW / 2, width: width - 2, height: ROW, class: "lg-row" }),
    draw("text", { class: "lg-title", x: 14, y: y + 4 }, short(name)),
    draw("text", { class: "lg-place", x: width - 12, y: y + 4, "text-anchor": "end" }, short(type, 18)),
  );
}

function jobIcon() {
  const icon = draw("circle", { class: "lg-icon job", cx: 23, cy: 24, r: 9.5 });
  return [icon, draw("path", { class: "lg-icon mark", d: "M20 19.5v9l7.5-4.5z" })];
}

function dataIcon() {
  const side = draw("path", { class: "lg-icon data", d: "M14 18v12a8 3.4 0 0 0 16 0V18M14 24a8 3.4 0 0 0 16 0" });
  return [side, draw("ellipse", { class: "lg-icon data", cx: 22, cy: 18, rx: 8, ry: 3.4 })];
}
