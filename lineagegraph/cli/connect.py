"""The graph that a command works on: your own Neo4j, or the managed one, started if needed."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, DownloadColumn, SpinnerColumn, TextColumn
from rich.progress import Progress as ProgressBar

from lineagegraph import neo4j_server
from lineagegraph.cli.console import errors
from lineagegraph.errors import GraphUnreachable
from lineagegraph.graph import Graph, answers
from lineagegraph.settings import Settings
from lineagegraph.store.connect import connect_running, open_graph


@contextmanager
def connected(settings: Settings) -> Iterator[Graph]:
    """Yield a connection to the graph with its schema up to date, and close it afterwards."""
    with starting() as progress:
        graph = open_graph(settings, progress)
    with graph:
        yield graph


@contextmanager
def connected_if_running(settings: Settings) -> Iterator[Graph | None]:
    """Yield a connection to the graph if it is running, else None; do not start it."""
    try:
        graph = connect_running(settings)
    except GraphUnreachable:
        graph = None
    if graph is None:
        yield None
        return
    with graph:
        yield graph


def start_server(settings: Settings) -> neo4j_server.ServerAddress:
    """Return the managed server's address; show progress on standard error while it starts."""
    with starting() as progress:
        return neo4j_server.start(settings, answers, progress)


@contextmanager
def starting() -> Iterator[neo4j_server.Progress]:
    """Show progress while Neo4j is downloaded or starts, if standard error is a terminal."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with ProgressBar(
        *columns, console=errors, transient=True, disable=not errors.is_terminal
    ) as bar:
        task = bar.add_task("starting Neo4j", total=None)

        def note(done: int, total: int) -> None:
            what = "fetching Neo4j" if done < total else "starting Neo4j"
            bar.update(task, description=what, completed=done, total=total)

        yield note
