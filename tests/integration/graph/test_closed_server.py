"""Cypher on the managed server reads no files and asks no other server."""

from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server.folder import server_folder
from lineagegraph.settings import Settings

ROWS = "LOAD CSV FROM $url AS row RETURN row LIMIT 1"


@pytest.mark.parametrize("form", ["file://{}", "file:{}", "file:///{}"])
def test_no_file_is_read(graph: Graph, settings: Settings, form: str) -> None:
    password = next(server_folder(settings).root.rglob("*password*"))
    for file in ("/etc/passwd", str(password)):
        with pytest.raises(GraphError):
            graph.query(ROWS, {"url": form.format(file)})


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"])
def test_no_server_is_asked(graph: Graph, host: str) -> None:
    asked = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    listener = HTTPServer(("127.0.0.1", 0), Listener)
    Thread(target=listener.serve_forever, daemon=True).start()
    try:
        with pytest.raises(GraphError):
            graph.query(ROWS, {"url": f"http://{host}:{listener.server_port}/x.csv"})
        assert asked == []
    finally:
        listener.shutdown()


def test_no_procedure_has_rights_of_its_own(graph: Graph) -> None:
    (row,) = graph.query(
        "SHOW SETTINGS YIELD name, value WHERE name = 'dbms.security.procedures.unrestricted' "
        "RETURN value"
    )
    assert row["value"] == ""
    names = graph.query("SHOW PROCEDURES YIELD name RETURN collect(name) AS names")[0]["names"]
    assert [name for name in names if name.startswith("apoc.")] == []


def test_a_query_of_a_reader_writes_nothing(graph: Graph) -> None:
    for text in (
        "CREATE (:X)",
        "CALL { CREATE (:X) } IN TRANSACTIONS",
        "CALL db.createLabel('X')",
        "CALL dbms.setConfigValue('db.transaction.timeout', '1s')",
        "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'",
    ):
        with pytest.raises(GraphError):
            graph.query(text)
    assert graph.query("MATCH (n:X) RETURN n") == []
