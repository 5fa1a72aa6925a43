"""Checks of what queries can reach outside of the graph, on a managed Neo4j or your own."""

from collections.abc import Iterator
from contextlib import contextmanager
from socket import create_server, socket
from threading import Event, Thread

from lineagegraph.errors import QueryRefused
from lineagegraph.graph import Graph
from lineagegraph.graph.read_only import PROCEDURES
from lineagegraph.neo4j_server.configuration import CLOSED
from lineagegraph.neo4j_server.doctor import Finding
from lineagegraph.settings import Settings

_FILES, _URLS, _PROCEDURES = CLOSED
# No file has this name: where files are read, the answer is that there is none.
_NO_FILE = "file:///lineagegraph-doctor-reads-no-file.csv"
_LOAD = "LOAD CSV FROM $url AS line RETURN count(line) AS lines"
_REFUSALS = ("allow_csv_import_from_file_urls", "cypher_ip_blocklist")
_MOST_NAMES = 3


def check_doors(graph: Graph, settings: Settings) -> list[Finding]:
    """Check files, requests and procedures that a query can use, without changes."""
    return [
        _finding(
            "Neo4j files",
            None if _is_refused(graph, _NO_FILE) else "queries may read files of the server",
            "LOAD CSV reads no files",
            _advice(settings, _FILES),
        ),
        _finding(
            "Neo4j requests",
            _requests(graph),
            "LOAD CSV sends no requests",
            _advice(settings, _URLS),
        ),
        _finding(
            "Neo4j procedures",
            _procedures(graph),
            "no procedures of plugins that reach outside of the graph",
            _advice(settings, _PROCEDURES),
        ),
    ]


def _finding(name: str, fault: str | None, fine: str, advice: str) -> Finding:
    return Finding(name, fault is None, fault or fine, advice if fault else "")


def _advice(settings: Settings, key: str) -> str:
    if key in settings.neo4j_conf:
        return f"remove {key} from setting neo4j_conf"
    if settings.neo4j_uri is None:
        return "restart the managed Neo4j: `lineagegraph neo4j stop`, then start"
    if key == _PROCEDURES:
        return f"in the server's neo4j.conf, limit {key} to what you need"
    return f"in the server's neo4j.conf, set {key}={CLOSED[key]}"


def _requests(graph: Graph) -> str | None:
    """Return what is wrong if a request to this machine is sent, or only fails to arrive."""
    with _listening() as (port, asked):
        if _is_refused(graph, f"http://127.0.0.1:{port}/"):
            return None
        return f"queries may send requests{' also to loopback' if asked.is_set() else ''}"


def _procedures(graph: Graph) -> str | None:
    rows = graph.query(
        "SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'apoc.' RETURN name ORDER BY name"
    )
    found = [row["name"] for row in rows if PROCEDURES.match(row["name"])]
    if not found:
        return None
    more = f" and {len(found) - _MOST_NAMES} more" if len(found) > _MOST_NAMES else ""
    return f"queries may call {', '.join(found[:_MOST_NAMES])}{more}"


def _is_refused(graph: Graph, url: str) -> bool:
    """Return whether the configuration forbids a URL."""
    try:
        graph.query(_LOAD, {"url": url}, write=True)  # a query that reads is refused by us
    except QueryRefused as error:
        return any(name in str(error) for name in _REFUSALS)
    return False


@contextmanager
def _listening() -> Iterator[tuple[int, Event]]:
    """Yield the port of a server on loopback that answers nothing, and whether it was asked."""
    asked = Event()
    with create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=_close_all, args=(listener, asked), daemon=True)
        thread.start()
        yield listener.getsockname()[1], asked


def _close_all(listener: socket, asked: Event) -> None:
    try:
        while True:
            listener.accept()[0].close()
            asked.set()
    except OSError:  # it was closed
        return
