"""Definition files on their way into the graph."""

import shutil
import subprocess
from pathlib import Path

import pytest

from lineagegraph.cli.run.sync import sync_path
from lineagegraph.graph import Graph
from lineagegraph.queries.jobs.emits import read_emits
from lineagegraph.settings import Settings

TEXT = """
import lineagegraph as lg
from lineagegraph import on
inner = lg.pipeline("inner", tasks=[lg.command("x", ["true"])])
g = lg.group("g", tasks=[lg.command("a", ["true"]), lg.command("b", ["true"], after="a")])
lg.pipeline("p", tasks=[g, inner.as_task(after=g), lg.command("last", ["true"], after=["inner"])],
            trigger=on.success("q"))
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "etl.py"
    path.write_text(TEXT)
    return path


def counted(graph: Graph) -> dict[str, int]:
    rows = graph.query("MATCH (n) RETURN labels(n)[0] AS label, count(*) AS n ORDER BY label")
    edges = graph.query("MATCH ()-[r]->() RETURN type(r) AS label, count(*) AS n ORDER BY label")
    return {row["label"]: row["n"] for row in (*rows, *edges)}


EMITTING = """
import lineagegraph as lg
inner = lg.pipeline("inner", tasks=[lg.command("x", ["true"], emits={"day": lg.TYPE})])
g = lg.group("g", tasks=[lg.command("a", ["true"], emits={"rows": int, "at": str})])
lg.pipeline("p", tasks=[g, inner, lg.command("last", ["true"])])
"""


def test_what_tasks_declare_to_emit_is_read_from_the_current_version(
    graph: Graph, file: Path, settings: Settings
) -> None:
    for type_ in ("str", "int"):
        file.write_text(EMITTING.replace("lg.TYPE", type_))
        sync_path(graph, settings, file)
    assert [(row.task, row.name, row.type) for row in read_emits(graph, "p")] == [
        ("g.a", "at", "str"),
        ("g.a", "rows", "int"),
        ("inner.x", "day", "int"),
    ]
    assert read_emits(graph, "p.last") == []


def current(graph: Graph) -> str:
    (row,) = graph.query("MATCH (j:Job {fqn: 'p'}) RETURN j.current_version AS hash")
    return row["hash"]


def test_a_definition_becomes_jobs_and_a_version(graph: Graph, file: Path, settings: Settings):
    result = sync_path(graph, settings, file)
    assert [(one.pipeline, one.is_new) for one in result.pipelines] == [
        ("inner", True),
        ("p", True),
    ]
    jobs = graph.query("""
        MATCH (j:Job)<-[:PARENT_OF*0..]-(:Job {fqn: 'p'})
        RETURN j.fqn AS fqn, j.kind AS kind, j.stub AS stub ORDER BY fqn""")
    assert [(row["fqn"], row["kind"], row["stub"]) for row in jobs] == [
        ("p", "pipeline", False),
        ("p.g", "group", False),
        ("p.g.a", "task", False),
        ("p.g.b", "task", False),
        ("p.inner", "pipeline", False),
        ("p.inner.x", "task", False),
        ("p.last", "task", False),
    ]
    order = graph.query("""
        MATCH (:Job {fqn: 'p'})-[:HAS_VERSION]->(v:JobVersion)-[:BUILT_FROM]->(:Source)
        MATCH (v)-[:CONTAINS*]->(a:TaskVersion)-[:BEFORE]->(b:TaskVersion)
        RETURN a.path AS a, b.path AS b ORDER BY a""")
    assert [(row["a"], row["b"]) for row in order] == [
        ("g", "inner"),
        ("g.a", "g.b"),
        ("inner", "last"),
    ]


def test_jobs_are_of_the_application_that_the_settings_name(
    graph: Graph, file: Path, settings: Settings
):
    sync_path(graph, settings.model_copy(update={"application": "shop"}), file)
    found = graph.query(
        "MATCH (j:Job {defined: true}) RETURN DISTINCT j.application AS application"
    )
    assert found == [{"application": "shop"}]


def test_reading_again_adds_nothing(graph: Graph, file: Path, settings: Settings):
    sync_path(graph, settings, file)
    before = counted(graph)
    result = sync_path(graph, settings, file)
    assert not any(one.is_new for one in result.pipelines)
    assert counted(graph) == before


SLOW_GIT = """#!/bin/sh
case "$*" in *status*) echo status >> {root}/asked; sleep 2.1;; esac
exec {git} "$@"
"""


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git here")
def test_a_large_repository_is_asked_once_for_all_files_that_are_read_together(
    graph: Graph, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "etl").mkdir()
    for name in "ab":
        text = f'import lineagegraph as lg\nlg.pipeline("{name}", tasks=[lg.command("x", ["x"])])'
        (tmp_path / f"etl/{name}.py").write_text(text)
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    for words in (("init",), ("add", "."), (*who, "commit", "--message", "first")):
        subprocess.run(["git", *words], cwd=tmp_path / "etl", check=True, capture_output=True)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text(SLOW_GIT.format(root=tmp_path, git=shutil.which("git")))
    (tmp_path / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    assert sync_path(graph, settings, tmp_path / "etl").failures == []
    assert (tmp_path / "asked").read_text() == "status\n"
    commits = graph.query("MATCH (v:JobVersion) RETURN v.git_commit AS commit")
    assert len(commits) == 2
    assert all(row["commit"] for row in commits)


def test_a_known_version_stays_that_version_after_another(
    graph: Graph, file: Path, settings: Settings
):
    sync_path(graph, settings, file)
    first = current(graph)
    file.write_text(TEXT.replace('"last"', '"end"'))
    sync_path(graph, settings, file)
    assert current(graph) != first
    before = counted(graph)
    file.write_text(TEXT)
    sync_path(graph, settings, file)
    assert current(graph) == first
    after = counted(graph)
    # That it is in force again is noted for both pipelines of the file, and nothing else is.
    for noted in ("IN_FORCE", "AuditEntry"):
        assert after.pop(noted) == before.pop(noted) + 2
    assert after == before
