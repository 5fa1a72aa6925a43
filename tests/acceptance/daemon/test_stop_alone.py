"""A daemon that is stopped while Neo4j is away."""

from pathlib import Path

from pydantic import SecretStr

from lineagegraph.daemon.daemon import Daemon
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from tests.acceptance.ingestion.relay import Relay
from tests.acceptance.processes import until
from tests.project import Project

LONG = 'lg.pipeline("long", tasks=[lg.command("sleeps", ["sleep", "600"])])'


def test_the_runs_of_a_daemon_end_with_it_also_without_neo4j(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    project = Project(tmp_path / "etl", graph, tmp_path / "home")
    project.state(LONG)
    host, _, port = server.bolt.removeprefix("bolt://").partition(":")
    relay = Relay(host, int(port))
    own = Settings(
        home=tmp_path / "home",
        neo4j_uri=f"bolt://127.0.0.1:{relay.port}",
        neo4j_user=server.user,
        neo4j_password=SecretStr(server.password),
    )
    with Graph(own.neo4j_uri or "", server.user, server.password) as relayed:
        daemon = Daemon(relayed.with_patience(1), own)
        daemon.start()
        project.queue("long")
        until(lambda: graph.query("MATCH (r:Run {state: 'RUNNING', name: 'long.sleeps'}) RETURN 1"))
        (worker,) = daemon.launcher.workers.values()
        relay.cut()
        daemon.stop(grace=2)
    assert worker.process.poll() is not None
