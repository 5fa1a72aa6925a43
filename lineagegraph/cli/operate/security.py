"""`doctor --security`: harmless attacks on one's own server and graph."""

import stat
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from ssl import CERT_NONE, create_default_context
from threading import Thread
from urllib.parse import urlsplit

from lineagegraph.cli.connect import connected_if_running
from lineagegraph.cli.operate.service import find_service
from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.http.server import is_loopback
from lineagegraph.neo4j_server.doctor import Finding
from lineagegraph.settings import Settings

_EVENTS = "/api/v1/lineage"
_READS = "/api/v1/namespaces"
_FOREIGN = "http://attacker.example"
_ROWS = "LOAD CSV FROM $url AS row RETURN count(row)"
_SECONDS = 10


def attack(settings: Settings) -> list[Finding]:
    """Try on the running server and graph what an attacker would, without changes."""
    found = [*_files(settings), *_network(settings)]
    with connected_if_running(settings) as graph:
        if graph is None:
            advice = "start it with `lineagegraph up`, and run this again"
            found.append(Finding("Cypher", False, "Neo4j is not running", advice))
        else:
            found += _cypher(graph)
    service = find_service(settings)
    if service is None or not service.http:
        advice = "start it with `lineagegraph up`, and run this again"
        return [*found, Finding("HTTP", False, "no server is running", advice)]
    return [*found, *_http(service.http, settings)]


def _files(settings: Settings) -> Iterator[Finding]:
    """Yield whether other users of this machine can read what is kept below home."""
    home = settings.home
    if not home.exists():
        return
    seen = [path for path in home.iterdir() if _is_open(path)] if _is_open(home) else []
    detail = ", ".join(path.name for path in seen[:5])
    if seen:
        advice = f"chmod go-rwx {home}"
        yield Finding("Files", False, f"others can read {detail} in {home}", advice)
    else:
        yield Finding("Files", True, f"{home} is private")


def _is_open(path: Path) -> bool:
    return bool(stat.S_IMODE(path.stat().st_mode) & (stat.S_IRGRP | stat.S_IROTH))


def _network(settings: Settings) -> Iterator[Finding]:
    if is_loopback(settings.host):
        yield Finding("TLS", True, f"{settings.host} is reached from this machine only")
    elif settings.tls_certificate:
        yield Finding("TLS", True, f"certificate {settings.tls_certificate}")
    else:
        advice = "set tls_certificate and tls_key, or put a proxy with TLS in front"
        yield Finding("TLS", False, f"{settings.host} is served without TLS", advice)


def _cypher(graph: Graph) -> Iterator[Finding]:
    """Yield whether a query that only reads gets at files and at the network."""
    read = _answers(graph, "file:///etc/passwd")
    advice = "set dbms.security.allow_csv_import_from_file_urls=false in its neo4j.conf"
    yield _finding("Cypher reads files", not read, "LOAD CSV of /etc/passwd", advice)
    asked: list[str] = []
    listener = _listen(asked)
    try:
        _answers(graph, f"http://127.0.0.1:{listener.server_port}/x.csv")
    finally:
        listener.shutdown()
    advice = "set internal.dbms.cypher_ip_blocklist=0.0.0.0/0,::/0 in its neo4j.conf"
    yield _finding("Cypher asks the network", not asked, "LOAD CSV of a loopback address", advice)
    names = graph.query(
        "SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'apoc.load' "
        "OR name STARTS WITH 'apoc.import' OR name STARTS WITH 'apoc.export' RETURN name LIMIT 3"
    )
    detail = ", ".join(row["name"] for row in names) or "none that read files"
    advice = "list only what is needed in dbms.security.procedures.allowlist"
    yield Finding("Procedures", not names, detail, advice if names else "")


def _answers(graph: Graph, url: str) -> bool:
    try:
        graph.query(_ROWS, {"url": url})
    except GraphError:
        return False
    return True


def _listen(asked: list[str]) -> HTTPServer:
    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    listener = HTTPServer(("127.0.0.1", 0), Listener)
    Thread(target=listener.serve_forever, daemon=True).start()
    return listener


def _http(url: str, settings: Settings) -> Iterator[Finding]:
    """Yield what requests of foreign web pages and of callers without a token get."""
    json = {"Content-Type": "application/json"}
    attempts: list[tuple[str, str, dict[str, str]]] = [
        ("Name of another host", "GET", {"Host": "attacker.example"}),
        ("Page of another site", "POST", {"Origin": _FOREIGN} | json),
        ("Page without an origin", "POST", {"Origin": "null"} | json),
        ("Form of a page", "POST", {"Content-Type": "text/plain"}),
    ]
    if not is_loopback(settings.host):
        attempts += [
            ("No token", "GET", {}),
            ("Unknown token", "GET", {"Authorization": "Bearer x"}),
        ]
    for name, method, headers in attempts:
        status = _status(url, method, headers)
        refused = status in {401, 403, 415, 421}
        detail = f"answered {status}" if status else "no answer"
        yield Finding(name, refused, detail, "" if refused else "update lineagegraph")


def _status(url: str, method: str, headers: dict[str, str]) -> int | None:
    parts = urlsplit(url)
    path, body = (_READS, None) if method == "GET" else (_EVENTS, "{}")
    connection: HTTPConnection
    if parts.scheme == "https":
        context = create_default_context()
        context.check_hostname, context.verify_mode = False, CERT_NONE
        connection = HTTPSConnection(parts.netloc, timeout=_SECONDS, context=context)
    else:
        connection = HTTPConnection(parts.netloc, timeout=_SECONDS)
    try:
        connection.request(method, path, body, headers)
        return connection.getresponse().status
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()


def _finding(name: str, holds: bool, tried: str, advice: str) -> Finding:
    return Finding(
        name, holds, f"{tried} {'is refused' if holds else 'works'}", "" if holds else advice
    )
