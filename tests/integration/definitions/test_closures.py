"""Edits of a file with several pipelines: who has a new version, and what its runs execute."""

from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.model.names.named_values import values_of
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.versions.as_was import read_as_was
from lineagegraph.queries.versions.history import read_versions
from lineagegraph.store.admin.retention import delete_archives
from tests.project import Project

FLOWS = """
import lib

@lg.task(name="load")
def load_a():
    lg.emit(value=lib.number(1))

@lg.task(name="load")
def load_b():
    lg.emit(value=lib.other(2))

lg.pipeline("a", tasks=[load_a])
lg.pipeline("b", tasks=[load_b])
"""
LIBRARY = "def number(x):\n    return x + 10\n\ndef other(x):\n    return x + 20\n"


def new_versions(project: Project) -> set[str]:
    return {one.pipeline for one in project.sync().pipelines if one.is_new}


def emitted(project: Project, job: str) -> int:
    run = project.run(job)
    (row,) = project.graph.query("MATCH (r:Run {id: $id}) RETURN r.emitted AS text", {"id": run})
    value: int = values_of(row["text"])["load"]["value"]
    return value


def test_an_edit_makes_a_version_of_the_pipeline_that_it_reaches(graph, server, tmp_path: Path):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    library, flows = project.folder / "lib.py", project.folder / "flows.py"
    library.write_text(LIBRARY)
    project.state(FLOWS)
    assert (emitted(project, "a"), emitted(project, "b")) == (11, 22)

    library.write_text(LIBRARY.replace("+ 20", "+ 30"))
    assert new_versions(project) == {"b"}
    assert (emitted(project, "a"), emitted(project, "b")) == (11, 32)

    flows.write_text(flows.read_text().replace("number(1)", "number(5)"))
    assert new_versions(project) == {"a"}
    assert (emitted(project, "a"), emitted(project, "b")) == (15, 32)

    flows.write_text(f"X = 1\n{flows.read_text()}")
    assert new_versions(project) == {"a", "b"}


def test_a_known_version_has_the_files_of_its_last_reading(graph, server, tmp_path: Path):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    (project.folder / "lib.py").write_text(LIBRARY)
    project.state(FLOWS)
    project.state(FLOWS.replace("other(2)", "other(3)"))
    rows = graph.query(
        'MATCH (v:JobVersion)-[:BUILT_FROM]->(s:Source) WHERE v.definition CONTAINS \'"name":"a"\''
        " RETURN v.hash AS version, s.sha256 AS source"
    )
    assert len(rows) == 1
    (current,) = graph.query(
        "MATCH (:Job {fqn: 'b'})-[f:IN_FORCE]->(v)-[:BUILT_FROM]->(s) WHERE f.until IS NULL"
        " RETURN s.sha256 AS source"
    )
    assert rows[0]["source"] == current["source"]


def test_a_version_says_what_its_code_hash_covers(graph, server, tmp_path: Path):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    (project.folder / "lib.py").write_text(LIBRARY)
    project.state(FLOWS.replace("lib.other(2)", "eval('2')"))
    covers = {job: read_versions(graph, find_job(graph, job).key)[0].covers for job in ("a", "b")}
    assert covers == {
        "a": "own closure",
        "b": "whole files, because flows.py:11 uses eval",
    }


def test_a_run_is_as_it_was_though_its_version_has_other_files_now(graph, server, tmp_path: Path):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    (project.folder / "lib.py").write_text(LIBRARY)
    project.state(FLOWS)
    first = project.run("a")
    before = read_as_was(graph, first).version
    project.state(FLOWS.replace("other(2)", "other(3)"))
    second, again = project.run("a"), project.rerun(first, policy="as_was")

    sources = {run: source_of(graph, run) for run in (first, second, again)}
    assert sources[again] == sources[first] != sources[second]
    assert read_as_was(graph, first).version == before
    kept = graph.write(delete_archives, after="", limit=10, pinned=[], dry_run=True)
    assert kept == []


def test_files_that_no_run_began_with_go_once_their_version_has_others(
    graph, server, tmp_path: Path
):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    (project.folder / "lib.py").write_text(LIBRARY)
    project.state(FLOWS)
    (old,) = graph.query("MATCH (s:Source) RETURN s.sha256 AS sha256")
    project.state(f"{FLOWS}\n# a note\n")
    assert graph.write(delete_archives, after="", limit=10, pinned=[], dry_run=False) == [
        old["sha256"]
    ]


def source_of(graph: Graph, run: str) -> str:
    (row,) = graph.query("MATCH (r:Run {id: $id}) RETURN r.source AS source", {"id": run})
    return str(row["source"])
