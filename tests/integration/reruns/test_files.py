"""Exact reruns compare the files that a run read, and the files that both wrote."""

import os

import pytest

from lineagegraph.errors import RerunRefused
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.queries.runs.run_facts import list_facts
from lineagegraph.queries.runs.runs import read_run
from lineagegraph.reruns.files import compare_outputs
from lineagegraph.reruns.plan import plan_rerun

READING = """
from pathlib import Path

@lg.task
def load():
    lake = Path({lake!r})
    text = "".join(file.read_text() for file in sorted(lake.glob("in/*/*.csv")))
    config = open("config.ini").read()
    (lake / "out.csv").write_text(text + config{more})

@lg.task(after="load")
def report():
    Path({lake!r}, "report.txt").write_text(Path({lake!r}, "out.csv").read_text())

lg.pipeline("daily", tasks=[load, report])
"""


@pytest.fixture
def lake(project, tmp_path):
    """A lake with two days, which a run of `daily` reads without Spark."""
    lake = tmp_path / "lake"
    for day in ("1", "2"):
        (lake / "in" / day).mkdir(parents=True)
        (lake / "in" / day / "data.csv").write_text(f"{day},old\n")
    (project.folder / "config.ini").write_text("rate=1")
    project.state(READING.format(lake=str(lake), more=""))
    return lake


def test_data_that_changed_in_place_is_refused_until_it_is_as_it_was(project, lake):
    run = project.run("daily")
    file = lake / "in" / "2" / "data.csv"
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    file.write_text("2,new\n")
    os.utime(file, ns=times)
    with pytest.raises(RerunRefused, match=rf"file:{file} has changed since the run read it"):
        project.rerun(run, policy="as_was")
    file.write_text("2,old\n")
    again = project.rerun(run, policy="as_was")
    assert project.tasks(again) == {"load": "COMPLETED", "report": "COMPLETED"}


def test_a_relative_file_that_a_task_opened_counts(project, lake):
    run = project.run("daily")
    (project.folder / "config.ini").write_text("rate=2")
    with pytest.raises(RerunRefused, match=r"config.ini has changed since the run read it"):
        project.rerun(run, policy="as_was")
    (project.folder / "config.ini").unlink()
    with pytest.raises(RerunRefused, match=r"config.ini no longer exists"):
        project.rerun(run, policy="as_was")
    assert project.rerun(run, policy="as_was", allow=["inputs"])


def test_what_the_run_wrote_itself_may_be_gone(project, lake):
    run = project.run("daily")
    (lake / "out.csv").write_text("edited")
    plan = plan_rerun(project.graph, project.settings, RerunRequest(run=run, policy="as_was"))
    assert (plan.missing, plan.differences) == ((), ())


def test_a_rerun_proves_itself_or_names_what_differs(project, lake):
    run = project.run("daily")
    same = project.rerun(run, policy="as_was")
    outputs = [str(lake / name) for name in ("out.csv", "report.txt")]
    assert project.graph.read(compare_outputs, run, same) == dict.fromkeys(outputs, "same")
    project.state(READING.format(lake=str(lake), more=" + 'more'"))
    other = project.rerun(run, policy="latest")
    assert project.graph.read(compare_outputs, run, other) == dict.fromkeys(outputs, "differs in")
    facts = dict(list_facts(read_run(project.graph, same)))
    assert facts["outputs"] == "reproduced 2 of 2"
    facts = dict(list_facts(read_run(project.graph, other)))
    assert facts["outputs"] == f"reproduced 0 of 2; differs in {', '.join(outputs)}"
