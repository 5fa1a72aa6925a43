// The limits of a rule and the rest of its options, as inputs.

import { make } from "../dom.js";
import { zone } from "../format.js";
import {
  choice,
  line,
  numberInput,
  plain,
  rows,
  spanInput,
  suggested,
  textInput,
  tick,
} from "./inputs.js";

const LIMITS = [
  ["concurrency", "concurrency"],
  ["delay", "delay"],
  ["gap", "gap since the last run"],
  ["time_range", "time of day"],
  ["rate", "rate"],
  ["not_failing", "not failing"],
];
const NEW_LIMIT = {
  concurrency: () => ({ kind: "concurrency", limit: 1 }),
  delay: () => ({ kind: "delay", seconds: 600 }),
  gap: () => ({ kind: "gap", seconds: 3600 }),
  time_range: () => ({ kind: "time_range", start: "22:00:00", end: "06:00:00", zone }),
  rate: () => ({ kind: "rate", limit: 10, seconds: 3600 }),
  not_failing: () => ({ kind: "not_failing", job: "" }),
};
const MORE = ["correlate_by", "pick", "overlap", "catch_up", "ttl", "reruns", "reset"];

/** Draw the limits, which hold runs back. */
export function drawLimits(rule, { changed, redraw }) {
  const row = (limit) => {
    const kind = choice({ kind: limit.kind }, "kind", LIMITS, {
      label: "limit",
      changed: () => {},
    });
    kind.addEventListener("change", () => {
      rule.constraints[rule.constraints.indexOf(limit)] = NEW_LIMIT[kind.value]();
      redraw();
    });
    return [kind, " ", limitMembers(limit, changed)];
  };
  return line(
    "Limits",
    rows(rule, "constraints", {
      add: "+ limit",
      fresh: NEW_LIMIT.concurrency,
      row,
      changed,
      drawn: redraw,
    }),
  );
}

function limitMembers(limit, changed) {
  const most = () => numberInput(limit, "limit", { label: "at most", changed });
  const span = (label) => spanInput(limit, "seconds", { label, changed });
  const text = (key, label) => textInput(limit, key, { label, size: 10, changed });
  const members = {
    concurrency: () => ["at most ", most(), " runs at once"],
    delay: () => [
      span("delay"),
      " since ",
      choice(limit, "since", plain(["satisfied", "first"]), { label: "since", changed }),
    ],
    gap: () => [span("gap")],
    time_range: () => [
      text("start", "from"),
      " to ",
      text("end", "to"),
      " in ",
      text("zone", "zone"),
    ],
    rate: () => ["at most ", most(), " runs in ", span("in")],
    not_failing: () => [text("job", "job")],
  }[limit.kind]();
  const otherwise = choice(
    limit,
    "otherwise",
    [
      ["abort", "else abort"],
      ["wait", "else wait"],
    ],
    {
      label: "otherwise",
      changed,
    },
  );
  return limit.kind === "delay" ? members : [members, " ", otherwise];
}

/** Draw the options that few rules need. */
export function drawMore(rule, form) {
  const { changed, names } = form;
  const { reset = {} } = rule;
  const resets = () => {
    if (reset.cron) rule.reset = { zone, ...reset };
    else delete rule.reset;
    changed();
  };
  const input = (key, label) => textInput(rule, key, { label, size: 12, changed });
  return make(
    "details",
    {
      open: form.isMoreOpen ?? MORE.some((key) => key in rule),
      ontoggle: ({ target }) => (form.isMoreOpen = target.open),
    },
    make("summary", {}, "More"),
    line(
      "Correlate by",
      suggested(input("correlate_by", "correlate by"), ["partition", ...names()]),
    ),
    line(
      "Pick",
      choice(rule, "pick", plain(["first", "latest", "all"]), { label: "pick", changed }),
    ),
    line(
      "Overlap",
      choice(rule, "overlap", plain(["allow", "wait", "skip"]), { label: "overlap", changed }),
    ),
    line(
      "Catch up",
      choice(rule, "catch_up", plain(["last", "all", "none"]), { label: "catch up", changed }),
    ),
    line("Reset at", [
      textInput(reset, "cron", {
        label: "cron expression of resets",
        placeholder: "0 0 * * *",
        size: 12,
        changed: resets,
      }),
      textInput(reset, "zone", {
        label: "time zone of resets",
        placeholder: zone,
        size: 12,
        changed: resets,
      }),
    ]),
    line("Expires after", spanInput(rule, "ttl", { label: "ttl", placeholder: "never", changed })),
    line("Reruns", [
      numberInput(rule, "reruns", { label: "reruns", placeholder: "0", changed }),
      " each ",
      spanInput(rule, "rerun_delay", { label: "rerun delay", placeholder: "0s", changed }),
      " later",
    ]),
    line(
      "",
      tick("allow a cycle of triggers", rule.allow_cycle ?? false, (is) => {
        rule.allow_cycle = is;
        changed();
      }),
    ),
  );
}
