"""Tasks that defer to a sensor: they wait at a gate, and begin again with the answer."""

import asyncio

import pytest

from lineagegraph.authoring.sensors import sensor
from lineagegraph.errors import RunError
from lineagegraph.execution.defer import defer
from lineagegraph.execution.gate import Parked
from lineagegraph.model.freshness.terms import TODAY
from lineagegraph.model.pipelines.entry import End, Start, Waits
from lineagegraph.model.pipelines.when import When
from lineagegraph.model.runs.deferral import DeferralAnswer
from lineagegraph.model.runs.states import RunState
from tests.unit.execution.conftest import ScriptedGate


class AnsweringGate(ScriptedGate):
    """A gate that answers each deferral once it was asked for it, and settles at once."""

    def __init__(self, state=RunState.COMPLETED):
        super().__init__()
        self.state = state
        self.deferred = []
        self.settle()

    def defer(self, step, deferral):
        self.deferred.append(deferral)
        answer = DeferralAnswer(
            asked=deferral.asked, state=self.state, message="found", values={"n": len(step.answers)}
        )
        self.told.append(f"{step.name} defers")
        self.answers[step.name] = [Waits("WAITS_FOR_SENSOR", deferral.text, ()), Start(0)]
        step.answers.append(answer)


A, B = (sensor("file", path=f"/data/{name}", timeout="1h") for name in "ab")


@pytest.fixture
def opened(bench):
    """Open a gate only when a task defers, and keep it in `opened`."""
    gates = []

    def late():
        gates.append(AnsweringGate())
        return gates[-1]

    bench.late_gate = late
    return gates


def test_a_task_is_called_again_with_each_answer_in_turn(bench, opened):
    seen = []

    def load():
        seen.append("begin")
        seen.append(defer(A).values)
        seen.append(defer(B).values)

    assert bench.run(bench.task(load), bench.task(lambda: None, name="b", after=("load",))) == (
        RunState.COMPLETED
    )
    first, second = {"n": 0}, {"n": 1}
    assert seen == ["begin", "begin", first, "begin", first, second]
    assert len(opened) == 1
    assert [one.text for one in opened[0].deferred] == ["file /data/a", "file /data/b"]
    assert [one.terms.timeout for one in opened[0].deferred] == [3600, 3600]
    assert bench.story == [
        "p START",
        *("p.load START", "p.load OTHER") * 2,
        *("p.load START", "p.load COMPLETE", "p.b START", "p.b COMPLETE", "p COMPLETE"),
    ]


def test_a_job_is_looked_for_in_the_namespace_of_the_task(bench, opened):
    load = sensor("run", job="load")
    assert bench.run(bench.task(lambda: defer(load))) is RunState.COMPLETED
    assert '"namespace":"ns"' in opened[0].deferred[0].fields


def test_other_tasks_have_the_place_of_a_deferred_one(bench, opened):
    seen = []

    def load():
        defer(A)
        seen.append("load")

    def other():
        seen.append("other")

    assert bench.run(bench.task(load), bench.task(other), concurrency=1) is RunState.COMPLETED
    assert sorted(seen) == ["load", "other"]


def test_an_answer_after_a_soft_timeout_is_false(bench):
    seen = []

    def load():
        seen.append(bool(defer(A)))

    bench.late_gate = lambda: AnsweringGate(RunState.SKIPPED)
    assert bench.run(bench.task(load)) is RunState.COMPLETED
    assert seen == [False]


def test_a_retry_has_the_answers_and_does_not_wait_again(bench, opened):
    tries = []

    def load():
        defer(A)
        tries.append("try")
        if len(tries) == 1:
            raise ValueError("no")

    assert bench.run(bench.task(load, retries=1, retry_delay=0.01)) is RunState.COMPLETED
    assert len(opened[0].deferred) == 1


def test_except_exception_lets_a_deferral_pass(bench, opened):
    seen = []

    def load():
        try:
            defer(A)
        except Exception:
            seen.append("caught")

    assert bench.run(bench.task(load)) is RunState.COMPLETED
    assert seen == []


def test_code_that_asks_for_another_sensor_than_before_fails(bench, opened):
    sensors = [A, B]

    def load():
        defer(sensors.pop(0))

    assert bench.run(bench.task(load)) is RunState.FAILED
    error = bench.event("p.load", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert "defer() number 1 of task load has the answer of another sensor" in error


def test_a_failed_wait_fails_the_task(bench):
    class Failing(AnsweringGate):
        def defer(self, step, deferral):
            super().defer(step, deferral)
            step.answers.clear()
            self.answers[step.name] = [End(RunState.FAILED, "TIMEOUT", "not true within 1h")]

    bench.late_gate = Failing
    assert bench.run(bench.task(lambda: defer(A), name="load")) is RunState.FAILED
    assert bench.own("p.load", "FAIL")["reason"] == "TIMEOUT"


def test_a_run_of_which_all_has_deferred_is_left_by_its_process(bench):
    class Parking(AnsweringGate):
        def __init__(self):
            super().__init__()
            self.parks = True
            self.is_settled.clear()

    bench.late_gate = Parking
    with pytest.raises(Parked):
        bench.run(bench.task(lambda: defer(A), name="load"))
    assert bench.story == ["p START", "p.load START", "p.load OTHER"]


@pytest.mark.parametrize("rest", [{"freshness": TODAY}, {"identity": ()}])
def test_a_task_that_the_gate_decides_on_is_called_again_too(bench, rest):
    seen = []

    def load():
        seen.append("begin")
        seen.append(defer(A).values)

    bench.gate = AnsweringGate()
    bench.gate.answers["load"] = [Start(0)]
    assert bench.run(bench.task(load, **rest)) is RunState.COMPLETED
    assert seen == ["begin", "begin", {"n": 0}]


def test_an_async_task_is_awaited_and_can_await_an_answer(bench, opened):
    seen = []

    async def load():
        seen.append("begin")
        await asyncio.sleep(0)
        answer = await defer(A)
        seen.append(answer.values)
        raise ValueError("after all")

    assert bench.run(bench.task(load)) is RunState.FAILED
    assert seen == ["begin", "begin", {"n": 0}]
    error = bench.event("p.load", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert error == "ValueError: after all"


def test_without_a_worker_a_task_cannot_defer(bench):
    assert bench.run(bench.task(lambda: defer(A), name="load")) is RunState.FAILED
    error = bench.event("p.load", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert error == "task load cannot defer here: run it by a worker"


def test_defer_outside_of_a_task_is_refused():
    with pytest.raises(RunError, match=r"outside a Python task.*before a notebook, a command"):
        defer(A)


def test_defer_takes_what_states_a_sensor(bench, opened):
    assert bench.run(bench.task(lambda: defer("/data/a"), name="load")) is RunState.FAILED
    error = bench.event("p.load", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert "defer() needs the result of lg.sensor(…), not '/data/a'" in error


class SilentGate(ScriptedGate):
    """A gate whose sensors never answer; the run is cancelled once one waits."""

    def __init__(self, cancellation):
        super().__init__()
        self.cancellation = cancellation

    def enter(self, step, ended):
        return Waits("WAITS_FOR_SENSOR", "file /data/a", ())

    def keep(self, step, found):
        self.settle()
        self.cancellation.request()
        return True


@pytest.mark.parametrize("is_resumed", [False, True])
def test_a_cancelled_run_cleans_up_after_a_task_that_deferred(bench, is_resumed):
    cleaned = []

    def load():
        defer(A)

    bench.late_gate = lambda: SilentGate(bench.cancellation)
    if is_resumed:
        bench.gate = bench.late_gate()
        bench.waiting = {"load": bench.run_id}
        bench.begun = ["load"]
    drop = bench.task(
        lambda: cleaned.append(1),
        name="drop",
        after=("load",),
        when=When.ALL_DONE,
        teardown=True,
    )
    assert bench.run(bench.task(load), drop) is RunState.KILLED
    assert cleaned == [1]
