// The search for jobs and datasets.

import { make, nothing } from "../dom.js";

const TYPED_MS = 250;

/** Make a field that finds jobs and datasets by a part of a name; `go` takes the chosen id. */
export function searchField(ask, go, report) {
  const found = make("div", { class: "lg-found", role: "listbox", hidden: true });
  const field = make("input", {
    type: "search",
    placeholder: "search  /",
    "aria-label": "search jobs and datasets",
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(search, TYPED_MS);
    },
  });
  let timer = null;

  /** Show what is found, and return whether it is for what is typed now. */
  async function search() {
    const text = field.value.trim();
    if (!text) return close();
    try {
      const ids = await ask("search", { text });
      if (text !== field.value.trim()) return;
      const hits = ids.map((id) =>
        make("button", { role: "option", onclick: () => choose(id) }, id),
      );
      found.replaceChildren(...(hits.length ? hits : [nothing("Nothing has this in its name.")]));
      found.hidden = false;
      return true;
    } catch (error) {
      report(error.message);
    }
  }

  function choose(id) {
    close();
    go(id);
  }

  function close() {
    clearTimeout(timer);
    field.value = "";
    found.replaceChildren();
    found.hidden = true;
  }

  /** Open the first hit of what is typed now. */
  async function first() {
    clearTimeout(timer);
    if (await search()) found.querySelector("button")?.click();
  }

  const box = make("span", { class: "lg-search", onkeydown: keys }, field, found);
  function keys(event) {
    const hits = [...found.querySelectorAll("button")];
    const at = hits.indexOf(box.getRootNode().activeElement);
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown") (hits[at + 1] ?? hits[0])?.focus();
    else if (event.key === "ArrowUp") (hits[at - 1] ?? field).focus();
    else if (event.key === "Enter" && at < 0) first();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return { box, field };
}
