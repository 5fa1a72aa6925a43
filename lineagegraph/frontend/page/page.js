// The page of the server: a bar with links and a search, and one view, chosen by the address.

import { make, nothing } from "../dom.js";
import { useZone } from "../format.js";
import { address, lineageAddress, readAddress, watchAddress } from "./address.js";
import { loginPrompt } from "./login.js";
import { logoutButton } from "./logout.js";
import { notebookCell } from "./notebook_cell.js";
import { ask, TokenNeeded, webHost } from "./web.js";

const { zone, login } = document.documentElement.dataset;
const main = document.getElementById("view");
const EXPLORED = { up: 4, down: 4, level: 2, at: "", target: "", stale: false };
// Title, name for the server, what loads the view, its state from the parts of the address, and
// links. A view is loaded when it is first shown: all of them are sixty files.
const VIEWS = {
  now: {
    title: "Now",
    name: "now",
    view: async () => (await import("../now/now.js")).now,
    state: () => ({}),
  },
  lineage: {
    title: "Lineage",
    name: "explorer",
    view: async () => (await import("../explorer/explorer.js")).explorer,
    // An address with one part may name a column behind a # to select it.
    state: ([id = "", selected]) => ({
      ...EXPLORED,
      node: id,
      selected: selected ?? id,
    }),
  },
  triggers: {
    title: "Triggers",
    name: "trigger_panel",
    view: async () => (await import("../trigger_panel/trigger_panel.js")).triggerPanel,
    state: ([selected = ""]) => ({ selected }),
  },
  "new-trigger": {
    name: "trigger_panel",
    view: async () => (await import("../trigger_panel/trigger_panel.js")).triggerPanel,
    state: ([starts = "", namespace = ""]) => ({ selected: "", starts, namespace }),
  },
  freshness: {
    title: "Freshness",
    name: "freshness_board",
    view: async () => (await import("../freshness_board/freshness_board.js")).freshnessBoard,
    state: ([selected = "", only = ""]) => ({
      only_stale: only === "only_stale",
      changes: 0,
      selected,
    }),
  },
  sensors: {
    title: "Sensors",
    name: "sensors",
    view: async () => (await import("../sensors/sensors.js")).sensors,
    state: ([selected = ""]) => ({ selected }),
  },
  backfills: {
    title: "Backfills",
    name: "backfills",
    view: async () => (await import("../backfills/backfills.js")).backfills,
    state: ([selected = ""]) => ({ selected, job: "", namespace: "" }),
  },
  backfill: {
    name: "backfills",
    view: async () => (await import("../backfills/backfills.js")).backfills,
    state: ([job = "", namespace = ""]) => ({ selected: "", job, namespace }),
  },
  days: {
    title: "Days",
    name: "days",
    view: async () => (await import("../days/days.js")).days,
    state: () => ({}),
  },
  tags: {
    title: "Tags",
    name: "tags",
    view: async () => (await import("../tags/tags.js")).tags,
    state: ([selected = ""]) => ({ selected }),
  },
  tokens: {
    title: "Tokens",
    name: "tokens",
    view: async () => (await import("../tokens/tokens.js")).tokens,
    state: () => ({}),
    class: "lg-admin",
  },
  job: {
    name: "run_history",
    view: async () => (await import("../run_history/run_history.js")).runHistory,
    state: ([job = "", namespace = "", selected = "", pane = ""]) => ({
      job,
      namespace,
      selected,
      pane,
      compared: "",
    }),
    links: ([job = "", namespace = ""]) => [
      ["Lineage", address("lineage", namespace ? `job:${namespace}:${job}` : job)],
      ["Backfill", address("backfill", job, namespace), "lg-act"],
      ["New trigger", address("new-trigger", job, namespace), "lg-act"],
    ],
  },
  run: {
    name: "live_run",
    view: async () => (await import("../live_run/live_run.js")).liveRun,
    state: ([run_id = "", selected = ""]) => ({ run_id, state: "", selected }),
  },
};
const LOAD_OTHERS_MS = 3000;
let leave = () => {};
// The host of the view that is shown.
let host = null;
let turns = 0;
// A view that never had an answer is drawn anew.
const prompt = loginPrompt(main, login, () => (host.isAnswered() ? host.wake() : show()));

async function show() {
  turns += 1;
  const turn = turns;
  const { view, parts } = readAddress(location.hash);
  const isKnown = Object.hasOwn(VIEWS, view);
  const chosen = isKnown ? VIEWS[view] : VIEWS.now;
  leave();
  leave = () => {};
  prompt.close();
  for (const link of document.querySelectorAll("header nav a[data-view]")) {
    if (VIEWS[link.dataset.view].name === chosen.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${[chosen.title ?? parts[0], "lineagegraph"].filter(Boolean).join(" – ")}`;
  useStyle(chosen.name);
  const links = (chosen.links?.(parts) ?? []).map(([text, href, role]) =>
    make("a", { href, class: role }, text),
  );
  const place = make("div", { "data-widget": chosen.name });
  host = webHost(chosen.name, place, { zone, ...chosen.state(parts) }, prompt);
  const cell = notebookCell(view, host.state, (question) => ask(chosen.name, question));
  const nav = links.length ? make("nav", { class: "page-links" }, links) : "";
  const astray = isKnown
    ? ""
    : make("p", { role: "alert" }, `There is no view '${view}'; this is Now.`);
  main.replaceChildren(astray, nav, place, cell);
  const draw = await chosen.view().catch(() => null);
  if (turn !== turns) return;
  if (!draw) {
    const away = "This view could not be loaded. Reload the page when the server answers again.";
    return place.append(make("p", { role: "alert" }, away));
  }
  const end = draw(host) ?? (() => {});
  // The address is for a reload or a colleague.
  const keep = (to) => history.replaceState(null, "", to);
  const unwatch = watchAddress(view, host.state, keep);
  leave = () => {
    unwatch();
    end();
  };
}

function useStyle(name) {
  const id = `style-${name}`;
  if (document.getElementById(id)) return;
  document.head.append(make("link", { id, rel: "stylesheet", href: `/ui/styles/${name}.css` }));
}

function bar() {
  const listed = Object.entries(VIEWS).filter(([, { title }]) => title);
  const links = listed.map(([view, { title, class: role }]) =>
    make("a", { href: address(view), "data-view": view, class: role }, title),
  );
  // What not everybody has is last: nothing moves when the roles of a caller are known.
  links.splice(-1, 0, make("a", { href: "/docs" }, "API"));
  const field = make("input", {
    type: "search",
    placeholder: "Search jobs and datasets  /",
    "aria-label": "Search jobs and datasets",
  });
  const hits = make("ul", { class: "page-hits", hidden: true, "aria-label": "Found" });
  const form = make("form", { role: "search" }, field, hits);
  const close = () => {
    hits.hidden = true;
  };
  const tell = (sentence) => {
    hits.replaceChildren(make("li", {}, nothing(sentence)));
    hits.hidden = false;
  };
  let latest = "";

  async function search() {
    const text = field.value.trim();
    latest = text;
    if (!text) {
      hits.replaceChildren();
      return close();
    }
    if (hits.hidden) tell("Searching…");
    try {
      const found = await ask("explorer", "hits", { text });
      if (latest !== text) return;
      const hit = (one) => make("li", {}, make("a", { href: hitAddress(one) }, one.node));
      if (found.length) hits.replaceChildren(...found.map(hit));
      else tell("Nothing has this in its name.");
    } catch (error) {
      if (error instanceof TokenNeeded) prompt.ask(error.message, host.isAnswered());
      if (latest === text) tell(error.message);
    }
  }

  field.addEventListener("input", search);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    await search();
    if (latest === text) hits.querySelector("a")?.click();
  });
  hits.addEventListener("click", close);
  addEventListener("hashchange", close);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key !== "/" || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  });
  const name = make("a", { href: address("now") }, make("strong", {}, "lineagegraph"));
  return [name, make("nav", { "aria-label": "Views" }, links), form, logoutButton()];
}

function hitAddress({ kind, node, namespace, name }) {
  return kind === "JOB" ? address("job", name, namespace) : lineageAddress(node);
}

useZone(zone);
document.querySelector("header").append(...bar());
addEventListener("hashchange", show);
show();
// So that each can be opened while the server is away.
setTimeout(() => {
  for (const { view } of Object.values(VIEWS)) view().catch(() => {});
}, LOAD_OTHERS_MS);
