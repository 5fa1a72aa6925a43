"""A run that pokes its sensors itself, in the process of whoever started it."""

import threading
from pathlib import Path

from lineagegraph.graph import Graph
from tests.acceptance.processes import until
from tests.project import Project

TEXT = """
lg.pipeline("daily", tasks=[lg.sensor("file", "arrives", path={path!r})])
"""


def count_threads(name: str) -> int:
    return [thread.name for thread in threading.enumerate()].count(name)


def test_no_thread_of_it_is_left_when_it_is_over(graph: Graph, tmp_path: Path) -> None:
    project = Project(tmp_path / "etl", graph, tmp_path / "home", smart_sensors=False)
    file = tmp_path / "flag"
    file.write_text("here")
    project.state(TEXT.format(path=str(file)))
    run = project.run("daily")
    assert project.tasks(run) == {"arrives": "COMPLETED"}
    until(lambda: count_threads("pokes") == 0, seconds=5)
