"""Synced paths below other synced paths: each is read as it was synced last."""

import os
import time
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.reading.reader import ONLY_CHANGED, Reader
from lineagegraph.reading.sync import forget_path, read_path, sync_path
from lineagegraph.reading.watch import watched_paths
from lineagegraph.settings import Settings
from tests.integration.definitions.test_watching import ONE


def active(graph: Graph) -> list[tuple[str, str]]:
    rows = graph.query("""
        MATCH (j:Job)<-[:DECLARES]-() WHERE j.withdrawn_at IS NULL
        RETURN j.namespace AS namespace, j.fqn AS name""")
    return sorted((row["namespace"], row["name"]) for row in rows)


def settle(*files: Path) -> None:
    """Let files be old enough to be known by their time."""
    for file in files:
        os.utime(file)
    time.sleep(0.03)


@pytest.fixture
def etl(tmp_path: Path) -> Path:
    """A project with a file, and one with a library in a folder of it."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "etl/sub").mkdir(parents=True)
    (tmp_path / "etl/a.py").write_text(ONE.format("a"))
    (tmp_path / "etl/sub/b.py").write_text("import lib\n" + ONE.format("b"))
    (tmp_path / "etl/sub/pyproject.toml").touch()
    (tmp_path / "etl/sub/lib.py").touch()
    settle(tmp_path / "etl/a.py", tmp_path / "etl/sub/b.py", tmp_path / "etl/sub/lib.py")
    return tmp_path / "etl"


def watch_once(graph: Graph, settings: Settings) -> list[str]:
    """Read what a daemon of this host watches, and return the new versions and faults."""
    told: list[str] = []
    with Reader(graph) as reader:
        for path, of in watched_paths(graph, settings).items():
            result = read_path(reader, of, path, ONLY_CHANGED)
            told += [one.pipeline for one in result.pipelines if one.is_new] + result.failures
    return told


def test_a_daemon_reads_a_folder_as_it_was_synced_though_one_above_it_was_too(
    graph: Graph, settings: Settings, etl: Path
):
    (etl / "sub/b.py").rename(etl / "sub/b.txt")
    sync_path(graph, settings, etl)
    (etl / "sub/b.txt").rename(etl / "sub/b.py")
    other = settings.model_copy(update={"namespace": "other"})
    assert sync_path(graph, other, etl / "sub").failures == []
    both = [("default", "a"), ("other", "b")]
    assert active(graph) == both
    assert watch_once(graph, settings) == []
    (etl / "sub/b.py").write_text("import lib\n" + ONE.format("b") + "x = 1")
    settle()
    assert watch_once(graph, settings) == ["b"]
    assert active(graph) == both


def test_a_folder_that_is_synced_takes_the_paths_below_it(
    graph: Graph, settings: Settings, etl: Path
):
    (etl / "sub/pyproject.toml").unlink()
    (etl / "sub/b.py").write_text(ONE.format("b"))
    settle()
    sync_path(graph, settings.model_copy(update={"namespace": "other"}), etl / "sub/b.py")
    sync_path(graph, settings, etl)
    assert active(graph) == [("default", "a"), ("default", "b")]
    assert watch_once(graph, settings) == []
    assert active(graph) == [("default", "a"), ("default", "b")]


def test_a_synced_file_in_a_forgotten_folder_stays_as_it_was_synced(
    graph: Graph, settings: Settings, etl: Path
):
    sync_path(graph, settings, etl / "a.py")
    sync_path(graph, settings, etl / "sub")
    forget_path(graph, etl / "sub")
    sync_path(graph, settings.model_copy(update={"namespace": "other"}), etl / "sub/b.py")
    sync_path(graph, settings, etl)
    assert active(graph) == [("default", "a"), ("other", "b")]


def test_a_file_that_gave_a_name_away_is_read_as_it_was_synced(
    graph: Graph, settings: Settings, tmp_path: Path
):
    """The other one took the name before any process has read what became of the first."""
    (tmp_path / "pyproject.toml").touch()
    (one := tmp_path / "one.py").write_text(ONE.format("a") + NAMED.format("b"))
    (two := tmp_path / "two.py").write_text(ONE.format("c"))
    settle(one, two)
    sync_path(graph, settings.model_copy(update={"namespace": "other"}), one)
    sync_path(graph, settings, two)
    one.write_text(ONE.format("a"))
    two.write_text(ONE.format("c") + NAMED.format("b"))
    settle(one, two)
    assert sync_path(graph, settings, two).failures == []
    assert active(graph) == [("default", "b"), ("default", "c"), ("other", "a")]


NAMED = 'lg.pipeline("{}", namespace="default", tasks=[lg.command("a", ["true"])])\n'
