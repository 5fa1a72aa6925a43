"""Two checkouts of one pipeline: neither overrides the other silently."""

import shutil

import pytest

from tests.project import Project

TEXT = """
lg.pipeline("p", tasks=[lg.command("a", ["echo", "{word}"])])
"""
ACTIVE = (
    "MATCH (f:DefinitionFile)-[:DECLARES]->(j:Job {fqn: 'p'})"
    " RETURN f.root AS root, f.host AS host, j.current_version AS version"
)


def write(project, word):
    (project.folder / "flows.py").write_text("import lineagegraph as lg" + TEXT.format(word=word))


@pytest.fixture
def first(graph, server, tmp_path):
    project = Project(tmp_path / "first", graph, tmp_path / "home")
    write(project, "one")
    assert project.sync().failures == []
    return project


@pytest.fixture
def second(graph, server, tmp_path, first):
    return Project(tmp_path / "second", graph, tmp_path / "home")


def test_a_second_checkout_with_another_version_is_a_fault_that_names_both(first, second):
    (before,) = first.graph.query(ACTIVE)
    write(second, "two")
    (fault,) = second.sync().failures
    assert fault.startswith("flows.py:2: pipeline p is defined by ")
    assert str(first.folder / "flows.py:2") in fault
    assert "lineagegraph sync --take" in fault
    assert first.graph.query(ACTIVE) == [before]


def test_it_is_taken_when_that_is_asked_for_and_the_first_is_the_fault_then(first, second):
    write(second, "two")
    assert second.sync(take=True).failures == []
    (taken,) = first.graph.query(ACTIVE)
    assert taken["root"] == str(second.folder)
    (fault,) = first.sync().failures
    assert str(second.folder) in fault
    assert first.graph.query(ACTIVE) == [taken]


def test_equal_checkouts_and_one_that_has_moved_are_no_fault(first, second):
    write(second, "one")
    assert second.sync().failures == []
    write(second, "two")
    assert second.sync().failures == []
    shutil.rmtree(second.folder)
    write(first, "three")
    assert first.sync().failures == []


def test_a_checkout_on_another_host_counts_while_a_daemon_lives_there(first, graph):
    graph.query("MATCH (f:DefinitionFile) SET f.host = 'elsewhere', f.key = 'k'", write=True)
    write(first, "two")
    daemon = "CREATE (:Process {id: 'd', kind: 'daemon', host: 'elsewhere', pid: 1,"
    daemon += " started_at: datetime.realtime(), heartbeat_at: datetime.realtime()})"
    graph.query(daemon, write=True)
    (fault,) = first.sync().failures
    assert "on host elsewhere" in fault
    graph.query("MATCH (p:Process {id: 'd'}) DELETE p", write=True)
    assert first.sync().failures == []
