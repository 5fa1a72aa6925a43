// Where boxes stand and lines run: layers from left to right, few crossings, straight long lines.

const GAP_X = 64;
const GAP_Y = 18;
const LINE_GAP = 8;
const MANY = 600;

/**
 * Place boxes `{key, width, height}` and lines `{source, target, leaves, enters}`, which leave and
 * enter that far below the middle of their boxes. Lines over several layers that leave one place
 * share a trunk.
 */
function layOut(boxes, links) {
  const number = new Map(boxes.map(({ key }, n) => [key, n]));
  const lines = links.map((link) => ({
    source: number.get(link.source),
    target: number.get(link.target),
    leaves: link.leaves ?? 0,
    enters: link.enters ?? 0,
  }));
  const ranks = rankBoxes(boxes.length, lines);
  const spots = boxes.map(({ width, height }, n) => ({ layer: ranks[n], width, height, before: [], after: [] }));
  const chains = lines.map((line) => chain(line, spots));
  const layers = [];
  for (const spot of spots) (layers[spot.layer] ??= []).push(spot);
  for (let n = 0; n < layers.length; n++) layers[n] ??= [];
  const sweeps = spots.length > MANY ? 4 : 16;
  orderLayers(layers, sweeps);
  stackLayers(layers, sweeps);
  const size = { width: setColumns(layers), height: moveToTop(spots) };
  const places = new Map(boxes.map(({ key }, n) => [key, spots[n]]));
  return { ...size, places, routes: lines.map((line, n) => route(line, chains[n], spots)) };
}

/** Return the layer of each box: after all that it comes from, but for lines that close a cycle. */
function rankBoxes(count, lines) {
  const after = Array.from({ length: count }, () => []);
  for (const { source, target } of lines) if (source !== target) after[source].push(target);
  const order = withoutCycles(after);
  const ranks = new Array(count).fill(0);
  const isFirst = new Array(count).fill(true);
  for (const box of order) {
    for (const next of after[box]) {
      isFirst[next] = false;
      ranks[next] = Math.max(ranks[next], ranks[box] + 1);
    }
  }
  for (let box = 0; box < count; box++) {
    if (isFirst[box] && after[box].length) {
      ranks[box] = after[box].reduce((least, next) => Math.min(least, ranks[next]), Infinity) - 1;
    }
  }
  return ranks;
}

/** Take from `after` the lines that close a cycle, and return all boxes, those before first. */
function withoutCycles(after) {
  const state = new Uint8Array(after.length);
  const left = [];
  for (let start = 0; start < after.length; start++) {
    if (state[start]) continue;
    const path = [[start, 0]];
    state[start] = 1;
    while (path.length) {
      const step = path[path.length - 1];
      const [box, at] = step;
      if (at === after[box].length) {
        state[box] = 2;
        left.push(box);
        path.pop();
        continue;
      }
      const next = after[box][at];
      if (state[next] === 1) after[box].splice(at, 1);
      else step[1]++;
      if (state[next] === 0) {
        state[next] = 1;
        path.push([next, 0]);
      }
    }
  }
  return left.reverse();
}

/** Return what a line passes, from the left: its left box, bends that others share, its right box. */
function chain({ source, target, leaves, enters }, spots) {
  const forward = spots[source].layer <= spots[target].layer;
  const [left, right] = forward ? [spots[source], spots[target]] : [spots[target], spots[source]];
  const [out, into] = forward ? [leaves, enters] : [enters, leaves];
  left.trunks ??= new Map();
  const trunk = left.trunks.get(out) ?? [];
  left.trunks.set(out, trunk);
  for (let layer = left.layer + 1 + trunk.length; layer < right.layer; layer++) {
    const bend = { layer, width: 0, height: 0, before: [], after: [], bend: true };
    join(trunk.at(-1) ?? left, bend, trunk.length ? 0 : out, 0);
    trunk.push(bend);
    spots.push(bend);
  }
  const passed = trunk.slice(0, Math.max(0, right.layer - left.layer - 1));
  if (left.layer !== right.layer) join(passed.at(-1) ?? left, right, passed.length ? 0 : out, into);
  return passed;
}

function join(left, right, out, into) {
  const weight = left.bend && right.bend ? 8 : left.bend || right.bend ? 2 : 1;
  left.after.push({ to: right, shift: into - out, weight });
  right.before.push({ to: left, shift: out - into, weight });
}

/** Order each layer by the mean place of its neighbours, to and fro; the fewest crossings win. */
function orderLayers(layers, sweeps) {
  layers.forEach(number);
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(layers);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const side = sweep % 2 ? "after" : "before";
    for (const layer of side === "before" ? layers : [...layers].reverse()) {
      for (const spot of layer) spot.wish = meanPlace(spot, spot[side]);
      layer.sort((one, other) => one.wish - other.wish);
      number(layer);
    }
    const found = crossings(layers);
    if (found >= fewest) continue;
    best = layers.map((layer) => [...layer]);
    fewest = found;
  }
  best.forEach((layer, n) => (layers[n] = layer));
}

function number(layer) {
  layer.forEach((spot, n) => {
    spot.index = n;
    spot.place = (n + 0.5) / layer.length;
  });
}

function meanPlace(spot, joints) {
  let sum = 0;
  for (const { to } of joints) sum += to.place;
  return joints.length ? sum / joints.length : spot.place;
}

/** Count pairs of lines that cross, by a tree of counts. */
function crossings(layers) {
  let found = 0;
  for (let n = 0; n + 1 < layers.length; n++) {
    const counts = new Int32Array(layers[n + 1].length + 1);
    let seenBefore = 0;
    for (const { after } of layers[n]) {
      const ends = Int32Array.from(after, ({ to }) => to.index + 1).sort();
      for (const end of ends) {
        let notGreater = 0;
        for (let at = end; at > 0; at -= at & -at) notGreater += counts[at];
        found += seenBefore++ - notGreater;
        for (let at = end; at < counts.length; at += at & -at) counts[at]++;
      }
    }
  }
  return found;
}

/** Set how high spots stand: as near to their neighbours as the order and the gaps let them. */
function stackLayers(layers, sweeps) {
  const gaps = layers.map((layer) =>
    layer.map((spot, n) => {
      const above = layer[n - 1];
      if (!above) return 0;
      return (above.height + spot.height) / 2 + (above.bend || spot.bend ? LINE_GAP : GAP_Y);
    }),
  );
  layers.forEach((layer, n) => {
    let y = -gaps[n].reduce((sum, gap) => sum + gap, 0) / 2;
    layer.forEach((spot, at) => (spot.y = y += gaps[n][at]));
  });
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let n = 0; n < layers.length; n++) {
      const at = sweep % 2 ? layers.length - 1 - n : n;
      spread(layers[at], gaps[at]);
    }
  }
}

/** Move a layer's spots to the places nearest to what they wish, by pooling those out of order. */
function spread(layer, gaps) {
  const pools = [];
  let floor = 0;
  const floors = gaps.map((gap) => (floor += gap));
  layer.forEach((spot, n) => {
    let pool = { sum: wish(spot) - floors[n], count: 1 };
    while (pools.length && pools.at(-1).sum / pools.at(-1).count > pool.sum / pool.count) {
      const last = pools.pop();
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count };
    }
    pools.push(pool);
  });
  let n = 0;
  for (const { sum, count } of pools) {
    for (const last = n + count; n < last; n++) layer[n].y = sum / count + floors[n];
  }
}

function wish({ before, after, y }) {
  let sum = 0;
  let total = 0;
  for (const joints of [before, after]) {
    for (const { to, shift, weight } of joints) {
      sum += (to.y + shift) * weight;
      total += weight;
    }
  }
  return total ? sum / total : y;
}

/** Set the left edge and the width of each layer, and return that of all. */
function setColumns(layers) {
  let x = 0;
  for (const layer of layers) {
    const width = layer.reduce((most, spot) => Math.max(most, spot.width), 0);
    for (const spot of layer) {
      spot.left = x;
      spot.right = x + width;
      spot.x = x + width / 2;
    }
    x += width + GAP_X;
  }
  return Math.max(0, x - GAP_X);
}

function moveToTop(spots) {
  let [top, bottom] = [Infinity, -Infinity];
  for (const { y, height } of spots) {
    top = Math.min(top, y - height / 2);
    bottom = Math.max(bottom, y + height / 2);
  }
  for (const spot of spots) spot.y -= top;
  return spots.length ? bottom - top : 0;
}

/** Return the points of a line, from its source to its target. */
function route({ source, target, leaves, enters }, passed, spots) {
  const [from, to] = [spots[source], spots[target]];
  const forward = from.layer <= to.layer;
  const side = forward ? 0.5 : -0.5;
  const bends = passed.flatMap(({ left, right, y }) => [[left, y], [right, y]]);
  if (!forward) bends.reverse();
  return [
    [from.x + side * from.width, from.y + leaves],
    ...bends,
    [to.x - side * to.width, to.y + enters],
  ];
}
