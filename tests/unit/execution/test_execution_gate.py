"""Tasks with terms of freshness ask at a gate, and hold nothing back while they wait."""

from threading import Timer
from threading import enumerate as list_threads

import pytest

from lineagegraph.errors import GraphUnreachable, RunError
from lineagegraph.execution.coordinator import Coordinator
from lineagegraph.execution.gate import Parked
from lineagegraph.execution.outcome import PASSED, Outcome
from lineagegraph.model.freshness.terms import TODAY
from lineagegraph.model.pipelines.entry import End, Ended, Wait, Waits
from lineagegraph.model.runs.states import RunState
from tests.unit.execution.conftest import ScriptedGate

WAITS = Waits("WAITS_FOR_PARENTS", "fx never succeeded", (Wait(job_key="k", freshness=TODAY),))
FRESH = End(RunState.FRESH_SKIP, "FRESH", "fresh: in run 1")
SKIPPED = End(RunState.SKIPPED, "SKIP_LIST", "on the skip list: broken")


@pytest.fixture
def gated(bench):
    """Make tasks that note that they ran, in `gated.seen`."""
    bench.gate = ScriptedGate()

    def task(name, **rest):
        return bench.task(lambda: task.seen.append(name), name=name, freshness=TODAY, **rest)

    task.seen = []
    return task


def test_a_task_that_is_let_in_runs_after_those_that_it_names(bench, gated):
    assert bench.run(gated("b", after=("a",)), gated("a")) is RunState.COMPLETED
    assert gated.seen == ["a", "b"]
    assert bench.gate.asked == [("a", {}), ("b", {"a": Ended(RunState.COMPLETED)})]


def test_a_fresh_task_does_not_run_and_says_why_in_a_complete_of_its_own_kind(bench, gated):
    bench.gate.answers = {"a": [FRESH]}
    assert bench.run(gated("a"), gated("b", after=("a",))) is RunState.COMPLETED
    assert gated.seen == ["b"]
    own = bench.own("p.a", "COMPLETE")
    assert (own["state"], own["reason"]) == ("FRESH_SKIP", "FRESH")
    assert own["message"] == "fresh: in run 1"
    assert bench.gate.asked[1] == ("b", {"a": Ended(RunState.FRESH_SKIP, "FRESH")})


def test_a_skipped_task_is_an_abort_and_the_gate_decides_what_it_means_for_the_next(bench, gated):
    bench.gate.answers = {"a": [SKIPPED]}
    assert bench.run(gated("a"), gated("b", after=("a",))) is RunState.COMPLETED
    assert gated.seen == ["b"]
    assert bench.own("p.a", "ABORT")["state"] == "SKIPPED"


@pytest.mark.parametrize("end", [FRESH, SKIPPED])
def test_a_batch_of_which_nothing_ran_ends_as_its_tasks_did(bench, gated, end):
    bench.gate.answers = {"a": [end], "b": [end]}
    assert bench.run(gated("a"), gated("b")) is end.state


def test_the_gate_is_asked_though_what_came_before_failed(bench, gated):
    def fail():
        raise ValueError("no")

    first = bench.task(fail, name="a", freshness=TODAY)
    assert bench.run(first, gated("b", after=("a",))) is RunState.FAILED
    assert gated.seen == ["b"]
    assert bench.gate.asked[1] == ("b", {"a": Ended(RunState.FAILED, "USER_CODE")})


def test_tasks_that_wait_leave_the_permits_to_others(bench, gated):
    bench.gate.answers = {name: [WAITS] for name in "abc"}
    last = bench.task(bench.gate.settle, name="d", freshness=TODAY)
    tasks = [gated(name) for name in "abc"]
    assert bench.run(*tasks, last, concurrency=1) is RunState.COMPLETED
    assert sorted(gated.seen) == ["a", "b", "c"]


def test_what_a_task_waits_for_is_told_before_it_is_kept(bench, gated):
    bench.gate.answers = {"a": [WAITS]}
    bench.gate.settle()
    bench.run(gated("a"))
    assert bench.story == ["p START", "p.a OTHER", "p.a START", "p.a COMPLETE", "p COMPLETE"]
    own = bench.own("p.a", "OTHER")
    assert (own["state"], own["message"]) == ("WAITING", "fx never succeeded")


def test_a_gate_that_cannot_be_asked_is_asked_again(bench, gated):
    bench.gate.answers = {"a": [GraphUnreachable("away")]}
    assert bench.run(gated("a")) is RunState.COMPLETED
    assert [name for name, _ in bench.gate.asked] == ["a", "a"]


@pytest.mark.parametrize("error", [GraphUnreachable("away"), OSError("no space left")])
def test_whatever_goes_wrong_in_a_round_the_next_one_asks_again(bench, gated, error):
    bench.gate.answers = {"a": [WAITS]}
    errors, list_ready = [error, error], bench.gate.list_ready

    def list_later(steps):
        if errors:
            raise errors.pop()
        return list_ready(steps)

    bench.gate.list_ready = list_later
    bench.gate.settle()
    assert bench.run(gated("a")) is RunState.COMPLETED
    assert errors == []


def test_a_run_stays_with_its_process_if_the_graph_does_not_take_that_it_rests(bench, gated):
    bench.gate.answers = {"a": [WAITS], "b": [WAITS]}
    asked = []

    def fail(name):
        def call():
            asked.append(name)
            raise GraphUnreachable("busy")

        return call

    bench.gate.try_park, bench.gate.resume = fail("rest"), fail("resume")
    Timer(0.2, bench.gate.settle).start()
    assert bench.run(gated("a"), gated("b")) is RunState.COMPLETED
    assert sorted(gated.seen) == ["a", "b"]
    assert asked[0] == "rest"
    assert "resume" in asked


def test_a_gate_that_breaks_fails_the_task(bench, gated):
    bench.gate.answers = {"a": [ValueError("broken")]}
    assert bench.run(gated("a")) is RunState.FAILED
    assert gated.seen == []


def test_a_run_of_which_all_waits_is_left_by_its_process_if_the_gate_says_so(bench, gated):
    bench.gate.answers = {"a": [WAITS], "b": [FRESH]}
    bench.gate.parks = True
    with pytest.raises(Parked):
        bench.run(gated("a"), gated("b"), gated("c", after=("b",)))
    assert gated.seen == ["c"]
    assert bench.gate.told == ["a waits", "rest", "over"]
    assert bench.events[-1]["eventType"] != "COMPLETE" or bench.events[-1]["job"]["name"] != "p"


def test_a_process_that_stays_goes_on_when_something_comes(bench, gated):
    bench.gate.answers = {"a": [WAITS]}
    Timer(0.2, bench.gate.settle).start()
    assert bench.run(gated("a")) is RunState.COMPLETED
    assert bench.gate.told == ["a waits", "rest", "resume", "over"]


def test_a_cancelled_run_waits_no_more(bench, gated):
    bench.gate.answers = {"a": [WAITS]}
    Timer(0.2, bench.cancellation.request).start()
    assert bench.run(gated("a"), gated("b", after=("a",))) is RunState.KILLED
    assert gated.seen == []


def test_nobody_asks_the_gate_once_the_run_is_over(bench, gated, monkeypatch):
    assert bench.run(gated("a")) is RunState.COMPLETED
    assert bench.gate.told == ["over"]
    bench.gate.answers = {"a": [WAITS]}

    def lose(self):
        raise RunError("another worker has the run")

    monkeypatch.setattr(Coordinator, "_is_idle", lose)
    with pytest.raises(RunError):
        bench.run(gated("a"))
    assert bench.gate.told[-1] == "over"
    assert "gate" not in [thread.name for thread in list_threads()]


def test_what_ended_in_an_earlier_launch_is_known_and_not_told_again(bench, gated):
    bench.known = {"a": PASSED, "b": Outcome(RunState.FAILED, "USER_CODE", "no")}
    state = bench.run(gated("a"), gated("b"), gated("c", after=("a", "b")))
    assert state is RunState.FAILED
    assert gated.seen == ["c"]
    ended = {"a": Ended(RunState.COMPLETED), "b": Ended(RunState.FAILED, "USER_CODE")}
    assert bench.gate.asked == [("c", ended)]
    assert {event["job"]["name"] for event in bench.events} == {"p", "p.c"}
