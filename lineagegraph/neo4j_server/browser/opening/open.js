// Browser keeps what is its user's in localStorage. Ours is put there once for each version of it.
const read = (key, otherwise) => JSON.parse(localStorage.getItem("neo4j." + key)) ?? otherwise;
const write = (key, value) => localStorage.setItem("neo4j." + key, JSON.stringify(value));

async function take(file, install) {
  const answer = await fetch(file, { cache: "no-cache" });
  const text = answer.ok ? await answer.text() : "";
  if (!text || localStorage.getItem("lineagegraph." + file) === text) return;
  install(JSON.parse(text));
  localStorage.setItem("lineagegraph." + file, text);
}

function installScripts(scripts) {
  const isOurs = (id) => id?.startsWith("lineagegraph/");
  const folders = [...new Set(scripts.map((one) => one.folder))];
  write("folders", [
    ...read("folders", []).filter((one) => !isOurs(one.id)),
    ...folders.map((name) => ({ id: "lineagegraph/" + name, name })),
  ]);
  write("documents", [
    ...read("documents", []).filter((one) => !isOurs(one.folder)),
    ...scripts.map(({ name, folder, content }) => (
      { id: "lineagegraph/" + name, folder: "lineagegraph/" + folder, content })),
  ]);
}

function logIn(password) {
  const { protocol, host, username } = new URL(new URLSearchParams(location.search).get("connectURL"));
  const id = "$$discovery";
  const connection = { id, name: id, type: "bolt", host: `${protocol}//${host}`, username, password,
    authenticationMethod: "NATIVE" };
  const { allConnectionIds = [], connectionsById = {} } = read("connections", {});
  write("connections", {
    allConnectionIds: [id, ...allConnectionIds.filter((one) => one !== id)],
    connectionsById: { ...connectionsById, [id]: connection },
  });
}

async function open() {
  if (location.hash) logIn(decodeURIComponent(location.hash.slice(1)));
  await take("lineagegraph.grass", (style) => write("grass", style));
  await take("scripts.json", installScripts);
}

open().finally(() => location.replace("../" + location.search));
