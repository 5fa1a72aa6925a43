from datetime import date

import pytest

from lineagegraph.errors import RunError
from lineagegraph.execution.emit import LIMIT, emit
from lineagegraph.model.pipelines.definition import Emit
from lineagegraph.model.runs.states import RunState

COMPLETED = RunState.COMPLETED


def test_a_tasks_values_are_on_its_run_and_under_its_name_on_the_pipelines(bench):
    bench.run(
        bench.task(lambda: emit(rows=3, names=("a", "b")), name="a"),
        bench.group("g", bench.task(lambda: emit(ok=True), name="b")),
        bench.task(lambda: None, name="silent"),
    )
    assert bench.own("p.a", "COMPLETE")["emitted"] == {"rows": 3, "names": ["a", "b"]}
    assert bench.own("p", "COMPLETE")["emitted"] == {
        "a": {"rows": 3, "names": ["a", "b"]},
        "g.b": {"ok": True},
    }


def test_a_value_is_kept_as_it_was_when_it_was_emitted(bench):
    def late():
        rows = [1]
        emit(rows=rows, n=1)
        rows.append(2)
        emit(n=2)

    bench.run(bench.task(late))
    assert bench.own("p.late", "COMPLETE")["emitted"] == {"rows": [1], "n": 2}


def test_a_task_that_fails_hands_on_what_it_emitted_before(bench):
    def doomed():
        emit(key="value")
        raise ValueError

    bench.run(bench.task(doomed))
    assert bench.own("p.doomed", "FAIL")["emitted"] == {"key": "value"}
    assert bench.own("p", "FAIL")["emitted"] == {"doomed": {"key": "value"}}


def test_an_attempt_that_is_repeated_leaves_no_values(bench):
    tries = []

    def flaky():
        tries.append(1)
        emit(**{f"try{len(tries)}": 1})
        if len(tries) == 1:
            raise ValueError

    bench.run(bench.task(flaky, retries=1))
    assert bench.own("p.flaky", "COMPLETE")["emitted"] == {"try2": 1}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"x": object()}, "'x' is not JSON"),
        ({"x": float("nan")}, "'x' is not JSON"),
        ({"x": [2**64]}, "'x' is not JSON: integers have at most 64 bits, got [1844674407"),
        ({"x": "caf\udce9"}, r"'x' is not JSON: text has to be Unicode, got 'caf\udce9'"),
        ({"not a name": 1}, "'not a name' must be an identifier"),
        ({"_x": 1}, "'_x' must be an identifier"),
        ({"x": "y" * LIMIT}, "at most 65536 are kept"),
    ],
)
def test_a_value_that_cannot_be_kept_fails_the_task_with_a_clear_line(bench, values, message):
    assert bench.run(bench.task(lambda: emit(**values), name="t")) is RunState.FAILED
    assert message in bench.event("p.t", "FAIL")["run"]["facets"]["errorMessage"]["message"]


EMITS = tuple(
    Emit(name=f"a_{name}", type=name) for name in ("int", "float", "date", "datetime", "list")
)


def test_declared_values_are_kept_as_json_and_those_not_emitted_are_absent(bench):
    day = date(2030, 1, 31)
    values = {"a_int": 3, "a_date": day, "a_datetime": "2030-01-31T12:00:00Z", "a_list": (1, 2)}
    assert bench.run(bench.task(lambda: emit(**values), name="t", emits=EMITS)) is COMPLETED
    assert bench.own("p.t", "COMPLETE")["emitted"] == {
        "a_int": 3,
        "a_date": "2030-01-31",
        "a_datetime": "2030-01-31T12:00:00+00:00",
        "a_list": [1, 2],
    }


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"b": 1}, "emitted name 'b' is not declared by the task, which declares: a_int, a_float,"),
        ({"a_int": "3"}, "emitted value 'a_int': expected int, got '3'"),
        ({"a_int": True}, "emitted value 'a_int': expected int, got True"),
        ({"a_int": None}, "emitted value 'a_int': expected int, got None"),
        ({"a_float": float("inf")}, "emitted value 'a_float' is not JSON"),
        ({"a_date": "31.1.2030"}, "emitted value 'a_date': expected date, got '31.1.2030'"),
        ({"a_list": {}}, "emitted value 'a_list': expected list, got {}"),
    ],
)
def test_another_name_or_type_than_was_declared_fails_the_task(bench, values, message):
    assert bench.run(bench.task(lambda: emit(**values), name="t", emits=EMITS)) is RunState.FAILED
    assert message in bench.event("p.t", "FAIL")["run"]["facets"]["errorMessage"]["message"]


def test_a_task_that_declares_nothing_to_emit_may_emit_nothing(bench):
    assert bench.run(bench.task(lambda: emit(x=1), name="t", emits=())) is RunState.FAILED
    error = bench.event("p.t", "FAIL")["run"]["facets"]["errorMessage"]
    assert "is not declared by the task, which declares: none" in error["message"]


def test_the_limit_is_for_all_values_of_a_task_together(bench):
    def much():
        for i in range(20):
            emit(**{f"v{i}": "y" * 4000})

    assert bench.run(bench.task(much)) is RunState.FAILED


def test_emitting_outside_a_task_is_refused():
    with pytest.raises(RunError, match="outside a task"):
        emit(rows=1)
