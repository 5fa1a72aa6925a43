// Addresses of the views within the page: `#/run/ID`, `#/job/NAME/NAMESPACE`.

/** Return the address of a view and what it shows. */
export function address(view, ...parts) {
  return `#/${[view, ...parts].map(encodeURIComponent).join("/")}`;
}

/** Return the address of a job, dataset or column in the lineage, chosen there. */
export function lineageAddress(id) {
  return address("lineage", id, id);
}

// What of the state of a view is in its address.
const KEPT = {
  lineage: ["node", "selected"],
  triggers: ["selected"],
  freshness: ["selected", "only_stale"],
  sensors: ["selected"],
  backfills: ["selected"],
  tags: ["selected"],
  job: ["job", "namespace", "selected", "pane"],
  run: ["run_id", "selected"],
};

/** Return the address of what a view shows. */
export function addressOf(view, state) {
  const parts = namesOf(view).map((name) => part(name, state.get(name)));
  while (parts.length > 2 && !parts.at(-1)) parts.pop();
  if (parts.at(-1) === null) parts.pop();
  return address(view, ...parts);
}

/** A switch is in an address by its name, or not at all. */
function part(name, value) {
  return typeof value === "boolean" ? (value ? name : null) : value;
}

/** Call `changed` with each new address of what a view shows; return a function that ends it. */
export function watchAddress(view, state, changed) {
  const tell = () => changed(addressOf(view, state));
  return state.watch(Object.fromEntries(namesOf(view).map((name) => [name, tell])));
}

function namesOf(view) {
  return Object.hasOwn(KEPT, view) ? KEPT[view] : [];
}

/** Return the view and what it shows, of an address. */
export function readAddress(hash) {
  const [view, ...parts] = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decode);
  return { view: view || "now", parts };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
