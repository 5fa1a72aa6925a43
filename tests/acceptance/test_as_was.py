"""Runs of real workers are seen as they were, after their definition and its data have changed."""

from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.runs.runs import read_runs
from lineagegraph.queries.versions.as_was import read_as_was
from lineagegraph.queries.versions.run_diff import diff_runs_whole
from lineagegraph.settings import Settings
from tests.acceptance.processes import Commands, shared

WEEKLY = """
from pathlib import Path
import lineagegraph as lg

DAY = Path(__file__).with_name("day.txt").read_text()
CLIENT = lg.variable("client", default="acme")

@lg.task
def a(day: str):
    print(day, lg.variable("rate", default=1))

tasks = [a, lg.command("b", ["true"], after="a"), lg.command("c", ["true"], after="b")]
if DAY == "Friday":
    tasks.append(lg.command("eow", ["true"], after="c"))

lg.pipeline("weekly", tasks=tasks, params={"day": DAY}, spark={"spark.ui.enabled": "false"})
"""


def test_the_run_of_a_wednesday_and_that_of_a_friday_are_each_seen_from_the_other_day(
    graph: Graph, server: ServerAddress, settings: Settings, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    commands = Commands(project, shared(server, tmp_path / "home"))

    def do(*words: str) -> None:
        done = commands(*words)
        assert done.returncode == 0, (done.stdout, done.stderr)

    (project / "weekly.py").write_text(WEEKLY)
    for day in ("Wednesday", "Friday"):
        (project / "day.txt").write_text(day)
        do("sync", "weekly.py")
        do("run", "weekly")
    friday, wednesday = (run.id for run in read_runs(graph, "weekly"))
    (project / "day.txt").write_text("Wednesday")
    do("sync", "weekly.py")

    found = read_as_was(graph, wednesday)
    assert [(task.name, task.state) for task in found.tasks] == [
        (name, "COMPLETED") for name in ("a", "b", "c")
    ]
    assert not any(task.is_removed for task in found.tasks)
    assert found.params == {"day": "Wednesday"}
    assert sorted(found.variables) == ["client", "rate"]
    assert found.spark == {"spark.ui.enabled": "false"}
    assert found.environment is not None
    assert "lineagegraph" in [package.name for package in found.environment.packages]
    assert found.version is not None
    assert found.version.files == ("day.txt", "weekly.py")
    assert found.missing == ()

    later = read_as_was(graph, friday)
    assert [task.name for task in later.tasks] == ["a", "b", "c", "eow"]
    assert [task.name for task in later.tasks if task.is_removed] == ["eow"]
    assert (later.tasks[3].after, later.tasks[3].state) == (("c",), "COMPLETED")

    compared = diff_runs_whole(graph, settings, wednesday, friday).versions
    assert compared is not None
    assert [part.name for part in compared.definition.tasks] == ["eow"]
    (file,) = compared.files
    assert file.lines[-2:] == ("-Wednesday", "+Friday")
