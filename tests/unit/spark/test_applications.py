"""Whose an execution is."""

import pytest

from lineagegraph.model.runs.ids import new_id
from lineagegraph.spark.applications import Applications, tag_of
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.run_events import ApplicationRun, Engine


def context():
    return TaskContext(new_id(), "ns", "p.t", new_id(), "ns", "p")


@pytest.fixture
def applications():
    engine = Engine("4.2.1", "local-1", "local[2]")
    return Applications(lambda task: ApplicationRun(new_id(), "ns", "spark", engine, task))


def test_a_tag_beats_all_else(applications):
    one, two = context(), context()
    applications.open(one)
    applications.open(two)
    run, is_new = applications.attribute({"other", tag_of(one.run_id)})
    assert (run.context, is_new) == (one, True)
    assert applications.attribute({tag_of(one.run_id)}) == (run, False)


def test_the_innermost_of_several_tags_counts(applications):
    outer, inner = context(), context()
    applications.open(outer)
    applications.open(inner)
    run, _ = applications.attribute({tag_of(outer.run_id), tag_of(inner.run_id)})
    assert run.context == inner


def test_untagged_work_is_the_only_open_task_s(applications):
    only = context()
    applications.open(only)
    assert applications.attribute(set())[0].context == only


def test_untagged_work_is_nobody_s_while_several_tasks_are_open(applications):
    applications.open(context())
    applications.open(context())
    assert applications.attribute(set())[0].context is None


def test_an_application_ends_once_and_late_work_stays_under_it(applications):
    task = context()
    applications.open(task)
    run, _ = applications.attribute({tag_of(task.run_id)})
    assert applications.close(task.run_id) == run
    assert applications.close(task.run_id) is None
    assert applications.attribute({tag_of(task.run_id)}) == (run, False)
    assert applications.close_all() == []


def test_a_retry_has_an_application_of_its_own(applications):
    task = context()
    applications.open(task)
    first, _ = applications.attribute({tag_of(task.run_id)})
    assert applications.close(task.run_id) == first
    applications.open(task)
    second, is_new = applications.attribute({tag_of(task.run_id)})
    assert (second != first, is_new) == (True, True)
    assert applications.close(task.run_id) == second


def test_a_task_without_work_has_no_application(applications):
    task = context()
    applications.open(task)
    assert applications.close(task.run_id) is None
