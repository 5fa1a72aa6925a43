// The form of a rule, with a preview of when it would have fired.

import { button, hasFocus, make, once } from "../dom.js";
import { drawGroup } from "./condition.js";
import {
  choice,
  line,
  picker,
  plain,
  rows,
  suggested,
  textInput,
  tick,
  typedNames,
  valueInput,
} from "./inputs.js";
import { drawLimits, drawMore } from "./limits.js";
import { describePreview, drawPreview } from "./preview.js";
import { asGroup, jobsIn, statedRule } from "./rule.js";

const PAUSE_MS = 600;
const CHOICE_MS = 50;
const CHOOSING = "[role=listbox]:not([hidden]), [aria-busy=true]";
const CHOOSE = "Choose the pipeline that it starts.";
const NO_PIPELINE =
  "There is no pipeline yet that a trigger could start: `lineagegraph sync FILE` reads one.";

/**
 * Make the form of a draft `{name, starts, namespace, rule, rule_hash, isNew}`; `done` takes the
 * saved id.
 */
export function triggerForm({ draft, ask, done, leave }) {
  const { rule } = draft;
  rule.when = asGroup(rule.when);
  const payloads = new Map();
  let parameters = [];
  let timer = null;
  let turn = 0;
  let hint = CHOOSE;
  const body = make("div", {});
  const fault = make("div", { class: "lg-fault", role: "alert", hidden: true });
  const summary = make("div", { "aria-live": "polite" });
  const foreseen = make("div", { class: "lg-foreseen" });
  const save = button(draft.isNew ? "Create" : "Save", once(keep));
  const root = make(
    "form",
    { class: "lg-form", "aria-label": "rule", onsubmit: (event) => event.preventDefault() },
    body,
    make(
      "div",
      { class: "lg-foot" },
      fault,
      summary,
      make("div", { class: "lg-row" }, save, button("Cancel", leave)),
    ),
    foreseen,
  );
  const form = { ask, changed, redraw, names, kinds: {} };

  /** Draw the form again; the focus and the cursor stay where they were, with what is typed. */
  function redraw() {
    const inputs = () => [...body.querySelectorAll("input, select, button")];
    const place = inputs().findIndex(hasFocus);
    const before = inputs()[place];
    body.replaceChildren(
      ...[about(), when(), given(), drawLimits(rule, form), drawMore(rule, form)].flat(),
    );
    const after = inputs()[place];
    after?.focus();
    if (after?.selectionStart != null && after.ariaLabel === before.ariaLabel) {
      after.value = before.value;
      after.setSelectionRange(before.selectionStart, before.selectionEnd);
    }
    changed();
  }

  /** Draw an answer once no list of names is open, or about to be: its choice would be lost. */
  async function redrawLater() {
    changed();
    while (body.isConnected && body.querySelector(CHOOSING))
      await new Promise((done) => setTimeout(done, CHOICE_MS));
    redraw();
  }

  function changed() {
    clearTimeout(timer);
    timer = setTimeout(preview, PAUSE_MS);
  }

  /** Ask when the rule would have fired; its faults are shown beside the form. */
  async function preview() {
    const mine = ++turn;
    await learn();
    if (!draft.starts) return show(null, null, hint);
    try {
      const found = await ask("preview", { ...place(), rule: statedRule(rule) });
      if (mine === turn) show(null, found);
    } catch (error) {
      if (mine === turn) show(error.message);
    }
  }

  function show(message, found, advice = "") {
    fault.textContent = message ?? "";
    fault.hidden = !message;
    summary.textContent = found ? describePreview(found) : advice;
    foreseen.replaceChildren(...(found ? drawPreview(found) : []));
  }

  async function keep() {
    try {
      await typedNames();
      quiet();
      const id = await ask("save", {
        ...place(),
        name: draft.name ?? "",
        rule: statedRule(rule),
        is_new: draft.isNew,
        enabled: draft.enabled,
        rule_hash: draft.isNew ? null : draft.rule_hash,
      });
      await done(id);
    } catch (error) {
      quiet();
      show(error.message);
    }
  }

  /** Let no preview hide the answer to a save. */
  function quiet() {
    clearTimeout(timer);
    turn += 1;
  }

  function place() {
    return { namespace: draft.namespace ?? "", starts: draft.starts ?? "" };
  }

  /** Ask once for each job which names its payload may have. */
  async function learn() {
    const unknown = jobsIn(rule.when).filter((leaf) => leaf.job && !payloads.has(leaf.job));
    let hasNews = false;
    // Another job may be chosen while the answer is on its way.
    for (const { namespace = draft.namespace, job } of unknown.map((leaf) => ({ ...leaf }))) {
      payloads.set(job, []);
      const { types } = await ask("payload", { namespace, name: job }).catch(() => ({ types: {} }));
      payloads.set(job, Object.keys(types));
      hasNews ||= payloads.get(job).length > 0;
    }
    if (hasNews) redrawLater();
  }

  function names(leaf) {
    return payloads.get(leaf?.job) ?? [...new Set([...payloads.values()].flat())];
  }

  async function start({ namespace, name }) {
    Object.assign(draft, { namespace, starts: name });
    parameters = await ask("parameters", { namespace, name }).catch(() => []);
    redrawLater();
  }

  function about() {
    const pick = start;
    const search = (text) => ask("pipelines", { text });
    const pipeline = draft.isNew
      ? picker({ label: "starts pipeline", value: draft.starts ?? "", search, pick })
      : make("strong", {}, draft.starts);
    return [
      line(
        "Name",
        draft.isNew
          ? textInput(draft, "name", { label: "name", changed })
          : make("strong", {}, draft.name),
      ),
      line("Starts", pipeline),
      line(
        "Description",
        textInput(rule, "description", { label: "description", size: 40, changed }),
      ),
      draft.isNew &&
        line(
          "",
          tick("enabled", draft.enabled, (is) => (draft.enabled = is)),
        ),
    ].filter(Boolean);
  }

  function when() {
    return line("When", drawGroup(rule.when, form));
  }

  function given() {
    const known = plain(parameters.map((one) => one.name));
    const parameter = (row, key) =>
      suggested(
        textInput(row, key, { label: "parameter", size: 12, changed }),
        known.map(([name]) => name),
      );
    const jobs = plain([
      ...new Set(
        jobsIn(rule.when)
          .map((leaf) => leaf.job)
          .filter(Boolean),
      ),
    ]);
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
      line(
        "Arguments",
        rows(rule, "arguments", {
          add: "+ argument from the payload",
          fresh: () => ({ parameter: "", key: "" }),
          row: argument,
          changed,
          drawn: redraw,
        }),
      ),
      line("Properties", properties(parameter)),
    ];
  }

  function properties(parameter) {
    const listed = {
      of: Object.entries(rule.properties ?? {}).map(([name, value]) => ({ name, value })),
    };
    const renamed = () => {
      rule.properties = Object.fromEntries(
        (listed.of ?? []).map(({ name, value }) => [name ?? "", value ?? ""]),
      );
      changed();
    };
    const row = (item) => [
      parameter(item, "name"),
      " = ",
      valueInput(item, "value", { label: "value", changed: renamed }),
    ];
    const cell = make("div", {});
    const drawn = () =>
      cell.replaceChildren(
        ...rows(listed, "of", {
          add: "+ property",
          fresh: () => ({ name: "", value: "" }),
          row,
          changed: () => {},
          drawn: () => {
            renamed();
            drawn();
          },
        }),
      );
    cell.addEventListener("input", renamed);
    drawn();
    return cell;
  }

  ask("sensors")
    .then((kinds) => {
      form.kinds = kinds;
      if (body.querySelector("[data-sensor]")) redrawLater();
    })
    .catch((error) => show(error.message));
  if (draft.isNew)
    ask("pipelines", { text: "" })
      .then((some) => {
        hint = some.length ? CHOOSE : NO_PIPELINE;
        changed();
      })
      .catch((error) => show(error.message));
  if (draft.starts) start({ namespace: draft.namespace, name: draft.starts });
  else redraw();
  return root;
}
