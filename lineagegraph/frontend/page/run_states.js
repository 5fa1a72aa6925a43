// The server's stream of run states: views load again at once when a run changes.

const PATH = "/api/v1/run-states";
const AGAIN_MS = 5000;
const GATHER_MS = 300;

/**
 * Call `wake` soon after runs changed, until `signal` is aborted; `headers()` sign the request,
 * or are none while it is not to be sent.
 *
 * Each tab that can be seen holds one connection, of which browsers have few: a hidden one lets go.
 */
export async function followRuns(wake, headers, signal) {
  let isGathering = false;
  const gather = () => {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      if (!signal.aborted) wake();
    }, GATHER_MS);
  };
  // Beside it views load regularly, so a stream that ends costs seconds only.
  while (!signal.aborted) {
    await readStream(gather, headers(), signal).catch(() => {});
    await pause(AGAIN_MS, signal);
  }
}

async function readStream(changed, headers, signal) {
  if (document.hidden || !headers) return;
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  const hide = () => document.hidden && leave();
  signal.addEventListener("abort", leave);
  document.addEventListener("visibilitychange", hide);
  try {
    const sent = { headers: { ...headers, Accept: "text/event-stream" }, signal: leaving.signal };
    const answer = await fetch(PATH, sent);
    if (!answer.ok) return;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (/^data:/m.test(part.value)) changed();
    }
  } finally {
    signal.removeEventListener("abort", leave);
    document.removeEventListener("visibilitychange", hide);
  }
}

function pause(ms, signal) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    setTimeout(resolve, ms);
    signal.addEventListener("abort", resolve, { once: true });
  });
}
