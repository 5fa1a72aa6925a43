// A condition and its parts, as inputs that write into its JSON.

import { button, make } from "../dom.js";
import {
  choice,
  numberInput,
  picker,
  plain,
  rows,
  spanInput,
  suggested,
  textInput,
  tick,
  valueInput,
  worded,
} from "./inputs.js";
import {
  conditionOf,
  isGroup,
  NEW_CONDITION,
  negated,
  newGroup,
  STATUSES,
  setStatus,
  withCondition,
} from "./rule.js";

const GROUPS = [
  ["and", "all of"],
  ["or", "any of"],
  ["at_least", "at least some of"],
  ["sequence", "one after the other"],
];
const LEAVES = [
  ["status", "a job ends"],
  ["upstream", "an upstream job ends"],
  ["dataset", "a dataset is written"],
  ["event", "an event arrives"],
  ["cron", "a time comes"],
  ["interval", "every"],
  ["fresh", "a job or dataset is fresh"],
  ["absent", "something is absent"],
  ["sensor", "a sensor is true"],
];
const OF = {
  fresh: [
    ["status", "a job"],
    ["dataset", "a dataset"],
  ],
  absent: [
    ["status", "a job"],
    ["dataset", "a dataset"],
    ["event", "an event"],
  ],
};
const TESTS = ["=", "!=", ">", ">=", "<", "<=", "not empty", "exists", "matches"];
/** Draw a group: how it joins its parts, the parts, and buttons to add some. */
export function drawGroup(group, form) {
  const parts = group.operands.map((part, place) => drawPart(group, part, place, form));
  const add = (part) => () => {
    group.operands.push(part());
    form.redraw();
  };
  return make(
    "fieldset",
    { class: "lg-operands" },
    make(
      "div",
      { class: "lg-row" },
      choice(group, "on", GROUPS, { label: "operator", changed: form.redraw }),
      group.on === "at_least" &&
        numberInput(group, "count", {
          label: "minimum number",
          placeholder: "2",
          changed: form.changed,
        }),
      worded(
        "within",
        spanInput(group, "within", {
          label: "within",
          placeholder: "any time",
          changed: form.changed,
        }),
      ),
    ),
    ...parts,
    button("+ condition", add(NEW_CONDITION.status)),
    " ",
    button("+ group", add(newGroup)),
  );
}

function drawPart(above, part, place, form) {
  const put = (next) => {
    above.operands[place] = next;
    form.redraw();
  };
  const remove = () => {
    above.operands.splice(place, 1);
    form.redraw();
  };
  const condition = conditionOf(part);
  const putCondition = (next) => put(withCondition(part, next));
  return make(
    "div",
    { class: "lg-part" },
    isGroup(condition) ? drawGroup(condition, form) : drawLeaf(condition, putCondition, form),
    make(
      "div",
      { class: "lg-row" },
      above.on === "and" &&
        tick("has not happened", part.on === "not", (is) => put(negated(part, is))),
      button("✕", remove, `remove condition ${place + 1}`),
    ),
  );
}

function drawLeaf(leaf, put, form) {
  const kind = choice({ on: leaf.on }, "on", LEAVES, {
    label: "kind of condition",
    changed: () => {},
  });
  kind.addEventListener("change", () => put(NEW_CONDITION[kind.value]()));
  return make(
    "div",
    { class: "lg-leaf" },
    make("div", { class: "lg-row" }, kind, MEMBERS[leaf.on](leaf, form)),
  );
}

const MEMBERS = {
  status: (leaf, form) => [job(leaf, form), statuses(leaf, form), happening(leaf, form)],
  upstream: (leaf, form) => [
    job(leaf, form, "the started job"),
    worded("hops", numberInput(leaf, "hops", { label: "hops", changed: form.changed })),
    statuses(leaf, form),
    happening(leaf, form),
  ],
  dataset: (leaf, form) => [dataset(leaf, form), happening(leaf, form)],
  event: (leaf, form) => [event(leaf, form), happening(leaf, form)],
  cron: (leaf, form) => [
    textInput(leaf, "cron", { label: "cron expression", size: 14, changed: form.changed }),
    textInput(leaf, "zone", { label: "time zone", size: 14, changed: form.changed }),
  ],
  interval: (leaf, form) => spanInput(leaf, "seconds", { label: "every", changed: form.changed }),
  fresh: (leaf, form) => [
    whole(leaf, form),
    worded(
      "in the last",
      spanInput(leaf, "max_age", { label: "in the last", changed: form.changed }),
    ),
  ],
  absent: (leaf, form) => [
    whole(leaf, form),
    worded("for", spanInput(leaf, "for", { label: "for", changed: form.changed })),
  ],
  sensor: (leaf, form) => [
    sensorKind(leaf, form),
    sensorFields(leaf, form),
    spanInput(leaf, "poke_interval", {
      label: "poke interval",
      placeholder: "60s",
      changed: form.changed,
    }),
    within(leaf, form),
  ],
};

function sensorKind(leaf, form) {
  const known = plain([...new Set([...Object.keys(form.kinds), leaf.kind])]);
  const changed = () => {
    leaf.fields = {};
    form.redraw();
  };
  return make(
    "span",
    { "data-sensor": true },
    choice(leaf, "kind", known, { label: "kind of sensor", changed }),
  );
}

function sensorFields(leaf, form) {
  const fields = leaf.fields ?? {};
  leaf.fields = fields;
  const more = { size: 20, changed: form.changed };
  return Object.entries(form.kinds[leaf.kind] ?? {}).map(([name, isRequired]) => {
    const placeholder = isRequired ? "needed" : "";
    return worded(name, valueInput(fields, name, { ...more, label: name, placeholder }));
  });
}

/** Draw the job, dataset or event of `fresh` and `absent`. */
function whole(leaf, form) {
  const kind = choice({ on: leaf.of.on }, "on", OF[leaf.on], {
    label: "of",
    changed: () => {},
  });
  kind.addEventListener("change", () => {
    leaf.of = NEW_CONDITION[kind.value]();
    form.redraw();
  });
  const { of } = leaf;
  if (of.on === "dataset") return [kind, dataset(of, form)];
  return of.on === "event" ? [kind, event(of, form)] : [kind, job(of, form), statuses(of, form)];
}

function job(leaf, form, none) {
  const pick = ({ namespace, name }) => {
    Object.assign(leaf, { namespace, job: name });
    form.redraw();
  };
  const search = (text) => form.ask("jobs", { text });
  return [
    picker({ label: "job", value: leaf.job ?? "", search, pick }),
    none && !leaf.job && ` (${none})`,
  ];
}

function dataset(leaf, form) {
  const pick = (one) => {
    Object.assign(leaf, one);
    form.changed();
  };
  return picker({
    label: "dataset",
    value: leaf.name,
    search: (text) => form.ask("datasets", { text }),
    pick,
  });
}

function event(leaf, form) {
  return textInput(leaf, "name", { label: "name of the event", size: 20, changed: form.changed });
}

function statuses(leaf, form) {
  const take = (status) => (is) => {
    setStatus(leaf, status, is);
    form.changed();
  };
  const ticks = STATUSES.map((status) => [
    tick(status, leaf.statuses.includes(status), take(status)),
    " ",
  ]);
  return make("span", { class: "lg-tick" }, ticks);
}

/** Draw what holds for all occurrences: how many, how old, and tests of their payload. */
function happening(leaf, form) {
  const row = (test) => [
    suggested(
      textInput(test, "key", { label: "key of the payload", size: 14, changed: form.changed }),
      form.names(leaf),
    ),
    choice(test, "test", plain(TESTS), { label: "test", changed: form.redraw }),
    !["exists", "not empty"].includes(test.test) &&
      valueInput(test, "value", { label: "value", changed: form.changed }),
  ];
  const fresh = () => ({ key: "", test: "=", value: "" });
  return [
    worded(
      "times",
      numberInput(leaf, "count", { label: "times", placeholder: "1", changed: form.changed }),
    ),
    within(leaf, form),
    make(
      "div",
      { class: "lg-where" },
      rows(leaf, "where", {
        add: "+ where its payload has",
        fresh,
        row,
        changed: form.changed,
        drawn: form.redraw,
      }),
    ),
  ];
}

function within(leaf, form) {
  const more = { label: "not older than", placeholder: "any age", changed: form.changed };
  return worded("not older than", spanInput(leaf, "within", more));
}
