"""A pipeline that runs as two tasks of another."""

from pathlib import Path

from lineagegraph.cli.show.log_printer import choose_task
from lineagegraph.queries.runs.hierarchy import read_run_tree
from tests.command_line import CommandLine
from tests.project import Project


def test_both_tasks_are_named_and_their_logs_are_apart(graph, server, tmp_path):
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    project.state("""
        @lg.task
        def load(day: int):
            print("loads", day)

        inner = lg.pipeline("inner", tasks=[load], params={"day": 1})
        first = inner.as_task(name="first", params={"day": 7})
        lg.pipeline("outer", tasks=[first, inner.as_task(name="second", after=first)])
    """)
    run = project.run("outer")
    top = read_run_tree(graph, run)
    assert [one.item.label for one in top.children] == [
        "outer.inner as first",
        "outer.inner as second",
    ]
    for task, printed in (("first.load", "loads 7\n"), ("second.load", "loads 1\n")):
        log = Path(choose_task(top, task).item.log)
        assert log.read_text().endswith(printed)
    lineagegraph = CommandLine(server)
    shown = lineagegraph("show", run).stdout
    assert "outer.inner as first" in shown
    assert "outer.inner as second" in shown
