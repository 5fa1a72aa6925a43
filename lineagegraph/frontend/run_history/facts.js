// What is known about a job: versions, triggers, freshness, owners, and its entry of the skip list.

import { make, nothing, stateBadge, table } from "../dom.js";
import { formatCount, formatMoment, formatTime } from "../format.js";
import { lineageAddress } from "../page/address.js";
import { describeEnd, temporaryBox } from "../temporary.js";

const SKIP = {
  open: "Skip this job",
  change: "Change the skip",
  go: "Skip",
  end: "Remove the skip",
  hint: "Until then runs leave out the job and all below it; without an end until it is removed.",
};

/** Make the facts of a job; `load()` asks for them, and `link` makes an address of the page. */
export function factsView({ ask, about, report, link }) {
  const place = make("div");
  const skip = temporaryBox({
    begin: (said) => ask("skip", { ...said, ...about() }),
    end: (known) => ask("unskip", { ...about(), known }),
    changed: load,
    report,
    words: SKIP,
    endless: true,
  });

  async function load() {
    const asked = JSON.stringify(about());
    const found = await ask("facts", about());
    if (asked !== JSON.stringify(about())) return;
    skip.show(found.skip, describe);
    place.replaceChildren(...draw(found, link));
  }

  return { element: make("div", { class: "lg-cards lg-labels" }, skip.element, place), load };
}

function describe({ job, reason, author, expires_at }) {
  const end = describeEnd(expires_at, "it is removed");
  return `Runs skip ${job} until ${end}: ${reason} (${author})`;
}

function draw({ facts, versions, triggers, freshness }, link) {
  const named = (view, text, id) => (link ? make("a", { href: link(view, id) }, text) : text);
  return [
    part(
      "Facts",
      facts.length &&
        table(
          ["Fact", ""],
          facts.map(([name, text]) => [name, name === "state" ? stateBadge(text) : text]),
        ),
    ),
    part(
      "Triggers that start it",
      triggers.length &&
        table(
          ["Trigger", "When", ""],
          triggers.map((one) => [
            named("triggers", one.name ?? one.id, one.id),
            one.text,
            one.enabled ? "" : "disabled",
          ]),
        ),
    ),
    part(
      "Freshness",
      freshness && [
        table(
          ["State", "Age", "Terms", "Why"],
          [[stateBadge(freshness.state), freshness.age, freshness.terms, freshness.why]],
        ),
        make("p", {}, named("freshness", "to the cause", freshness.node)),
      ],
    ),
    part(
      "Versions",
      versions.length &&
        table(
          ["Version", "Since", "Runs", "Changed"],
          versions.map((one) => [
            `${one.version.slice(0, 12)}${one.is_current ? ", active" : ""}`,
            formatMoment(one.since),
            String(one.runs),
            one.news.join("; "),
          ]),
        ),
    ),
  ];
}

function part(name, content) {
  return make(
    "section",
    { class: "lg-part", "aria-label": name },
    make("h2", {}, name),
    content || nothing("none"),
  );
}

/** Draw a run as it was: its data, parameters, version and tasks. */
export function asWasView(found, link) {
  const named = (text) =>
    link ? make("a", { href: lineageAddress(`dataset:${text}`) }, text) : text;
  const data = (one) => [
    named(`${one.namespace}:${one.name}`),
    one.version?.slice(0, 12) ?? "",
    formatCount(one.row_count) ?? "",
    one.writer && link ? make("a", { href: link("run", one.writer) }, "its writer") : "",
  ];
  const head = ["Dataset", "Version", "Rows", ""];
  const values = { ...found.params, ...found.emitted };
  return make(
    "div",
    { class: "lg-cards lg-labels" },
    part("Inputs", found.inputs.length && table(head, found.inputs.map(data))),
    part("Outputs", found.outputs.length && table(head, found.outputs.map(data))),
    part("Parameters and emitted values", Object.keys(values).length && valueTable(values)),
    part(
      "Version",
      found.version && table(["Version", "File"], [[found.version.hash, found.version.file]]),
    ),
    part(
      "Tasks",
      found.tasks.length &&
        table(
          ["Task", "State", "Began", "Error"],
          found.tasks.map((task) => [
            task.path,
            stateBadge(task.state),
            formatTime(task.started_at),
            [task.reason, task.error].filter(Boolean).join(": "),
          ]),
        ),
    ),
    found.missing.map((line) => make("p", { class: "lg-soft" }, `not known any more: ${line}`)),
  );
}

function valueTable(values) {
  const rows = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]);
  return table(["Name", "Value"], rows);
}
