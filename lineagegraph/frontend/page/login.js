// The prompt for a token or a login: the view waits behind it, with what was typed there.

import { make } from "../dom.js";
import { refusal, useToken } from "./web.js";

const MISTYPED = "A token has no such characters: copy it again.";
const AWAY = "The server cannot be reached. Try again.";
const ELSEWHERE = "The login opens a new tab. Come back afterwards: what you typed is still here.";
// The server takes no longer address to return to.
const LONGEST_RETURN = 2000;

/**
 * Prepare the prompt over the view in `main`; `login` is the address of the login, if there is one,
 * and `admitted` is called once the server takes a token or a session.
 *
 * Returns `ask(message, isKept)`, where `isKept` says whether the view has something to keep;
 * `close()`; and `isOpen()`.
 */
export function loginPrompt(main, login, admitted) {
  let form = null;
  let focused = null;

  function ask(message, isKept) {
    // Several questions are refused at once; what was typed here stays too.
    if (form) return;
    // A session that begins elsewhere would not count beside a token that is refused.
    useToken("");
    focused = document.activeElement;
    const token = make("input", { type: "password", autocomplete: "off", "aria-label": "Token" });
    const said = make("span", { role: "alert" }, message);
    const submit = (event) => {
      event.preventDefault();
      if (useToken(token.value.trim())) tryAgain(said);
      else said.textContent = MISTYPED;
    };
    form = make(
      "form",
      { class: "page-token", onsubmit: submit },
      make("strong", {}, "This server needs a token"),
      said,
      token,
      make("button", { type: "submit" }, "Continue"),
      login ? loginLink(isKept) : "",
    );
    main.classList.add("page-waits");
    main.prepend(form);
    token.focus();
  }

  function loginLink(isKept) {
    const here = `${location.pathname}${location.hash}`;
    const href = here.length > LONGEST_RETURN ? login : `${login}?next=${encodeURIComponent(here)}`;
    const link = make("a", { href, target: isKept && "_blank" }, "Log in instead");
    return isKept ? [link, make("span", {}, ELSEWHERE)] : link;
  }

  /** Close the prompt if the server takes the token or session of now; else say why not. */
  async function tryAgain(said) {
    const asking = form;
    const fault = await refusal().catch(() => AWAY);
    if (form !== asking) return;
    if (fault) {
      useToken("");
      if (said) said.textContent = fault;
      return;
    }
    const before = focused;
    close();
    if (before?.isConnected) before.focus();
    admitted();
  }

  function close() {
    form?.remove();
    form = null;
    focused = null;
    main.classList.remove("page-waits");
  }

  // Another tab may have logged in meanwhile.
  const seen = () => form && !document.hidden && tryAgain();
  document.addEventListener("visibilitychange", seen);
  addEventListener("focus", seen);
  return { ask, close, isOpen: () => form !== null };
}
