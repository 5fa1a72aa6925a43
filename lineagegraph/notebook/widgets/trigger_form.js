// The form of a rule: what is waited for, and what the run is given; what it would have done is below.

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
  const form = { ask, changed, redraw, names, kinds: {} };

  /** Draw the form anew; the focus stays where it was. */
  function redraw() {
    const inputs = () => [...body.querySelectorAll("input, select, button")];
    const place = inputs().findIndex(hasFocus);
    body.replaceChildren(...[about(), when(), given(), drawLimits(rule, form), drawMore(rule, form)].flat());
    inputs()[place]?.focus();
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

  ask("sensors").then((kinds) => {
    form.kinds = kinds;
    if (body.querySelector("[data-sensor]")) redraw();
  }).catch((error) => tell(error.message));
  if (draft.starts) start({ namespace: draft.namespace, name: draft.starts });
  else redraw();
  return root;
}
