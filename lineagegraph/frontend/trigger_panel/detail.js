// One trigger: why it fired or not, its next times and newest firings, and what to do with it.

import {
  actButton,
  browserLink,
  confirmed,
  make,
  nothing,
  once,
  stateBadge,
  table,
} from "../dom.js";
import { formatReason, zone } from "../format.js";
import { tick } from "./inputs.js";

/**
 * Draw a trigger; `act`, `edit` and `remove` handle clicks, `fire` is its row to fire it, and `link`
 * makes an address of the page.
 */
export function drawTrigger(whole, { act, edit, remove, fire, link }) {
  const { id, stated } = whole;
  const known = { ...whole, isNew: false };
  const copy = { ...whole, isNew: true, enabled: true, name: `${whole.name} copy` };
  const draft = (one) => () => edit({ ...one, rule: structuredClone(whole.rule) });
  const actions = [
    actButton(whole.enabled ? "Disable" : "Enable", () =>
      act("enable", { name: id, enabled: !whole.enabled }),
    ),
    !stated && actButton("Edit", draft(known)),
    actButton("Copy", draft(copy)),
    whole.dead > 0 &&
      actButton(`Redrive ${whole.dead} dead letters`, () => act("redrive", { name: id })),
    !stated && confirmed("Delete", () => remove(whole)),
    browserLink(whole.browser),
  ];
  return [
    make("h2", {}, whole.name, make("span", { class: "lg-soft" }, ` starts ${whole.starts}`)),
    whole.description && make("p", {}, whole.description),
    whole.deleted && make("p", { class: "lg-warn" }, `The job ${whole.deleted}.`),
    make("p", {}, `when ${whole.text}`),
    stated &&
      make("p", { class: "lg-soft" }, `It is defined in ${stated}: change it there, or copy it.`),
    whole.suspended_at &&
      !whole.enabled &&
      make(
        "p",
        {},
        `It has been suspended since ${whole.suspended_at}`,
        whole.suspended_because ? `: ${whole.suspended_because}` : ".",
      ),
    make("div", { class: "lg-row" }, actions),
    fire,
    make("h3", {}, "Why, and why not"),
    make("ul", { role: "tree", class: "lg-tree" }, whole.standings.map(drawStanding)),
    whole.waiting.map(({ text, key }) =>
      make(
        "p",
        { class: "lg-warn" },
        text,
        " ",
        key && actButton("Redrive", () => act("redrive", { name: id, key })),
      ),
    ),
    whole.refused.map((text) => make("p", { class: "lg-soft" }, text)),
    whole.next.length > 0 && [
      make("h3", {}, `Next (${zone})`),
      make(
        "ul",
        {},
        whole.next.map((text) => make("li", {}, text)),
      ),
    ],
    make("h3", {}, "Newest firings"),
    whole.fired.length ? firingsTable(whole.fired, link) : nothing("It has never fired."),
  ]
    .flat(Infinity)
    .filter(Boolean);
}

/** Make the row that fires a trigger with parameters. */
export function fireRow(id, act) {
  const params = make("input", {
    "aria-label": "parameters",
    placeholder: "name=value name=value",
    size: 24,
  });
  let consume = false;
  const fire = once(() => act("fire", { name: id, params: splitWords(params.value), consume }));
  params.addEventListener("keydown", (event) => event.key === "Enter" && fire(event));
  return make(
    "div",
    { class: "lg-row lg-act" },
    make("button", { type: "button", onclick: fire }, "Fire"),
    params,
    tick("consume pending occurrences", false, (is) => (consume = is)),
  );
}

/** Split a line at its blanks, but not within quotes. */
export function splitWords(text) {
  return [...text.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ""));
}

function drawStanding(standing) {
  const mark = standing.is_true ? "✓" : "✗";
  return make(
    "li",
    { role: "treeitem" },
    make(
      "span",
      {
        class: standing.is_true ? "lg-yes" : "lg-no",
        role: "img",
        "aria-label": standing.is_true ? "true:" : "not true:",
      },
      `${mark} `,
    ),
    standing.text,
    standing.lines.map(({ text, tone }) => make("div", { class: `lg-${tone}` }, text)),
    standing.parts.length > 0 && make("ul", { role: "group" }, standing.parts.map(drawStanding)),
  );
}

function firingsTable(fired, link) {
  const named = (id) =>
    link ? make("a", { href: link("run", id) }, id.slice(-12)) : id.slice(-12);
  const run = ({ id, state }) => make("div", { title: id }, stateBadge(state), " ", named(id));
  const rows = fired.map(({ at, reason, runs, state }) => [
    at,
    formatReason(reason),
    runs.length ? make("div", {}, runs.map(run)) : state,
  ]);
  return table(["Fired", "Reason", "Run"], rows);
}
