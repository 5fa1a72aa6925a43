// The cell that shows in a notebook what a view of the page shows, and the way to JupyterLab.

import { button, make } from "../dom.js";

const CALLS = {
  lineage: (get) => `explore(${literal(get("node") || get("selected"))})`,
  job: (get) =>
    `history(${[get("job"), get("namespace")].filter(Boolean).map(literal).join(", ")})`,
  run: (get) => `follow(${literal(get("run_id"))})`,
};
// A JupyterLab of the server's machine is reached by a browser on it.
const NEAR = ["localhost", "127.0.0.1", "[::1]"];

/** Make what a view's action *Notebook* opens, or nothing; `ask` is that of the view. */
export function notebookCell(view, state, ask) {
  if (!Object.hasOwn(CALLS, view)) return "";
  const cell = make("pre", { tabindex: "0", "aria-label": "Cell for a notebook" });
  const told = make("span", { role: "status" });
  const lab = make("span");
  const box = make(
    "details",
    { class: "page-notebook" },
    make("summary", {}, "Notebook"),
    cell,
    make("div", {}, button("Copy", copy), told, lab),
  );

  async function copy() {
    try {
      await navigator.clipboard.writeText(cell.textContent);
      told.textContent = "Copied.";
    } catch {
      // A page without TLS may not write to the clipboard.
      getSelection().selectAllChildren(cell);
      told.textContent = "Selected: copy it with the keyboard.";
    }
  }

  box.addEventListener("toggle", async () => {
    if (!box.open) return;
    cell.textContent = cellOf(view, state);
    told.textContent = "";
    const url = NEAR.includes(location.hostname) && (await ask("jupyter").catch(() => null));
    const to = { href: `${url}lab`, target: "_blank", rel: "noreferrer" };
    lab.replaceChildren(
      url ? make("a", to, "Open JupyterLab") : "`lineagegraph notebook` opens JupyterLab.",
    );
  });
  return box;
}

function cellOf(view, state) {
  const call = CALLS[view]((name) => state.get(name));
  return `import lineagegraph as lg\n\ngraph = lg.connect()\ngraph.${call}`;
}

/** Return a text as a literal of Python, which has those of JSON. */
function literal(text) {
  return JSON.stringify(text ?? "");
}
