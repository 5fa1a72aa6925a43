"""Runs whose tasks add tasks: what of them runs again, and how they look afterwards."""

import pytest

from lineagegraph.admin.variables import set_variable
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.queries.versions.as_was import read_as_was
from lineagegraph.reruns.plan import plan_rerun

NESTED = """
OUT = "FOLDER"

def note(text):
    with open(f"{OUT}/log", "a") as log:
        log.write(text + " ")

def part(n, m):
    note(f"{n}/{m}")
    if (n, m) == (2, 1) and not lg.variable("whole", default=False):
        raise ValueError("broken")

def load(n):
    note(str(n))
    lg.expand(part, n=[n] * n, m=list(range(n)))

@lg.task
def find():
    note("find")
    lg.expand(load, n=list(range(1, 1 + lg.variable("loads", default=2))))

last = lg.task(lambda: note("last"), name="last", after=find)
lg.pipeline("nested", tasks=[find, last], concurrency=1)
"""


LOCKED = """
from threading import Lock

@lg.task
def add():
    lock = Lock()
    lg.expand(lambda part: lock, name="locked", part=["b"])

lg.pipeline("locking", tasks=[add])
"""


@pytest.fixture
def out(project):
    folder = project.folder.parent / "out"
    folder.mkdir()
    project.state(NESTED.replace("FOLDER", str(folder)))
    return folder


def ran(out):
    """Return what ran since the last look."""
    text = (out / "log").read_text()
    (out / "log").unlink()
    return text.split()


def paths(graph, run_id):
    return sorted(task.path for task in read_as_was(graph, run_id).tasks)


def test_what_failed_of_tasks_that_added_tasks_runs_again_without_those(project, out):
    run = project.run("nested")
    assert ran(out) == ["find", "1", "2", "1/0", "2/0", "2/1"]
    set_variable(project.graph, "whole", True)
    again = project.rerun(run, policy="latest", from_failed=True)
    assert ran(out) == ["2/1", "last"]
    assert project.tasks(again)["last"] == "COMPLETED"
    with_added = ["find", "last", "load", "load.0", "load.0.part", "load.0.part.0", "load.1"]
    with_added += ["load.1.part", "load.1.part.0", "load.1.part.1"]
    assert paths(project.graph, run) == paths(project.graph, again) == sorted(with_added)
    was = {task.path: task for task in read_as_was(project.graph, run).tasks}
    assert (was["load.1.part.1"].state, was["load.1.part.1"].values) == ("FAILED", {"n": 2, "m": 1})
    assert set(was["last"].after) == {"find", "load"}


def test_a_task_that_added_tasks_adds_what_there_is_now_when_it_runs_again(project, out):
    set_variable(project.graph, "whole", True)
    run = project.run("nested")
    ran(out)
    set_variable(project.graph, "loads", 1)
    asked = RerunRequest(run=run, policy="latest", from_task="load.1")
    chosen = plan_rerun(project.graph, project.settings, asked).tasks
    assert "load.1" in chosen
    project.rerun(run, policy="latest", from_task="load.1")
    assert ran(out) == ["2", "2/0", "2/1", "last"]
    project.rerun(run, policy="latest")
    assert ran(out) == ["find", "1", "1/0", "last"]
    project.rerun(run, policy="as_was")
    assert ran(out) == ["find", "1", "2", "1/0", "2/0", "2/1", "last"]


def test_an_added_function_that_is_only_in_memory_cannot_run_alone(project):
    """So it is where tasks share the memory of their run, as in a notebook."""
    project.state(LOCKED)
    run = project.run("locking")
    assert project.tasks(run)["0"] == "COMPLETED"
    again = project.rerun(run, policy="latest", from_task="locked.0")
    assert project.tasks(again)["0"] == "FAILED"
    log = project.settings.home / "logs" / again / "locked.0.log"
    assert "run the task that added it instead" in log.read_text()
