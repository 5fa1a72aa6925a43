"""Files that are forgotten, also beside a daemon that watches their folder."""

import time
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.reading.reader import ONLY_CHANGED, Reader
from lineagegraph.reading.sync import forget_path, read_path, sync_path
from lineagegraph.reading.watch import watched_paths
from lineagegraph.settings import Settings
from tests.acceptance.processes import until
from tests.integration.definitions.test_watching import ONE, Told, told  # noqa: F401


def active(graph: Graph) -> list[str]:
    rows = graph.query(
        "MATCH (j:Job)<-[:DECLARES]-() WHERE j.withdrawn_at IS NULL RETURN j.fqn AS name"
    )
    return sorted(row["name"] for row in rows)


@pytest.fixture
def etl(graph: Graph, settings: Settings, tmp_path: Path) -> Path:
    """A synced folder with three files."""
    (tmp_path / "pyproject.toml").touch()
    folder = tmp_path / "etl"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.py").write_text(ONE.format(name))
    sync_path(graph, settings, folder)
    return folder


def test_a_file_stays_forgotten_beside_a_daemon_that_watches_its_folder(
    graph: Graph,
    settings: Settings,
    tmp_path: Path,
    told: Told,  # noqa: F811
):
    for name in "bc":
        (tmp_path / f"etl/{name}.py").write_text(ONE.format(name))
    until(lambda: sorted(told.pipelines) == ["b", "c"])
    assert forget_path(graph, tmp_path / "etl/a.py") == ["a"]
    assert forget_path(graph, tmp_path / "etl/b.py") == ["b"]
    (tmp_path / "etl/a.py").write_text(ONE.format("a") + "# changed")
    (tmp_path / "etl/c.py").write_text(ONE.format("d"))
    until(lambda: "d" in told.pipelines)
    time.sleep(1.5)
    assert active(graph) == ["d"]


def test_sync_of_the_folder_names_forgotten_files_and_sync_of_one_brings_it_back(
    graph: Graph, settings: Settings, etl: Path
):
    forget_path(graph, etl / "a.py")
    result = sync_path(graph, settings, etl)
    assert result.forgotten == [str(etl / "a.py")]
    assert active(graph) == ["b", "c"]
    assert [one.pipeline for one in sync_path(graph, settings, etl / "a.py").pipelines] == ["a"]
    assert sync_path(graph, settings, etl).forgotten == []
    assert active(graph) == ["a", "b", "c"]


def test_a_file_below_a_forgotten_folder_may_be_synced(
    graph: Graph, settings: Settings, etl: Path, tmp_path: Path
):
    sync_path(graph, settings, tmp_path)
    assert forget_path(graph, etl) == ["a", "b", "c"]
    sync_path(graph, settings, etl / "b.py")
    sync_path(graph, settings, tmp_path)
    assert active(graph) == ["b"]
    sync_path(graph, settings, etl)
    assert active(graph) == ["a", "b", "c"]


def test_a_reading_that_is_under_way_does_not_bring_a_forgotten_path_back(
    graph: Graph, settings: Settings, etl: Path
):
    """A daemon may have taken its list of paths just before."""
    forget_path(graph, etl)
    with Reader(graph) as reader:
        read_path(reader, settings, etl, ONLY_CHANGED)
    assert active(graph) == []


def test_a_path_of_the_settings_may_be_forgotten(graph: Graph, settings: Settings, etl: Path):
    forget_path(graph, etl)
    stated = settings.model_copy(update={"definitions": [etl]})
    assert watched_paths(graph, stated) == {}
    sync_path(graph, settings, etl / "a.py")
    assert [*watched_paths(graph, stated)] == [etl / "a.py"]
    sync_path(graph, settings, etl)
    assert [*watched_paths(graph, stated)] == [etl]
