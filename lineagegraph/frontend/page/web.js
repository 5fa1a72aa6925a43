// Views in a web page: their questions go to the server, and their state stays in the page.

const LATE_MS = 5000;
const LATE = "The server has not answered yet.";
const GONE = "The server cannot be reached; trying again.";
const TOKEN = "lineagegraph.token";

/** Raised where the server asks for a token. */
export class TokenNeeded extends Error {}

/** Keep the token of this browser tab; an empty one is forgotten. */
export function useToken(token) {
  if (token) sessionStorage.setItem(TOKEN, token);
  else sessionStorage.removeItem(TOKEN);
}

/** Return a host for a view of the server: see `panel`. */
export function webHost(name, el, values, unauthorized) {
  return { el, state: stateOf(values), connect: (notify) => connect(name, notify, unauthorized) };
}

/** Ask the server a question of a view. */
export async function ask(view, question, about = {}, signal = undefined) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const body = JSON.stringify(about);
  const sent = { method: "POST", headers, body, signal };
  const answer = await fetch(`/api/v1/views/${view}/${question}`, sent);
  const found = await answer
    .json()
    .catch(() => ({ error: `the server answered ${answer.status}` }));
  const acts = answer.headers.get("Lineagegraph-Acts");
  if (acts) document.documentElement.dataset.acts = acts;
  if (answer.ok) return found;
  throw new (answer.status === 401 ? TokenNeeded : Error)(found.error);
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

function connect(view, notify, unauthorized) {
  const leaving = new AbortController();

  async function asking(question, about = {}) {
    const timer = setTimeout(() => notify(LATE), LATE_MS);
    try {
      const answer = await ask(view, question, about, leaving.signal);
      notify("");
      return answer;
    } catch (error) {
      if (error instanceof TokenNeeded) unauthorized(error.message);
      // Without an answer there is no status: the line or the server is down.
      if (error instanceof TypeError) {
        notify(GONE);
        throw new Error(GONE);
      }
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return { ask: asking, isGone: () => false, leave: () => leaving.abort() };
}
