"""Events that Neo4j stores though its answer to the commit is lost."""

from pathlib import Path

import httpx2 as httpx

from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from tests.acceptance.processes import until
from tests.answer_losing import AnswerLosing
from tests.events import run_event


def test_they_are_acknowledged_and_stored_once(
    graph: Graph, server: ServerAddress, settings: Settings, tmp_path: Path
) -> None:
    own = settings.model_copy(update={"home": tmp_path})
    with AnswerLosing(server.bolt) as way, Graph(way.uri, server.user, server.password) as lossy:
        http = HttpServer(make_application(lossy, own), bind("127.0.0.1", 0))
        http.start()
        until(lambda: httpx.get(f"{http.url}/ready").status_code == 200)
        way.losses = 1
        event = run_event("load", outputs=(("file", "/out"),))
        answer = httpx.post(f"{http.url}/api/v1/lineage", json=event, timeout=60)
        http.stop()
    assert (way.losses, answer.status_code) == (0, 201), answer.text
    assert graph.query("MATCH (e:Event) RETURN count(e) AS events") == [{"events": 1}]
