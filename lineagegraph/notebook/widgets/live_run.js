// The live run: its tree with states and Spark's stages, the end of its log, and Stop.

const EVERY_MS = 1000;

function render({ model, el }) {
  const { root, ask, say, every, leave } = panel({ model, el }, "live", "Live run");
  const title = make("strong");
  const head = make("span");
  const link = make("span");
  const stop = make("button", { class: "lg-stop", onclick: end }, "Stop");
  const why = make("div", { class: "lg-why", hidden: true });
  const tree = make("div", { class: "lg-tree", role: "listbox", "aria-label": "Runs" });
  const tail = make("pre", { class: "lg-tail", tabindex: "0", "aria-label": "Log" });
  const where = make("div", { class: "lg-where lg-soft" });
  let live = null;
  let isStopping = false;

  root.append(make("div", { class: "lg-bar" }, title, head, link, stop), why, tree, tail, where);

  async function load() {
    try {
      live = await ask("live");
      say(live.away);
      show();
    } catch (error) {
      say(error.message);
    }
  }

  async function end() {
    isStopping = true;
    show();
    try {
      const isAsked = await ask("stop");
      if (!isAsked) say("Nothing runs here that could be stopped: it is over, or somebody else runs it.");
    } catch (error) {
      isStopping = false;
      say(error.message);
    }
    load();
  }

  function show() {
    if (!live) return;
    const top = live.rows[0];
    title.textContent = top.name;
    const took = top.began ? ` ${saySpan(top.began, top.ended)}` : " has not begun";
    head.replaceChildren(stateOf(top.state), make("span", { class: "lg-soft" }, took));
    if (!link.hasChildNodes()) link.append(browserLink(live.url));
    stop.hidden = live.is_over;
    stop.disabled = isStopping;
    stop.textContent = isStopping ? "Stopping…" : "Stop";
    why.hidden = !live.why;
    why.textContent = live.why ?? "";
    showTree();
    showLog();
  }

  function turn() {
    link.replaceChildren();
    load();
  }

  function showTree() {
    // What is pressed stays until it is let go: it would not be clicked otherwise.
    if (tree.matches(":active")) return;
    const focused = tree.getRootNode().activeElement?.dataset?.run;
    tree.replaceChildren(...live.rows.map(line));
    if (focused) tree.querySelector(`[data-run="${focused}"]`)?.focus({ preventScroll: true });
  }

  function showLog() {
    const isAtEnd = tail.scrollHeight - tail.scrollTop - tail.clientHeight < 30;
    if (tail.textContent !== live.tail) tail.textContent = live.tail;
    tail.hidden = !live.tail;
    if (isAtEnd) tail.scrollTop = tail.scrollHeight;
    const elsewhere = live.log && !live.tail ? "empty, or on another machine: " : "";
    where.textContent = live.log ? `log: ${elsewhere}${live.log}` : "";
    where.hidden = !live.log;
  }

  function line(row) {
    const pick = () => select(model, row.id === model.get("selected") ? "" : row.id);
    return make(
      "div",
      {
        class: "lg-step",
        role: "option",
        tabindex: "0",
        "data-run": row.id,
        "aria-selected": String(row.id === model.get("selected")),
        style: `padding-left:${10 + 18 * row.depth}px`,
        title: row.said,
        onclick: pick,
        onkeydown: (event) => event.key === "Enter" && pick(),
      },
      stateOf(row.state),
      make("span", { class: "lg-what" }, row.name),
      make("span", { class: "lg-soft" }, row.began ? saySpan(row.began, row.ended) : ""),
      row.stages.map(stage),
    );
  }

  model.on("change:selected", load);
  model.on("change:run_id", turn);
  const isOver = () => live?.is_over && !live.away;
  every(EVERY_MS, () => isOver() || load());
  load();
  return () => {
    leave();
    model.off("change:selected", load);
    model.off("change:run_id", turn);
  };
}

function stage(one) {
  const said = `${one.done} of ${one.tasks} tasks, ${one.active} running${one.failed ? `, ${one.failed} failed` : ""}`;
  return make(
    "div",
    { class: "lg-stage", title: `stage ${one.id} of job ${one.job}: ${one.name}` },
    make("span", { class: "lg-soft" }, `stage ${one.id}`),
    make("progress", { max: one.tasks || 1, value: one.done, "aria-label": `stage ${one.id}: ${said}` }),
    make("span", {}, said),
    make("span", { class: "lg-soft lg-at" }, one.name),
  );
}

export default { render };
