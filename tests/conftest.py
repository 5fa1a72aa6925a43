"""One real Neo4j for the whole test session, wiped between tests."""

import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import structlog
import trustme
from hypothesis import settings as hypothesis_settings

from lineagegraph import neo4j_server
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.settings import Settings, load_settings
from tests.quick_java import QUICK_JAVA, QUICK_NEO4J, QUICK_SPARK

# The same examples everywhere; `make soak` looks for new ones.
hypothesis_settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis_settings.load_profile("repeatable")

os.environ.setdefault("SPARK_LAUNCHER_OPTS", QUICK_JAVA)
os.environ.setdefault("SPARK_SUBMIT_OPTS", QUICK_SPARK)
# One key for all homes of the tests; without it, one would be made in the home of the user.
if "LINEAGEGRAPH_SIGNING_KEY_FILE" not in os.environ:
    _keys = TemporaryDirectory(prefix="lineagegraph-key-")
    (Path(_keys.name) / "signing.key").write_text("5e" * 32)
    (Path(_keys.name) / "signing.key").chmod(0o600)
    os.environ["LINEAGEGRAPH_SIGNING_KEY_FILE"] = f"{_keys.name}/signing.key"
# No plan is made anew because a test has left nothing behind.
SHORT_LIVED: Any = {
    "neo4j_java_options": QUICK_NEO4J,
    "neo4j_conf": {"dbms.cypher.min_replan_interval": "1h"},
}
# In parts: what a large test leaves behind is more than one transaction may hold.
WIPE = """
MATCH (n) WHERE NOT n:Migration
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS
"""


_UNPACKED = f"{tempfile.gettempdir()}/lineagegraph-"


@pytest.fixture(autouse=True)
def own_place(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Bring this process back to where it was after a test that did a worker's work in it.

    The modules of a run's unpacked source are forgotten: the next may have others of their names.

    Settings are read anew in each test, and log lines go where they usually do.
    """
    load_settings.cache_clear()
    structlog.reset_defaults()
    monkeypatch.chdir(Path.cwd())
    monkeypatch.setattr(sys, "path", [*sys.path])
    known = set(sys.modules)
    yield
    for name in sys.modules.keys() - known:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(_UNPACKED) and not Path(file).exists():
            del sys.modules[name]


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of a home of its own; LINEAGEGRAPH_TEST_HOME names one whose server stays up.

    Processes of pytest that share the work have a home, and so a Neo4j, each.
    """
    kept = os.environ.get("LINEAGEGRAPH_TEST_HOME")
    home = Path(kept + os.environ.get("PYTEST_XDIST_WORKER", "")) if kept else None
    home = home or tmp_path_factory.mktemp("home")
    conf = SHORT_LIVED["neo4j_conf"] | _encrypt(home / "certificates")
    return Settings(
        home=home,
        neo4j_uri=None,
        neo4j_heap="512m",
        neo4j_page_cache="128m",
        **SHORT_LIVED | {"neo4j_conf": conf},
        port=0,
        # The machines of tests are slow.
        ingest_seconds=20,
    )


def _encrypt(folder: Path) -> dict[str, str]:
    """Return lines of `neo4j.conf` by which the server takes encrypted connections too."""
    if not (folder / "ca.pem").exists():
        folder.mkdir(parents=True)
        authority = trustme.CA()
        issued = authority.issue_cert("127.0.0.1", "localhost")
        issued.private_key_pem.write_to_path(folder / "private.key")
        issued.cert_chain_pems[0].write_to_path(folder / "public.crt")
        authority.cert_pem.write_to_path(folder / "ca.pem")
    return {
        "dbms.ssl.policy.bolt.enabled": "true",
        "dbms.ssl.policy.bolt.base_directory": str(folder),
        "dbms.ssl.policy.bolt.client_auth": "NONE",
        "server.bolt.tls_level": "OPTIONAL",
    }


@pytest.fixture
def silent() -> Iterator[str]:
    """The URL of a server that takes connections and never answers."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)
        yield "http://{}:{}/".format(*listener.getsockname())


@pytest.fixture(scope="session")
def server(settings: Settings) -> Iterator[neo4j_server.ServerAddress]:
    """A managed server, with the schema applied."""
    address = neo4j_server.start(settings, answers)
    with Graph(address.bolt, address.user, address.password) as graph:
        migrate(graph)
    yield address
    if "LINEAGEGRAPH_TEST_HOME" not in os.environ:
        neo4j_server.stop(settings)


@pytest.fixture(scope="session")
def connection(server: neo4j_server.ServerAddress) -> Iterator[Graph]:
    """A connection that all tests share."""
    with Graph(server.bolt, server.user, server.password) as graph:
        yield graph


@pytest.fixture
def graph(connection: Graph) -> Graph:
    """An empty graph."""
    with connection.autocommit() as session:
        session.run(WIPE).consume()
    return connection
