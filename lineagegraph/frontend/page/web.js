// Views in a web page: their questions go to the server, and their state stays in the page.

import { address } from "./address.js";
import { followRuns } from "./run_states.js";

const LOADING_MS = 400;
const LATE_MS = 5000;
const LOADING = "Loading…";
const LATE = "The server has not answered yet.";
const GONE = "The server cannot be reached; trying again.";
const UNANSWERED =
  "No answer came. If this was a change, look whether it was made before you try again.";
const REFUSED = "Nothing was changed: the server asked for a token first. Try again.";
const TOKEN = "lineagegraph.token";
const KEPT_MS = 600_000;
const CSRF = "X-CSRF-Token";
// What a session of a login signs its questions with.
let csrf = "";
// Shows who asks, once an answer says so.
let showCaller = () => {};
// The keys of questions without an answer: asked again, they are not acted upon twice.
const unanswered = new Map();

/** Raised where the server asks for a token. */
export class TokenNeeded extends Error {}

/** Keep the token of this browser tab, and return whether it can be one; an empty one is forgotten. */
export function useToken(token) {
  // No header can have other characters.
  if (!/^[!-~]*$/.test(token)) return false;
  if (token) sessionStorage.setItem(TOKEN, token);
  else sessionStorage.removeItem(TOKEN);
  return true;
}

/** Call `shown` with the name of the token or user that the server answers; empty without one. */
export function watchCaller(shown) {
  showCaller = shown;
}

/** End the session of this browser, and forget the token of this tab. */
export async function logOut() {
  useToken("");
  if (await renewCsrf("")) {
    const answer = await fetch("/api/v1/session", { method: "DELETE", headers: { [CSRF]: csrf } });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  }
}

/** Return why the server refuses the token or session of this tab; nothing if it takes it. */
export async function refusal() {
  const answer = await fetch("/api/v1/session", { headers: signed() });
  return answer.status === 401 ? (await answer.json()).error : "";
}

/**
 * Return a host for a view of the server: see `panel`. `prompt` is that of the page: the view rests
 * while it is open, and `wake` makes it load again.
 */
export function webHost(name, el, values, prompt) {
  const waking = new Set();
  const own = { ...prompt, waking, isAnswered: false };
  const asking = (notify) => connect(name, notify, own);
  const wake = () => {
    for (const work of waking) work();
  };
  const isAnswered = () => own.isAnswered;
  return { el, state: stateOf(values), connect: asking, address, wake, isAnswered };
}

/** Ask the server a question of a view; it acts once upon questions with the same `key`. */
export async function ask(view, question, about = {}, { signal, key } = {}) {
  const headers = { "Content-Type": "application/json", ...signed() };
  if (key) headers["Idempotency-Key"] = key;
  if (!headers.Authorization && csrf) headers[CSRF] = csrf;
  const body = JSON.stringify(about);
  const sent = { method: "POST", headers, body, signal };
  const answer = await fetch(`/api/v1/views/${view}/${question}`, sent);
  const found = await answer.json().catch((fault) => {
    // The line was cut within the answer, which is none then.
    if (answer.ok) throw new TypeError(fault.message);
    return { error: `the server answered ${answer.status}` };
  });
  const roles = answer.headers.get("Lineagegraph-Roles");
  if (roles !== null) document.documentElement.dataset.roles = roles;
  const caller = answer.headers.get("Lineagegraph-Caller");
  if (caller !== null) showCaller(decodeURIComponent(caller));
  if (answer.ok) return found;
  const isUnsigned = answer.status === 403 && found.error.includes(CSRF);
  if (isUnsigned && (await renewCsrf(headers[CSRF] ?? "")))
    return ask(view, question, about, { signal, key });
  const kind = answer.status === 401 ? TokenNeeded : Error;
  throw Object.assign(new kind(found.error), { status: answer.status });
}

/** Ask as `ask` does; a question that got no answer keeps its key for when it is asked again. */
async function askOnce(view, question, about, signal) {
  const said = JSON.stringify([view, question, about]);
  const key = keptKey(said) ?? newKey();
  try {
    const answer = await ask(view, question, about, { signal, key });
    unanswered.delete(said);
    return answer;
  } catch (error) {
    // After a server's own fault nobody knows whether a change was made, as without an answer, or
    // if the view was left before it came.
    const isUnknown =
      error instanceof TypeError || error.name === "AbortError" || error.status >= 500;
    if (isUnknown) unanswered.set(said, { key, at: Date.now() });
    else unanswered.delete(said);
    throw error;
  }
}

/** Return the key of a question that got no answer a short while ago. */
function keptKey(said) {
  for (const [other, { at }] of unanswered) if (Date.now() - at > KEPT_MS) unanswered.delete(other);
  return unanswered.get(said)?.key;
}

/** Return a random key; without TLS a browser has no `crypto.randomUUID`. */
function newKey() {
  const digits = (byte) => byte.toString(16).padStart(2, "0");
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), digits).join("");
}

/** Return the headers that sign a request with the token of this tab, if it has one. */
function signed() {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Ask for the session's own value of the header, and return whether it is another than `before`. */
async function renewCsrf(before) {
  const answer = await fetch("/api/v1/session");
  csrf = answer.ok ? (await answer.json()).csrfToken : "";
  return csrf !== before && csrf !== "";
}

function stateOf(values) {
  const state = new Map(Object.entries(values));
  const watching = new Set();
  return {
    get: (name) => state.get(name),
    set(changes) {
      const changed = Object.entries(changes).filter(([name, value]) => state.get(name) !== value);
      for (const [name, value] of changed) state.set(name, value);
      for (const [name] of changed) for (const each of [...watching]) each[name]?.();
    },
    watch(changes) {
      watching.add(changes);
      return () => watching.delete(changes);
    },
  };
}

function connect(view, notify, own) {
  const leaving = new AbortController();
  let open = 0;
  let losses = 0;
  const tell = (words, ms) => {
    const lost = losses;
    // That an answer was lost since is the worse news.
    return setTimeout(() => lost === losses && notify(words), ms);
  };
  // Only what is shown first is empty while it loads.
  const loading = tell(LOADING, LOADING_MS);

  async function asking(question, about = {}) {
    const timer = tell(LATE, LATE_MS);
    open += 1;
    const lost = losses;
    // An answer ends neither the wait for another nor the trouble of one that was lost meanwhile.
    const answered = () => open === 1 && lost === losses && notify("");
    try {
      const answer = await askOnce(view, question, about, leaving.signal);
      own.isAnswered = true;
      answered();
      return answer;
    } catch (error) {
      if (error instanceof TokenNeeded) {
        answered();
        own.ask(error.message, own.isAnswered);
        throw Object.assign(new Error(REFUSED), { isAway: true });
      }
      // Without an answer there is no status: the line or the server is down.
      if (error instanceof TypeError) {
        losses += 1;
        notify(GONE);
        throw Object.assign(new Error(UNANSWERED), { isAway: true });
      }
      answered();
      throw error;
    } finally {
      open -= 1;
      if (!open) clearTimeout(loading);
      clearTimeout(timer);
    }
  }

  return {
    ask: asking,
    isGone: own.isOpen,
    again: (work) => own.waking.add(work),
    follow: (wake) => followRuns(wake, () => !own.isOpen() && signed(), leaving.signal),
    leave: () => {
      clearTimeout(loading);
      leaving.abort();
    },
  };
}
