"""A query that reads the graph reads no files, sends no requests and changes no server."""

from pathlib import Path

import pytest

from lineagegraph.errors import QueryRefused, WriteRefused
from lineagegraph.graph import Graph
from lineagegraph.graph.ask import ask
from lineagegraph.neo4j_server.doors import check_doors
from lineagegraph.neo4j_server.folder import server_folder
from lineagegraph.settings import Settings
from tests.integration.sensors.web import Reply, serving

_REFUSED = [
    "LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l",
    "UNWIND [1] AS x CALL (x) { LOAD CSV FROM 'http://127.0.0.1:9/' AS l RETURN l } RETURN l",
    "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
    "SHOW TRANSACTIONS YIELD transactionId AS t TERMINATE TRANSACTIONS t YIELD message RETURN t",
    "CALL `dbms`.`killConnection`('bolt-1')",
    "call /* x */ dbms . killConnections(['bolt-1'])",
    "PROFILE CALL db.clearQueryCaches()",
    "// x\n PROFILE CYPHER runtime=slotted CALL db.clearQueryCaches()",
    "CYPHER runtime=slotted CALL db.clearQueryCaches() YIELD value RETURN value",
    r"\u0043ALL db.clearQueryCaches()",
    "CALL dbms.queryJmx('java.lang:type=Runtime')",
    "UNWIND [1] AS x CALL (x) { CREATE (:Bad) } IN TRANSACTIONS",
    "CALL { CREATE (:Bad) } IN CONCURRENT TRANSACTIONS",
    "CALL db.createLabel('Bad')",
    "PROFILE CREATE (:Bad)",
    "FOREACH (x IN [1] | CREATE (:Bad))",
    "CREATE INDEX bad FOR (n:Bad) ON (n.x)",
    "CREATE USER bad SET PASSWORD 'abcdefgh1'",
    "ALTER CURRENT USER SET PASSWORD FROM 'x' TO 'y12345678'",
    "USE system MATCH (n) RETURN n",
]


@pytest.mark.parametrize("text", _REFUSED)
def test_a_query_of_a_user_only_reads_the_graph(connection: Graph, text: str) -> None:
    for run in (lambda: connection.query(text), lambda: ask(connection, text, {})):
        with pytest.raises(QueryRefused):
            run()


def test_a_query_of_a_user_may_call_what_reads(connection: Graph) -> None:
    for text in ("CALL db.labels()", "PROFILE RETURN 1 AS called", "EXPLAIN CREATE (:Bad)"):
        connection.query(text)
        ask(connection, text, {})
    assert connection.query("MATCH (n:Bad) RETURN count(n) AS n") == [{"n": 0}]
    called = connection.query("UNWIND $x AS x CALL (x) { RETURN x + 1 AS y } RETURN y", {"x": [1]})
    assert called == [{"y": 2}]


def test_a_query_that_may_write_reads_no_file_and_sends_no_request(
    connection: Graph, settings: Settings
) -> None:
    password: Path = server_folder(settings).password_file
    with serving() as web:
        web.replies["/x"] = Reply(body=b"secret")
        urls = [password.as_uri(), "file:///password", web.url("/x"), web.url("/x", "localhost")]
        for url in urls:
            with pytest.raises(QueryRefused, match=r"csv_import_from_file_urls|ip_blocklist"):
                connection.query("LOAD CSV FROM $url AS l RETURN l", {"url": url}, write=True)
        assert not web.asked
    found = check_doors(connection, settings)
    assert [(one.ok, one.advice) for one in found] == [(True, "")] * 3


def test_the_refusal_says_what_is_refused(connection: Graph) -> None:
    with pytest.raises(WriteRefused, match="LOAD CSV reads files and URLs"):
        connection.query(_REFUSED[0])
