"""Exact reruns see through links, moves, names that are not UTF-8, and many files."""

import os

import pytest

from lineagegraph.errors import RerunRefused
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.reruns.plan import plan_rerun

READING = """
import os
from pathlib import Path

LAKE = Path({lake!r})

@lg.task
def load():
    text = (LAKE / "current" / "data.csv").read_text() + (LAKE / "link.csv").read_text()
    (LAKE / "out.tmp").write_text(text)
    (LAKE / "out.tmp").replace(LAKE / "out.csv")
    (LAKE / "next").symlink_to("v1")
    (LAKE / "next").replace(LAKE / "published")

@lg.task(after="load")
def report():
    print((LAKE / "out.csv").read_text(), (LAKE / "published" / "data.csv").read_text())
    print(open(os.fsencode(LAKE) + b"/caf\\xe9.csv").read())

lg.pipeline("daily", tasks=[load, report])
"""


@pytest.fixture
def lake(project, tmp_path):
    """A lake with two versions of the data, of which links name the first."""
    lake = tmp_path / "lake"
    for version in ("v1", "v2"):
        (lake / version).mkdir(parents=True)
        (lake / version / "data.csv").write_text(version)
    (lake / "current").symlink_to("v1")
    (lake / "link.csv").symlink_to("v1/data.csv")
    latin(lake).write_text("black")
    project.state(READING.format(lake=str(lake)))
    return lake


MANY = """
from pathlib import Path

@lg.task
def load():
    for number in range(1_001):
        Path({lake!r}, f"{{number}}.txt").read_text()

lg.pipeline("many", tasks=[load])
"""


def latin(lake):
    return lake / os.fsdecode(b"caf\xe9.csv")


@pytest.mark.parametrize(
    ("link", "other", "opened"),
    [("current", "v2", "current/data.csv"), ("link.csv", "v2/data.csv", "link.csv")],
)
def test_a_link_that_leads_to_other_data_is_noticed(project, lake, link, other, opened):
    run = project.run("daily")
    was = (lake / link).readlink()
    (lake / link).unlink()
    (lake / link).symlink_to(other)
    with pytest.raises(RerunRefused, match=rf"file:{lake}/{opened} has changed since the run"):
        project.rerun(run, policy="as_was")
    (lake / link).unlink()
    (lake / link).symlink_to(was)
    again = project.rerun(run, policy="as_was")
    assert project.tasks(again) == {"load": "COMPLETED", "report": "COMPLETED"}


def test_what_a_run_moved_into_its_place_may_be_gone(project, lake):
    run = project.run("daily")
    (lake / "out.csv").unlink()
    (lake / "published").unlink()
    again = project.rerun(run, policy="as_was")
    assert project.tasks(again) == {"load": "COMPLETED", "report": "COMPLETED"}
    assert (lake / "out.csv").read_text() == "v1v1"


def test_a_file_whose_name_is_not_utf8_is_compared(project, lake):
    run = project.run("daily")
    assert project.tasks(run) == {"load": "COMPLETED", "report": "COMPLETED"}
    latin(lake).write_text("white")
    with pytest.raises(RerunRefused, match=r"caf\\udce9.csv has changed since the run read it"):
        project.rerun(run, policy="as_was")
    latin(lake).write_text("black")
    assert project.rerun(run, policy="as_was")


def test_of_many_files_the_first_thousand_are_compared_and_the_others_said(project, tmp_path):
    for number in range(1_001):
        (tmp_path / f"{number}.txt").write_text("old")
    project.state(MANY.format(lake=str(tmp_path)))
    run = project.run("many")
    (tmp_path / "1000.txt").write_text("new")
    plan = plan_rerun(project.graph, project.settings, RerunRequest(run=run, policy="as_was"))
    (difference,) = plan.differences
    assert difference.name == "files after the first 1,000 of a task"
    assert str(difference.after).startswith("not compared")
    (tmp_path / "999.txt").write_text("new")
    with pytest.raises(RerunRefused, match=r"/999.txt has changed"):
        project.rerun(run, policy="as_was")
