"""Rules about the ends of tasks before a task, branches and teardowns, as a file states them."""

import pytest

import lineagegraph as lg
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.when import When


@lg.task
def load(): ...


@lg.branch
def pick():
    return "report"


def after(task, **options):
    return lg.task(lambda: None, name="report", after=task, **options)


def define(*tasks):
    return lg.pipeline("p", tasks=tasks).definition.tasks


def test_the_rules_are_part_of_the_definition():
    inner = lg.pipeline("inner", tasks=[load])
    stated = define(
        load,
        after(load, when="one_failed", retry_backoff=1, retry_jitter=0, max_retry_delay="5m"),
        lg.command("drop", ["rm", "x"], after=load, teardown=True),
        lg.group("all", tasks=[load], after=load, when="all_done"),
        inner.as_task(after=load, when="none_failed"),
    )
    assert [(task.name, task.when) for task in stated] == [
        ("load", When.ALL_SUCCESS),
        ("report", When.ONE_FAILED),
        ("drop", When.ALL_DONE),
        ("all", When.ALL_DONE),
        ("inner", When.NONE_FAILED),
    ]
    assert [task.teardown for task in stated] == [False, False, True, False, False]
    report = stated[1]
    assert (report.retry_backoff, report.retry_jitter, report.max_retry_delay) == (1, 0, 300)


def test_a_branch_is_a_function_that_can_be_called():
    stated = define(pick, after(pick))
    assert pick() == "report"
    assert stated[0].work.branches
    assert lg.branch(name="choose", retries=2)(lambda: None).retries == 2


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (
            lambda: define(load, after(load, when="sometimes")),
            "when='sometimes' must be one of all",
        ),
        (lambda: define(after(None, when="all_done")), "when is about the tasks before it"),
        (lambda: define(after(None, teardown=True)), "teardown is about the tasks before it"),
        (lambda: after(load, teardown=1), "teardown=1 must be True or False"),
        (lambda: define(load, after(load, teardown=True, when="all_failed")), "leave out when"),
        (lambda: define(pick, load), "branch pick has nothing to choose from"),
        (lambda: lg.batch("b", tasks=[load, after(load, when="all_done")]), "when is not for"),
        (lambda: lg.batch("b", tasks=[load, after(load, teardown=True)]), "teardown is not for"),
        (
            lambda: lg.batch("b", tasks=[pick, after(pick)]),
            "branch is not for the tasks of a batch",
        ),
        (lambda: after(load, retry_backoff=0.5), "retry_backoff=0.5 must be a number from 1"),
        (lambda: after(load, retry_jitter=-1), "retry_jitter=-1 must be a number from 0"),
        (lambda: after(load, retry_jitter="half"), "retry_jitter='half' must be a number from 0"),
        (lambda: after(load, retry_backoff=float("inf")), "retry_backoff=inf must be a number"),
        (lambda: after(load, max_retry_delay="soon"), "max_retry_delay='soon' is not a duration"),
    ],
)
def test_what_cannot_hold_is_refused_with_its_line(make, why):
    with pytest.raises(DefinitionError, match=f"test_when.py.*{why}"):
        make()
