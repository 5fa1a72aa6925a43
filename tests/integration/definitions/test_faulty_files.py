"""Definition files that cannot be used: when they are read again, and by whom."""

import time

from lineagegraph.queries.find.find import find_job
from lineagegraph.reading.refresh import refresh
from tests.project import Project

GOOD = 'lg.pipeline("p", tasks=[lg.command("a", ["true"])])'
BAD = """import lineagegraph as lg
with open("../readings", "a") as readings:
    readings.write("x")
raise ValueError("no")
"""


def write_bad(project):
    (project.folder / "flows.py").write_text(BAD)
    # A file that has just been changed is read once more.
    time.sleep(0.2)


def delay(graph):
    (row,) = graph.query(
        "MATCH (f:DefinitionFile) RETURN duration.inSeconds(f.read_at, f.next_at).seconds AS delay"
    )
    return row["delay"]


def fault_begins(graph, before):
    graph.query(
        "MATCH (d:DefinitionFault) SET d.at = datetime.realtime() - duration($before)",
        {"before": before},
        write=True,
    )


def test_a_fault_that_stays_is_read_again_ever_more_rarely(graph, server, tmp_path):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    write_bad(project)
    delays = []
    for before in ("PT0S", "PT10M", "P7D"):
        fault_begins(graph, before)
        assert project.sync().failures == ["flows.py:4: ValueError: no"]
        delays.append(delay(graph))
    assert delays[0] == 60
    assert 660 <= delays[1] <= 720
    assert delays[2] == 3660
    (project.folder / "flows.py").write_text("import lineagegraph as lg\n" + GOOD)
    assert project.sync().failures == []
    assert delay(graph) is None


def test_a_run_does_not_wait_for_a_faulty_file_that_is_as_it_was(graph, server, tmp_path):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    project.state(GOOD)
    write_bad(project)
    key = find_job(graph, "p").key
    for _ in range(3):
        fault_begins(graph, "P1D")
        graph.query("MATCH (f:DefinitionFile) SET f.next_at = f.read_at", write=True)
        assert refresh(graph, project.settings, key) == ["flows.py:4: ValueError: no"]
    assert (tmp_path / "readings").read_text() == "x"
    assert project.tasks(project.run("p")) == {"a": "COMPLETED"}


def test_an_error_of_a_task_names_the_file_of_the_project(graph, server, tmp_path):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    (project.folder / "steps.py").write_text("def fall():\n    open('/nowhere/x')\n")
    project.state("""
        import steps

        @lg.task
        def fails():
            steps.fall()

        lg.pipeline("p", tasks=[fails])
    """)
    run = project.run("p")
    (row,) = graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(:Run)-[:HAS_FACET]->(f:Facet {name: 'errorMessage'})"
        " RETURN f.body AS body",
        {"id": run},
    )
    assert f'File \\"{project.folder}/steps.py\\", line 2' in row["body"]
    assert f'File \\"{project.folder}/flows.py\\", line 7' in row["body"]
