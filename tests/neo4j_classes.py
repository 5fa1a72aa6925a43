"""Neo4j's classes as Java has loaded and verified them: `python -m tests.neo4j_classes` keeps them.

One small graph makes them. With these the next servers start with half the work.
"""

import tempfile
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from lineagegraph import neo4j_server
from lineagegraph.errors import ServerNotStarted
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.settings import Settings
from tests.definitions import start_january, tell_daily
from tests.keep_classes import keeping_classes
from tests.quick_java import NEO4J_CLASSES


def _keep_classes() -> None:
    with (
        keeping_classes(NEO4J_CLASSES) as options,
        tempfile.TemporaryDirectory() as home,
        suppress(ServerNotStarted),
    ):
        settings = Settings(
            home=Path(home),
            neo4j_heap="512m",
            neo4j_page_cache="64m",
            neo4j_java_options=options,
        )
        _fill_graph(settings)


def _fill_graph(settings: Settings) -> None:
    try:
        address = neo4j_server.start(settings, answers)
        with Graph(address.bolt, address.user, address.password) as graph:
            migrate(graph)
            start_january(graph)
            tell_daily(graph, str(uuid4()))
    finally:
        neo4j_server.stop(settings)


if __name__ == "__main__":
    _keep_classes()
