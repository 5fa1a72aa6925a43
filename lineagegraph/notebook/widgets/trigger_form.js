// The form of a rule: what is waited for, what the run is given, what keeps it back, and a preview.

const LIMITS = [
  ["concurrency", "concurrency"], ["delay", "delay"], ["gap", "gap since the last run"],
  ["time_range", "time of day"], ["rate", "rate"],
];
const FRESH_LIMIT = {
  concurrency: () => ({ kind: "concurrency", limit: 1 }),
  delay: () => ({ kind: "delay", seconds: 600 }),
  gap: () => ({ kind: "gap", seconds: 3600 }),
  time_range: () => ({ kind: "time_range", start: "22:00:00", end: "06:00:00", zone: "UTC" }),
  rate: () => ({ kind: "rate", limit: 10, seconds: 3600 }),
};
const SAME = (names) => names.map((name) => [name, name]);
const PAUSE_MS = 600;

/** Draw the form of a draft `{name, starts, namespace, rule, anew}`; `done` is told what it saved. */
function triggerForm({ draft, ask, done, leave }) {
  const { rule } = draft;
  if (!isGroup(rule.when)) rule.when = { on: "and", operands: [rule.when] };
  const payloads = new Map();
  let parameters = [];
  let timer = null;
  let turn = 0;
  const body = make("div", {});
  const fault = make("div", { class: "lg-fault", role: "alert", hidden: true });
  const summary = make("div", { "aria-live": "polite" });
  const foreseen = make("div", { class: "lg-foreseen" });
  const save = button(draft.anew ? "Make it" : "Save", keep);
  const root = make(
    "form",
    { class: "lg-form", "aria-label": "rule", onsubmit: (event) => event.preventDefault() },
    body,
    make("div", { class: "lg-foot" }, fault, summary, make("div", { class: "lg-row" }, save, button("Cancel", leave))),
    foreseen,
  );
  const form = { ask, changed, redraw, names };

  function redraw() {
    body.replaceChildren(...[about(), when(), given(), limits(), more()].flat());
    changed();
  }

  function changed() {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE_MS);
  }

  /** Ask what the rule would have done; what is wrong with it is said beside the form. */
  async function look() {
    const mine = ++turn;
    await learn();
    if (!draft.starts) return tell("choose the pipeline that it starts");
    try {
      const found = await ask("preview", { ...place(), rule: stated() });
      if (mine === turn) tell(null, found);
    } catch (error) {
      if (mine === turn) tell(error.message);
    }
  }

  function tell(message, found) {
    fault.textContent = message ?? "";
    fault.hidden = !message;
    summary.textContent = found ? sayForeseen(found) : "";
    foreseen.replaceChildren(...(found ? drawForeseen(found) : []));
  }

  async function keep() {
    try {
      const id = await ask("save", {
        ...place(), name: draft.name ?? "", rule: stated(), anew: draft.anew, enabled: draft.enabled,
      });
      await done(id);
    } catch (error) {
      tell(error.message);
    }
  }

  function place() {
    return { namespace: draft.namespace ?? "", starts: draft.starts ?? "" };
  }

  /** Return the rule as it is sent: a group of one is that one. */
  function stated() {
    const { when } = rule;
    const alone = when.operands.length === 1 && when.within === undefined && when.operands[0].on !== "not";
    return { ...rule, when: alone ? when.operands[0] : when };
  }

  /** Ask once for each job what its payload may have. */
  async function learn() {
    const unknown = jobsIn(rule.when).filter((leaf) => leaf.job && !payloads.has(leaf.job));
    for (const { namespace = draft.namespace, job } of unknown) {
      payloads.set(job, []);
      const { types } = await ask("payload", { namespace, name: job }).catch(() => ({ types: {} }));
      payloads.set(job, Object.keys(types));
    }
    if (unknown.some(({ job }) => payloads.get(job).length)) redraw();
  }

  function names(leaf) {
    return payloads.get(leaf?.job) ?? [...new Set([...payloads.values()].flat())];
  }

  async function start({ namespace, name }) {
    Object.assign(draft, { namespace, starts: name });
    parameters = await ask("parameters", { namespace, name }).catch(() => []);
    redraw();
  }

  function about() {
    const pick = start;
    const search = (text) => ask("pipelines", { text });
    const pipeline = draft.anew
      ? picker({ label: "starts pipeline", value: draft.starts ?? "", search, pick })
      : make("strong", {}, draft.starts);
    return [
      line("Name", draft.anew ? textInput(draft, "name", { label: "name", changed }) : make("strong", {}, draft.name)),
      line("Starts", pipeline),
      line("Description", textInput(rule, "description", { label: "description", size: 40, changed })),
      draft.anew && line("", tick("enabled", draft.enabled, (is) => (draft.enabled = is))),
    ].filter(Boolean);
  }

  function when() {
    return line("When", drawGroup(rule.when, form));
  }

  function given() {
    const known = SAME(parameters.map((one) => one.name));
    const parameter = (row, key) =>
      suggested(textInput(row, key, { label: "parameter", size: 12, changed }), known.map(([name]) => name));
    const jobs = SAME([...new Set(jobsIn(rule.when).map((leaf) => leaf.job).filter(Boolean))]);
    const argument = (row) => [
      parameter(row, "parameter"),
      " = ",
      suggested(textInput(row, "key", { label: "key", size: 14, changed }), names()),
      " of ",
      choice(row, "job", jobs, { label: "of job", none: "any", changed }),
      " or ",
      valueInput(row, "default", { label: "default", placeholder: "nothing", changed }),
      tick("required", row.required ?? true, (is) => {
        row.required = is;
        changed();
      }),
    ];
    return [
      line("Arguments", rows(rule, "arguments", {
        add: "+ argument from the payload", fresh: () => ({ parameter: "", key: "" }), row: argument, changed, drawn: redraw,
      })),
      line("Properties", properties(parameter)),
    ];
  }

  function properties(parameter) {
    const listed = { of: Object.entries(rule.properties ?? {}).map(([name, value]) => ({ name, value })) };
    const told = () => {
      rule.properties = Object.fromEntries((listed.of ?? []).map(({ name, value }) => [name ?? "", value ?? ""]));
      changed();
    };
    const row = (item) => [
      parameter(item, "name"), " = ", valueInput(item, "value", { label: "value", changed: told }),
    ];
    const cell = make("div", {});
    const drawn = () => cell.replaceChildren(...rows(listed, "of", {
      add: "+ property", fresh: () => ({ name: "", value: "" }), row, changed: () => {}, drawn: () => (told(), drawn()),
    }));
    cell.addEventListener("input", told);
    drawn();
    return cell;
  }

  function limits() {
    const row = (limit) => {
      const kind = choice({ kind: limit.kind }, "kind", LIMITS, { label: "limit", changed: () => {} });
      kind.addEventListener("change", () => {
        rule.constraints[rule.constraints.indexOf(limit)] = FRESH_LIMIT[kind.value]();
        redraw();
      });
      return [kind, " ", ...limitMembers(limit)];
    };
    return line("Limits", rows(rule, "constraints", {
      add: "+ limit", fresh: FRESH_LIMIT.concurrency, row, changed, drawn: redraw,
    }));
  }

  function limitMembers(limit) {
    const most = () => numberInput(limit, "limit", { label: "at most", changed });
    const span = (label) => spanInput(limit, "seconds", { label, changed });
    const text = (key, label) => textInput(limit, key, { label, size: 10, changed });
    const members = {
      concurrency: () => ["at most ", most(), " runs at once"],
      delay: () => [
        span("delay"), " since ",
        choice(limit, "since", SAME(["satisfied", "first"]), { label: "since", changed }),
      ],
      gap: () => [span("gap")],
      time_range: () => [text("start", "from"), " to ", text("end", "to"), " in ", text("zone", "zone")],
      rate: () => ["at most ", most(), " runs in ", span("in")],
    }[limit.kind]();
    const otherwise = choice(limit, "otherwise", [["abort", "else give up"], ["wait", "else wait"]], {
      label: "otherwise", changed,
    });
    return limit.kind === "delay" ? members : [...members, " ", otherwise];
  }

  function more() {
    const { reset = {} } = rule;
    const resets = () => {
      if (reset.cron) rule.reset = { zone: "UTC", ...reset };
      else delete rule.reset;
      changed();
    };
    const input = (key, label) => textInput(rule, key, { label, size: 12, changed });
    return make(
      "details",
      { open: ["correlate_by", "pick", "overlap", "catch_up", "ttl", "reruns", "reset"].some((key) => key in rule) },
      make("summary", {}, "More"),
      line("Correlate by", suggested(input("correlate_by", "correlate by"), ["partition", ...names()])),
      line("Pick", choice(rule, "pick", SAME(["latest", "all", "first"]), { label: "pick", changed })),
      line("Overlap", choice(rule, "overlap", SAME(["allow", "wait", "skip"]), { label: "overlap", changed })),
      line("Catch up", choice(rule, "catch_up", SAME(["last", "all", "none"]), { label: "catch up", changed })),
      line("Begin anew at", [
        textInput(reset, "cron", { label: "cron expression of resets", placeholder: "0 0 * * *", size: 12, changed: resets }),
        textInput(reset, "zone", { label: "time zone of resets", placeholder: "UTC", size: 12, changed: resets }),
      ]),
      line("Kept back for", spanInput(rule, "ttl", { label: "ttl", placeholder: "ever", changed })),
      line("Reruns", [
        numberInput(rule, "reruns", { label: "reruns", placeholder: "0", changed }), " each ",
        spanInput(rule, "rerun_delay", { label: "rerun delay", placeholder: "0s", changed }), " later",
      ]),
      line("", tick("may close a circle of triggers", rule.allow_cycle ?? false, (is) => {
        rule.allow_cycle = is;
        changed();
      })),
    );
  }

  if (draft.starts) start({ namespace: draft.namespace, name: draft.starts });
  else redraw();
  return root;
}

function line(label, ...what) {
  return make("div", { class: "lg-line" }, make("span", { class: "lg-soft" }, label), make("div", {}, ...what));
}

function sayForeseen({ since, happened, count }) {
  const times = count === 1 ? "once" : `${count} times`;
  const said = count ? `It would have fired ${times}` : "It would not have fired";
  return `${said} since ${since}, on ${happened} things that happened.`;
}

function drawForeseen({ count, firings, refused, notes }) {
  return [
    ...notes.map((note) => make("div", { class: "lg-soft" }, note)),
    count > 0 &&
      make(
        "table",
        {},
        make("thead", {}, make("tr", {}, ["When", "Because", "It would have passed"].map((name) => make("th", {}, name)))),
        make("tbody", {}, [...firings].reverse().map(foreseenRow)),
      ),
    refused.length > 0 && make("details", {}, make("summary", {}, "What would not have counted"), refused.map((text) => make("div", {}, text))),
  ].filter(Boolean);
}

function foreseenRow({ at, value, causes, more, parameters, trouble }) {
  return make(
    "tr",
    {},
    make("td", {}, at, value == null ? null : ` for ${value}`),
    make("td", {}, causes.map((text) => make("div", {}, text)), more > 0 && make("div", {}, `and ${more} more`)),
    make("td", {}, make("code", {}, parameters), trouble && make("div", { class: "lg-fault" }, trouble)),
  );
}
