"""Two real servers with a Neo4j each: what one runs, the other has, whatever happened between."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from lineagegraph import neo4j_server
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.model.outbox.targets import Forward
from lineagegraph.outbox.forwarding import Forwarder
from lineagegraph.outbox.notifications.patience import Patience
from lineagegraph.queries.jobs.outbox import read_targets
from lineagegraph.settings import Settings
from tests.acceptance.processes import until
from tests.project import Project

SHOP = """
@lg.task
def extract():
    lg.emit(rows=3)

@lg.task(after=extract)
def load(works: bool):
    assert works, "no space left"

lg.pipeline("shop", tasks=[lg.group("all", tasks=[extract, load])], params={"works": True})
"""
RUNS = """
MATCH (r:Run)
OPTIONAL MATCH (p:Run)-[:PARENT_OF]->(r)
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
RETURN r.id AS id, r.state AS state, r.facts AS facts, p.id AS parent, j.fqn AS job,
  r.started_at AS started, r.ended_at AS ended
ORDER BY id
"""
EVENTS = "MATCH (e:Event) RETURN e.id AS id ORDER BY id"


@dataclass
class Company:
    """The other server, which can be stopped and started."""

    graph: Graph
    settings: Settings
    http: HttpServer | None = None
    port: int = 0

    def start(self) -> str:
        self.http = HttpServer(
            make_application(self.graph, self.settings), bind("127.0.0.1", self.port)
        )
        self.http.start()
        self.port = int(self.http.url.rpartition(":")[2])
        return self.http.url

    def stop(self) -> None:
        if self.http:
            self.http.stop()
        self.http = None


@pytest.fixture
def company(settings: Settings, tmp_path: Path) -> Iterator[Company]:
    own = settings.model_copy(update={"home": tmp_path / "company"})
    address = neo4j_server.start(own, answers)
    with Graph(address.bolt, address.user, address.password) as graph:
        migrate(graph)
        found = Company(graph, own)
        yield found
        found.stop()
    neo4j_server.stop(own)


def deliver(graph: Graph, forwarder: Forwarder) -> None:
    """Send until nothing waits, as a daemon does: a server that has just started is slow."""

    def is_done() -> bool:
        forwarder.send_due()
        return read_targets(graph)[0].waiting == 0

    until(is_done, 120)


def test_the_runs_of_one_server_are_on_the_other_though_it_was_away(
    graph: Graph, company: Company, tmp_path: Path
) -> None:
    quick = Patience(attempts=None, pause=timedelta(milliseconds=1))
    target = Forward(name="company", url=company.start())
    here = Forwarder(graph, [target], 1000, quick)
    here.register()
    project = Project(tmp_path / "shop", graph, tmp_path / "home")
    project.state(SHOP)
    project.run("shop")
    deliver(graph, here)
    company.stop()
    project.run("shop", works=False)
    project.run("shop")
    assert here.send_due() == 0
    (behind,) = read_targets(graph)
    assert behind.waiting > 10
    assert behind.error
    assert "ConnectError" in behind.error
    company.start()
    # Another daemon, as after a restart.
    deliver(graph, Forwarder(graph, [target], 1000, quick))
    runs = graph.query(RUNS)
    assert {run["state"] for run in runs} == {"COMPLETED", "FAILED"}
    assert company.graph.query(RUNS) == runs
    assert company.graph.query(EVENTS) == graph.query(EVENTS)
