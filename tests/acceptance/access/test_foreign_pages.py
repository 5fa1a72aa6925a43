"""What a page of another site tries in a real browser: nothing fires, and nothing is read."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx2 as httpx
import pytest
from playwright.sync_api import Page

from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.settings import Settings
from tests.events import run_event
from tests.project import Project

PIPELINE = """
load = lg.command("load", ["sh", "-c", 'echo "$1"', "sh", "{day}"])
lg.pipeline("load", tasks=[load], params={"day": "none"},
    trigger=lg.on.event("feed.arrived"))
"""
EVENT = {"name": "feed.arrived", "payload": {"day": "$(touch /tmp/owned)"}}
EVENTS, IMAGE = "/api/v1/external-events", "/api/v1/lineage?nodeId=job:default:seen&format=svg"
# All that a page can send, one after the other; it answers what the page got to see.
TRIES = """
async ({url, event, image}) => {
  const to = url + "/api/v1/external-events", seen = [], text = JSON.stringify(event);
  const post = (kind, name, value) => new Promise(done => {
    const frame = document.createElement("iframe");
    frame.name = "frame" + Math.random();
    document.body.append(frame);
    const form = document.createElement("form");
    Object.assign(form, {action: to, method: "post", enctype: kind, target: frame.name});
    const input = document.createElement("input");
    Object.assign(input, {name, value});
    form.append(input);
    document.body.append(form);
    frame.onload = done;
    setTimeout(done, 3000);
    form.submit();
  });
  const attempt = async (name, work) => {
    const got = await work().catch(() => null);  // refused
    if (got) seen.push([name, got]);
  };
  await post("text/plain", text.slice(0, -1) + ',"id":"', '"}');
  await post("application/x-www-form-urlencoded", text, "");
  await post("multipart/form-data", "event", text);
  const blindly = {method: "POST", mode: "no-cors"};
  for (const body of [text, new Blob([text])])
    await attempt("no-cors", async () => (await fetch(to, {...blindly, body})).ok);
  const json = {method: "POST", headers: {"Content-Type": "application/json"}, body: text};
  await attempt("json", async () => (r => r.ok && r.status)(await fetch(to, json)));
  await attempt("beacon", async () => { navigator.sendBeacon(to, text); });
  await attempt("read", async () => (r => r.ok && r.text())(await fetch(url + "/api/v1/jobs")));
  await attempt("image", () => new Promise((done, fail) => {
    const found = new Image();
    found.onload = () => done(found.naturalWidth);
    found.onerror = fail;
    found.src = url + image;
  }));
  await attempt("stream", () => new Promise((done, fail) => {
    const stream = new EventSource(url + "/api/v1/run-states");
    stream.onopen = () => done("open");
    stream.onerror = () => { stream.close(); fail(); };
  }));
  return seen;
}
"""


class EvilPage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>cats</title><body>cats</body>")

    def log_message(self, *words: object) -> None:
        pass


@contextmanager
def evil_site(port: int = 0) -> Iterator[int]:
    """Serve the page, and give its port."""
    with ThreadingHTTPServer(("127.0.0.1", port), EvilPage) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        try:
            yield site.server_port
        finally:
            # Closed under its thread, it would be asked again and again by that.
            site.shutdown()


@pytest.fixture
def project(graph: Graph, tmp_path: Path) -> Project:
    """A pipeline that an external event starts, and a job to read about."""
    found = Project(tmp_path / "etl", graph, tmp_path / "home")
    found.state(PIPELINE)
    return found


@contextmanager
def serving(graph: Graph, settings: Settings, home: Path, port: int = 0) -> Iterator[str]:
    own = settings.model_copy(update={"home": home})
    server = HttpServer(make_application(graph, own), bind("127.0.0.1", port))
    server.start()
    try:
        httpx.post(
            f"{server.url}/api/v1/lineage", json=run_event("seen"), timeout=60
        ).raise_for_status()
        yield server.url
    finally:
        server.stop()


def try_all(page: Page, url: str) -> list[object]:
    """Have the page try everything on a URL; return the statuses of the server's answers."""
    answers: list[object] = []
    page.on(
        "response",
        lambda found: answers.append(found.status) if found.url.startswith(url) else None,
    )
    seen = page.evaluate(TRIES, {"url": url, "event": EVENT, "image": IMAGE})
    assert seen == [], url
    return answers


def assert_only_own_requests_fire(graph: Graph, url: str) -> None:
    """Fail if anything fired before, or if a program's own request fires nothing."""
    queued = "MATCH (:Job {simple_name: 'load'})-[:HAS_RUN]->(r:Run) RETURN count(r) AS runs"
    assert graph.query(queued) == [{"runs": 0}]
    said = httpx.post(url + EVENTS, json=EVENT, timeout=60)
    assert (said.status_code, len(said.json()["runs"])) == (201, 1)


@pytest.mark.parametrize("name", ["lineage.evil.test", "127.0.0.1", "localhost"])
def test_a_page_of_another_site_starts_nothing_and_reads_nothing(
    page: Page, project: Project, settings: Settings, tmp_path: Path, name: str
) -> None:
    graph = project.graph
    with serving(graph, settings, tmp_path) as url, evil_site() as port:
        page.goto(f"http://www.evil.test:{port}/")
        answers = try_all(page, url.replace("127.0.0.1", name))
        assert len(answers) >= 6, "the requests reached the server"
        assert set(answers) <= {403, 415, 421}, answers
        assert_only_own_requests_fire(graph, url)


def test_a_page_whose_own_name_comes_to_lead_here_reads_nothing(
    page: Page, project: Project, settings: Settings, tmp_path: Path
) -> None:
    with evil_site() as port:
        own = f"http://rebound.evil.test:{port}"
        page.goto(own)
    # The name now leads to the server, on the same port: to the browser it is the same site.
    with serving(project.graph, settings, tmp_path, port) as url:
        answers = try_all(page, own)
        assert len(answers) >= 8, "the requests reached the server"
        assert set(answers) == {421}, answers
        assert_only_own_requests_fire(project.graph, url)


def test_a_page_of_this_server_may_do_both(
    page: Page, project: Project, settings: Settings, tmp_path: Path
) -> None:
    with serving(project.graph, settings, tmp_path) as url:
        page.goto(f"{url}/health")
        text = json.dumps(EVENT)
        script = """([path, body]) => fetch(path, {method: "POST", body,
            headers: {"Content-Type": "application/json"}}).then(found => found.status)"""
        assert page.evaluate(script, [EVENTS, text]) == 201
        for path in ("/api/v1/jobs", IMAGE):
            assert page.evaluate("path => fetch(path).then(found => found.status)", path) == 200
