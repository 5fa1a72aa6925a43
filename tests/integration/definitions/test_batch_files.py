"""Batch files on their way into the graph."""

import json
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.reading.parsed_files import SyncResult
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings

DO = {"command": ["true"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project."""
    found = tmp_path / "project"
    found.mkdir()
    (found / "lineagegraph.toml").touch()
    return found


def write(folder: Path, name: str, tasks: Any, **more: Any) -> None:
    """Write a batch file."""
    said = json.dumps({"batch": name, "tasks": tasks, **more}, indent=1)
    (folder / f"{name}.json").write_text(said)


def test_batch_files_of_a_folder_are_synced_beside_python_and_other_json(
    graph: Graph, settings: Settings, folder: Path
) -> None:
    write(folder, "fx", {"rates": DO})
    (folder / "etl.py").write_text(
        'import lineagegraph as lg\nlg.pipeline("p", tasks=[lg.command("c", ["true"])])\n'
    )
    (folder / "package.json").write_text('{"name": "x"}')
    result = sync_path(graph, settings, folder)
    assert result.failures == []
    assert {(one.pipeline, one.file) for one in result.pipelines} == {
        ("fx", "fx.json"),
        ("p", "etl.py"),
    }
    again = sync_path(graph, settings, folder)
    assert [one.is_new for one in again.pipelines] == [False, False]


def test_a_fault_in_a_batch_file_is_a_node_and_the_last_good_version_stays(
    graph: Graph, settings: Settings, folder: Path
) -> None:
    write(folder, "fx", {"rates": DO})
    (good,) = sync_path(graph, settings, folder).pipelines
    write(folder, "fx", {"rates": {**DO, "retrys": 2}})
    result = sync_path(graph, settings, folder)
    assert result.failures == [
        "fx.json:8:4: tasks.rates.retrys: is not a known key (did you mean retries?)"
    ]
    (fault,) = graph.query("MATCH (f:DefinitionFault) RETURN f.file AS file, f.line AS line")
    assert dict(fault) == {"file": "fx.json", "line": 8}
    (folder / "fx.json").write_text('{"batch": "fx", ')
    (failure,) = sync_path(graph, settings, folder).failures
    assert failure.startswith("fx.json:1:17: not JSON")
    (job,) = graph.query("MATCH (j:Job {fqn: 'fx'}) RETURN j.current_version AS version")
    assert job["version"] == good.version


def test_a_batch_file_is_read_again_when_what_it_names_changes_or_appears(
    graph: Graph, settings: Settings, folder: Path
) -> None:
    write(folder, "fx", {"rates": {"sql": {"file": "sql/rates.sql"}}})
    (failure,) = sync_path(graph, settings, folder).failures
    assert "no such file" in failure
    (folder / "sql").mkdir()
    versions = set()
    for query in ("SELECT 1", "SELECT 2"):
        (folder / "sql/rates.sql").write_text(query)
        result: SyncResult = sync_path(graph, settings, folder)
        assert result.failures == []
        versions.add(result.pipelines[0].version)
    assert len(versions) == 2


def test_a_batch_whose_file_is_gone_is_withdrawn(
    graph: Graph, settings: Settings, folder: Path
) -> None:
    write(folder, "fx", {"rates": DO}, schedule="0 2 * * *")
    sync_path(graph, settings, folder)
    (folder / "fx.json").unlink()
    assert sync_path(graph, settings, folder).withdrawn == ["fx"]
