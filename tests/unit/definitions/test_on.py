"""Conditions as definition files state them."""

import re

import pytest

import lineagegraph as lg
from lineagegraph import on
from lineagegraph.errors import DefinitionError
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import And, OnCron, OnDataset, OnStatus, Or


def test_conditions_join_to_a_tree():
    tree = on.success("a") & on.dataset("file", "/x") | on.cron("0  2 * * 1-5", zone="Asia/Dubai")
    assert tree == Or(
        operands=(
            And(
                operands=(
                    OnStatus(job="a", statuses=(RunState.COMPLETED,)),
                    OnDataset(namespace="file", name="/x"),
                )
            ),
            OnCron(cron="0 2 * * 1-5", zone="Asia/Dubai"),
        )
    )


def test_functions_join_conditions_as_operators_do():
    a, b, c = on.success("a"), on.success("b"), on.success("c")
    assert on.all_of(a, b, c) == a & b & c
    assert on.any_of(a, b, c) == a | b | c
    assert on.not_(a) == ~a
    assert on.all_of(a, on.not_(on.any_of(b, c))) == a & ~(b | c)


def test_a_pipeline_handle_names_its_job_with_its_namespace():
    load = lg.pipeline("load", tasks=[lg.command("a", ["true"])], namespace="prod")
    assert on.failure(load) == OnStatus(job="load", statuses=(RunState.FAILED,), namespace="prod")


def test_several_statuses_may_start_something():
    assert on.status("a", "FAILED", RunState.KILLED).statuses == ("FAILED", "KILLED")


WRONG = [
    (
        lambda: on.status("a", "RUNNING"),
        "RUNNING cannot start a job, as a run in progress may",
    ),
    (lambda: on.status("a", "DONE"), "DONE is not a status"),
    (lambda: on.status("a"), "needs one of"),
    (lambda: on.status("a", "INITIALIZING"), "INITIALIZING cannot start a job"),
    (lambda: on.status("a", "FRESH_SKIP"), "FRESH_SKIP is not an end that can start a job"),
    (lambda: on.all_of("a"), "'a' is not a condition"),
    (lambda: on.any_of("a"), "'a' is not a condition"),
    (lambda: on.not_("a"), "'a' is not a condition"),
    (lambda: on.every("often"), "every 'often' is not a duration"),
    (lambda: on.event(""), "an event's name must be text"),
    (lambda: on.success(""), "is empty"),
    (lambda: on.dataset("file", ""), "a dataset's name must be text"),
    (lambda: on.cron("* * * *"), "must have five fields"),
    (lambda: on.cron("0 0 * * * *"), "must have five fields"),
    (lambda: on.cron("61 * * * *"), "Bad minute"),
    (lambda: on.cron("0 0 30 2 *"), "Bad day-of-month"),
    (lambda: on.cron("0 2 * * *", zone="Mars/Base"), "'Mars/Base' is not a time zone"),
    (lambda: on.cron("0 2 * * *", zone="../etc"), "'../etc' is not a time zone"),
]


@pytest.mark.parametrize(("make", "says"), WRONG, ids=[says for _, says in WRONG])
def test_what_cannot_start_anything_is_refused(make, says):
    with pytest.raises(DefinitionError, match=re.escape(says)) as error:
        make()
    assert re.search(r"test_on\.py:\d+: ", str(error.value))
