"""Pipelines whose statement moves to another file while their old file is read or forgotten."""

from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from lineagegraph.graph import Graph, Transaction
from lineagegraph.reading import parsed_files
from lineagegraph.reading.reader import Reader
from lineagegraph.reading.sync import forget_path, read_path, sync_path
from lineagegraph.reading.write_files import withdraw
from lineagegraph.store.pipelines import definition_files
from tests.definitions import daily, define
from tests.integration.races.overlap import await_block, calling_after, overlap
from tests.project import Project


def test_a_pipeline_that_another_file_states_meanwhile_is_not_withdrawn(graph: Graph) -> None:
    job = define(graph, daily())
    files = [
        {"key": name, "host": "h", "root": "/", "path": f"{name}.py", "file": f"/{name}.py"}
        for name in ("old", "new")
    ]
    graph.write(definition_files.claim_files, rows=files)
    old, new = ({"key": name, "job_key": job, "line": 1} for name in ("old", "new"))
    graph.write(definition_files.link_pipelines, rows=[old])
    withdrawn = overlap(
        graph,
        lambda tx: definition_files.link_pipelines(tx, rows=[new]),
        lambda tx: withdraw(tx, "old", []),
    )
    assert withdrawn == []
    (row,) = graph.query(
        "MATCH (f:DefinitionFile)-[:DECLARES]->(j:Job) RETURN f.key AS file, j.withdrawn_at AS at"
    )
    assert row == {"file": "new", "at": None}


def test_a_pipeline_that_a_file_gets_while_it_is_forgotten_is_withdrawn(graph: Graph) -> None:
    job = define(graph, daily())
    row = {"key": "f", "host": "h", "root": "/", "path": "f.py", "file": "/f.py"}
    graph.write(definition_files.claim_files, rows=[row])

    def write(tx: Transaction) -> None:
        definition_files.claim_files(tx, rows=[row])
        definition_files.link_pipelines(tx, rows=[{"key": "f", "job_key": job, "line": 1}])

    def forget(tx: Transaction) -> None:
        withdraw(tx, "f", [])
        definition_files.delete_file(tx, key="f")

    overlap(graph, write, forget)
    (found,) = graph.query("MATCH (j:Job {key: $key}) RETURN j.withdrawn_at AS at", {"key": job})
    assert found["at"]


def test_a_file_that_comes_back_as_it_counts_as_gone_keeps_its_pipelines(
    graph: Graph, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.state('lg.pipeline("p", tasks=[lg.command("a", ["true"])])')
    file = project.folder / "flows.py"
    text = file.read_text()
    file.unlink()
    once_gone = calling_after(monkeypatch, Reader, "read")

    def come_back() -> None:
        file.write_text(text + "\n")
        sync_path(graph, project.settings, file)

    once_gone.append(come_back)
    sync_path(graph, project.settings, file.parent)
    (row,) = graph.query("MATCH (j:Job {fqn: 'p'}) RETURN j.withdrawn_at AS at")
    assert row["at"] is None


def test_a_file_that_is_read_first_while_its_folder_is_forgotten_is_not_active(
    graph: Graph, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.state('lg.pipeline("p", tasks=[lg.command("a", ["true"])])')
    new = 'import lineagegraph as lg\nlg.pipeline("q", tasks=[lg.command("a", ["true"])])\n'
    (project.folder / "new.py").write_text(new)
    once_read = calling_after(monkeypatch, parsed_files, "in_groups")
    once_read.append(lambda: forget_path(graph, project.folder))
    with Reader(graph) as daemon:
        read_path(daemon, project.settings, project.folder)
    assert graph.query("MATCH (:DefinitionFile)-[:DECLARES]->(j:Job) RETURN j.fqn") == []


def test_a_folder_is_forgotten_once_a_new_file_of_it_is_written(
    graph: Graph, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.state('lg.pipeline("p", tasks=[lg.command("a", ["true"])])')
    once_claimed = calling_after(monkeypatch, definition_files, "claim_files")
    with ThreadPoolExecutor(1) as threads:
        later: list[Future[list[str]]] = []

        def forget() -> None:
            later.append(threads.submit(forget_path, graph, project.folder))
            await_block(graph, later[0])

        once_claimed.append(forget)
        project.state('lg.pipeline("q", tasks=[lg.command("a", ["true"])])', "new.py")
        assert sorted(later[0].result(120)) == ["p", "q"]
    assert graph.query("MATCH (f:DefinitionFile) RETURN f.path") == []
