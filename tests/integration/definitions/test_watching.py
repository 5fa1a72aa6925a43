"""Definitions that are watched: what changes is in the graph at once."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import pytest

from lineagegraph.admin.variables import set_variable
from lineagegraph.daemon.definitions import DefinitionWatcher
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reading.parsed_files import SyncResult
from lineagegraph.reading.reader import Reader
from lineagegraph.reading.sync import read_path, sync_path
from lineagegraph.reading.watch import Watch
from lineagegraph.settings import Settings
from lineagegraph.store.admin import locks
from lineagegraph.store.pipelines import definition_files
from tests.acceptance.processes import until

HEAD = "import lineagegraph as lg\n"
ONE = HEAD + 'lg.pipeline("{}", tasks=[lg.command("a", ["true"])])\n'


class Told:
    """What a watch has told."""

    def __init__(self) -> None:
        self.pipelines: list[str] = []
        self.withdrawn: list[str] = []
        self.failures: list[str] = []

    def __call__(self, result: SyncResult) -> None:
        self.pipelines += [one.pipeline for one in result.pipelines]
        self.withdrawn += result.withdrawn
        self.failures += result.failures


@pytest.fixture
def told(graph: Graph, settings: Settings, tmp_path: Path) -> Iterator[Told]:
    """What a watch of the project tells, which goes on meanwhile."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "etl").mkdir()
    (tmp_path / "etl/a.py").write_text(ONE.format("a"))
    sync_path(graph, settings, tmp_path)
    over, told = Event(), Told()
    watch = Watch(graph, settings, told)
    thread = Thread(target=watch.run, args=[over])
    thread.start()
    yield told
    over.set()
    thread.join()


def test_edits_additions_and_deletions_are_taken_in(told: Told, tmp_path: Path):
    (tmp_path / "etl/a.py").write_text(ONE.format("a") + "\nchanged = 1\n")
    until(lambda: told.pipelines == ["a"])
    (tmp_path / "new").mkdir()
    (tmp_path / "new/b.py").write_text(ONE.format("b"))
    until(lambda: told.pipelines == ["a", "b"])
    (tmp_path / "etl/a.py").write_text("import nothing_like_it")
    until(lambda: told.failures != [])
    (tmp_path / "etl/a.py").unlink()
    until(lambda: told.withdrawn == ["a"])


def test_files_that_take_long_hold_up_no_others(told: Told, tmp_path: Path):
    for name in ("slow1", "slow2", "slow3"):
        (tmp_path / f"etl/{name}.py").write_text("import time; time.sleep(6)\n" + ONE.format(name))
    (tmp_path / "etl/b.py").write_text(ONE.format("b"))
    until(lambda: told.pipelines == ["b"])
    (tmp_path / "etl/b.py").write_text(ONE.format("c"))
    until(lambda: sorted(told.pipelines) == ["b", "c", "slow1", "slow2", "slow3"])
    assert told.pipelines[:2] == ["b", "c"]


def test_a_file_that_takes_long_has_no_fault_meanwhile(
    graph: Graph, settings: Settings, tmp_path: Path
):
    (file := tmp_path / "a.py").write_text("import time; time.sleep(2)\n" + ONE.format("a"))
    with Reader(graph, patience=0.5) as reader:
        assert read_path(reader, settings, file) == SyncResult()
        assert read_path(reader, settings, file) == SyncResult()
        told = Told()
        until(lambda: told(reader.take_slow()) or told.pipelines == ["a"])
    assert told.failures == []


CLIENTS = (
    HEAD
    + """
for client in lg.variable("clients", default=[]):
    lg.pipeline(client, tasks=[lg.command("a", ["true"])])
"""
)


def test_a_changed_variable_has_the_definitions_read_that_asked_for_it(
    told: Told, graph: Graph, tmp_path: Path
):
    (tmp_path / "etl/clients.py").write_text(CLIENTS)
    until(lambda: graph.query("MATCH (f:DefinitionFile {path: 'etl/clients.py'}) RETURN f"))
    set_variable(graph, "clients", ["one", "two"])
    until(lambda: told.pipelines == ["one", "two"])


def test_a_dynamic_file_is_read_from_time_to_time(told: Told, tmp_path: Path):
    text = HEAD + 'import uuid\nlg.file(every="1s")\nlg.pipeline("p", tasks=[{}])'
    (tmp_path / "etl/p.py").write_text(text.format('lg.command(f"t{uuid.uuid4().hex}", ["x"])'))
    until(lambda: told.pipelines.count("p") > 2)


def test_one_daemon_of_a_host_watches_and_another_takes_over(graph: Graph, settings: Settings):
    soon = settings.model_copy(update={"lease_seconds": 60.0})
    first, second = (DefinitionWatcher(graph, soon, name) for name in ("first", "second"))

    def holder() -> str | None:
        rows = graph.query(
            "MATCH (l:Lease) WHERE l.name STARTS WITH 'definitions' RETURN l.owner AS o"
        )
        return rows[0]["o"] if rows else None

    first.start()
    until(lambda: holder() == "first")
    second.start()
    first.stop()
    until(lambda: holder() == "second")
    second.stop()
    assert holder() is None


def test_a_dead_daemon_does_not_keep_the_watch_after_the_clock_was_put_back(graph: Graph):
    def claim(owner: str, hour: int) -> str | None:
        term, now = timedelta(minutes=1), datetime(2026, 1, 1, hour, tzinfo=UTC)
        asked = {"name": "definitions here", "owner": owner, "holder": "here"}
        return graph.write(locks.claim_lock, **asked, term=term, now=now)

    assert claim("dead", 12)
    assert claim("another", 11)


def test_a_path_may_be_named_by_the_settings(graph: Graph, settings: Settings, tmp_path: Path):
    (tmp_path / "a.py").write_text(HEAD + "1 / 0")
    (tmp_path / "b.py").write_text(ONE.format("b"))
    named = settings.model_copy(update={"definitions": (tmp_path,)})
    definitions = DefinitionWatcher(graph, named, "one")
    definitions.start()
    until(lambda: graph.query("MATCH (j:Job {fqn: 'b'}) RETURN j"))
    definitions.stop()
    assert [fault.file for fault in graph.read(definition_files.list_faults)] == ["a.py"]


def test_a_watch_ends_with_its_connection(
    server: ServerAddress, settings: Settings, tmp_path: Path
) -> None:
    with Graph(server.bolt, server.user, server.password) as own:
        watch = Watch(own, settings, lambda result: None, (tmp_path,))
    thread = Thread(target=watch.run, args=[Event()], daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()
