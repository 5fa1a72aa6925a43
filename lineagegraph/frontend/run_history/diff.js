// The difference between two runs.

import { make, stateBadge, table } from "../dom.js";
import { formatSeconds, formatTime, formatValue } from "../format.js";

const SIGNS = { ADDED: "+", REMOVED: "−", CHANGED: "~", SAME: "" };
const CUT = "A run has more runs below it than are compared.";
const LINES = { "+": "lg-added", "-": "lg-removed", "@": "lg-hunk" };

/** Draw a difference: facts, parameters, data and, if they differ, versions. */
export function diffView(found) {
  const { before, after } = found;
  const changed = (name, text) =>
    found.changed.includes(name) ? make("b", { class: "lg-changed" }, text) : text;
  const facts = [
    ["run", before.id, after.id],
    ["job", ...[before, after].map((run) => changed("job", `${run.namespace}:${run.name}`))],
    ["state", ...[before, after].map((run) => stateBadge(run.state))],
    ["began", ...[before, after].map((run) => formatTime(run.started_at))],
    [
      "took",
      ...[before, after].map((run) =>
        run.duration_ms == null ? "–" : formatSeconds(run.duration_ms / 1000),
      ),
    ],
    [
      "version",
      ...[before, after].map((run) => changed("version", (run.version ?? "–").slice(0, 12))),
    ],
  ];
  return make(
    "div",
    { class: "lg-diff" },
    table(["", "Before", "After"], facts),
    section(
      "Parameters",
      found.parameters.length &&
        table(["Parameter", "Before", "After"], found.parameters.map(fieldRow)),
    ),
    section(
      "Returned",
      found.values.length && table(["By", "Before", "After"], found.values.map(fieldRow)),
    ),
    section("Read", found.inputs.length && usesView(found.inputs)),
    section("Written", found.outputs.length && usesView(found.outputs)),
    found.cut && make("p", { class: "lg-soft" }, CUT),
    found.versions && versionView(found.versions),
  );
}

function section(title, content) {
  return content ? [make("h2", {}, title), content] : [];
}

function fieldRow(field) {
  return [field.name, formatValue(field.before), formatValue(field.after)];
}

function usesView(uses) {
  const rows = uses.map((use) => [
    sign(use.change),
    `${use.namespace}:${use.name}`,
    pair(versionsOf(use.before), versionsOf(use.after)),
    pair(use.before?.row_count?.toLocaleString(), use.after?.row_count?.toLocaleString()),
    use.columns.map(({ change, name, before, after }) =>
      make("div", {}, sign(change), ` ${name} ${pair(before, after)}`),
    ),
  ]);
  const drawn = table(
    ["", "Dataset", "Version", "Rows", "Columns"],
    rows.map((row) => row.map(cell)),
  );
  return make("div", { class: "lg-cards lg-labels" }, drawn);
}

function cell(content) {
  return Array.isArray(content) && content.length ? make("div", {}, content) : content;
}

function versionsOf(used) {
  const versions = used?.versions ?? [];
  return versions.length > 1 ? `${versions.length} versions` : versions[0]?.slice(0, 8);
}

function pair(before, after) {
  return before === after ? (before ?? "") : `${before ?? "–"} → ${after ?? "–"}`;
}

function versionView(found) {
  const stated = found.definition;
  const orders = stated.edges.map(({ change, first, then }) => [
    sign(change),
    `${first} → ${then}`,
    "",
  ]);
  return [
    section("Tasks", stated.tasks.length && partsView(stated.tasks)),
    section("Order", orders.length && table(["", "Order", ""], orders)),
    section("Declared parameters", stated.parameters.length && partsView(stated.parameters)),
    section(
      "Settings",
      stated.settings.length &&
        table(["Setting", "Before", "After"], stated.settings.map(fieldRow)),
    ),
    section("Triggers", stated.triggers.length && partsView(stated.triggers)),
    section("Code", found.files.length && make("div", {}, found.files.map(fileView))),
    found.missing.map((sentence) => make("p", { class: "lg-soft" }, `Not compared: ${sentence}`)),
  ].flat();
}

function partsView(parts) {
  const rows = parts.map((part) => [
    sign(part.change),
    part.name,
    make(
      "div",
      {},
      part.fields.map((field) =>
        make(
          "div",
          {},
          `${field.name}: ${formatValue(field.before)} → ${formatValue(field.after)}`,
        ),
      ),
    ),
  ]);
  return table(["", "Name", "What"], rows);
}

function fileView(file) {
  // The first two lines repeat the name of the file.
  const lines = file.lines
    .slice(2)
    .map((line) => make("div", { class: `lg-code ${LINES[line[0]] ?? ""}` }, line || " "));
  return make(
    "details",
    { open: true },
    make("summary", {}, sign(file.change), ` ${file.path}`),
    lines.length ? make("pre", {}, lines) : make("p", { class: "lg-soft" }, "no text to show"),
  );
}

function sign(change) {
  return make(
    "b",
    { class: `lg-${change.toLowerCase()}`, title: change.toLowerCase() },
    SIGNS[change],
  );
}
