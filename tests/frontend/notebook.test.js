import assert from "node:assert/strict";
import { test } from "node:test";
import { widget } from "../../lineagegraph/frontend/notebook.js";

/** A model of anywidget whose other side is in `sent` and `hear`. */
function fakeModel() {
  const heard = new Map();
  const values = new Map([["zone", "UTC"]]);
  const sent = [];
  return {
    sent,
    heard,
    saved: 0,
    get: (name) => values.get(name),
    set(name, value) {
      values.set(name, value);
      heard.get(`change:${name}`)?.(value);
    },
    save_changes() {
      this.saved++;
    },
    on: (name, hear) => heard.set(name, hear),
    off: (name) => heard.delete(name),
    send: (message) => sent.push(message),
    hear: (message) => heard.get("msg:custom")(message),
  };
}

/** Questions are sent at the end of the turn that asks them. */
const sending = () => Promise.resolve();

/** Render a view that only hands out its host. */
function hostOf(model) {
  let host = null;
  const el = { dataset: {} };
  widget("explorer", (given) => {
    host = given;
  }).render({ model, el });
  assert.equal(el.dataset.widget, "explorer");
  return host;
}

test("an answer goes to the question that it is for, and an error rejects", async () => {
  const model = fakeModel();
  const { ask, leave } = hostOf(model).connect(() => {});
  const [first, second] = [ask("runs", { limit: 2 }), ask("tree")];
  await sending();
  assert.deepEqual(model.sent[0].about, { limit: 2 });
  model.hear({ id: model.sent[1].id, error: "no such run" });
  model.hear({ id: model.sent[0].id, answer: [1, 2] });
  assert.deepEqual(await first, [1, 2]);
  await assert.rejects(second, /no such run/);
  leave();
  assert.equal(model.heard.size, 0);
});

test("open questions are rejected when the kernel is gone, until it answers again", async () => {
  const model = fakeModel();
  const words = [];
  const { ask, isGone } = hostOf(model).connect((text) => words.push(text));
  const open = ask("runs");
  model.heard.get("comm_live_update")();
  await assert.rejects(open, /kernel was restarted/);
  assert.ok(isGone());
  model.hear({ id: "of another view", answer: null });
  assert.ok(!isGone());
  assert.equal(words.at(-1), "");
});

test("a late answer is announced, and still counts", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const model = fakeModel();
  const words = [];
  const { ask } = hostOf(model).connect((text) => words.push(text));
  const open = ask("runs");
  await sending();
  context.mock.timers.tick(5000);
  assert.match(words.at(-1), /has not answered yet/);
  model.hear({ id: model.sent[0].id, answer: "late" });
  assert.equal(await open, "late");
  assert.equal(words.at(-1), "");
});

test("state is set in one save, and watched until that is ended", () => {
  const model = fakeModel();
  const { state } = hostOf(model);
  const seen = [];
  const unwatch = state.watch({ selected: (value) => seen.push(value) });
  state.set({ selected: "a", target: "b" });
  unwatch();
  state.set({ selected: "c" });
  assert.deepEqual(seen, ["a"]);
  assert.equal(state.get("target"), "b");
  assert.equal(model.saved, 2);
});
