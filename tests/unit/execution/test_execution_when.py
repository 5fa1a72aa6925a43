"""Rules about the ends of the tasks before a task; branches, teardowns and skips."""

import json
from functools import partial
from itertools import product
from threading import Event

import msgspec
import pytest
from msgspec.structs import replace

import lineagegraph as lg
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.model.pipelines.when import When
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.runs.values import TaskValue

GOOD, BAD, SKIP = "good", "bad", "skip"
RUNS, FAILS, SKIPS = "runs", "fails", "skips"


def ends(how):
    def do():
        if how is SKIP:
            lg.skip("nothing to do")
        assert how is GOOD

    return do


def expected(when: When, before: tuple[str, ...]) -> str:
    """Say what Airflow does with a task of that rule."""
    good, bad, skipped = (before.count(how) for how in (GOOD, BAD, SKIP))
    match when:
        case When.ALL_SUCCESS:
            return FAILS if bad else SKIPS if skipped else RUNS
        case When.ALL_FAILED:
            return SKIPS if good or skipped else RUNS
        case When.ALL_DONE:
            return RUNS
        case When.ONE_SUCCESS:
            return RUNS if good else FAILS if bad else SKIPS
        case When.ONE_FAILED:
            return RUNS if bad else SKIPS
        case When.NONE_FAILED:
            return FAILS if bad else RUNS
        case When.NONE_FAILED_MIN_ONE_SUCCESS:
            return FAILS if bad else RUNS if good else SKIPS
        case When.NONE_SKIPPED:
            return SKIPS if skipped else RUNS


def branching(bench, function, **rest) -> Task:
    task = bench.task(function, name="pick", **rest)
    return replace(task, work=replace(task.work, branches=True))


def states(bench) -> dict[str, str]:
    """Return the states of the tasks: that of their facet, or the type of their last event."""
    found = {}
    for event in bench.events:
        own = event["run"]["facets"]["lineagegraph"]
        found[event["job"]["name"].removeprefix("p.")] = own.get("state", event["eventType"])
    return found


@pytest.mark.parametrize("when", When)
def test_each_rule_does_what_airflow_does(new_bench, tmp_path, when):
    for number, before in enumerate(product((GOOD, BAD, SKIP), repeat=3)):
        bench = new_bench(tmp_path / str(number))
        bench.folder.mkdir()
        ran = []
        tasks = [bench.task(ends(how), name=f"t{n}") for n, how in enumerate(before)]
        after = tuple(task.name for task in tasks)
        last = bench.task(partial(ran.append, 1), name="last", after=after, when=when)
        bench.run(*tasks, last)
        state = states(bench)["last"]
        found = RUNS if ran else FAILS if state == "FAIL" else SKIPS
        assert found == expected(when, before), before


@pytest.mark.parametrize(("when", "how"), [(When.ONE_FAILED, BAD), (When.ONE_SUCCESS, GOOD)])
def test_one_end_that_decides_need_not_wait_for_the_others(bench, when, how):
    started = Event()
    counted = []

    def early():
        counted.append(1)
        started.set()

    bench.run(
        bench.task(ends(how), name="quick"),
        bench.task(lambda: started.wait(20), name="slow"),
        bench.task(early, name="early", after=("quick", "slow"), when=when),
    )
    assert started.is_set()
    assert counted == [1]


def test_a_failed_task_fails_its_run_though_what_comes_last_completed(bench):
    state = bench.run(
        bench.task(ends(BAD), name="load"),
        bench.task(ends(GOOD), name="tell", after=("load",), when=When.ALL_DONE),
    )
    assert state is RunState.FAILED
    assert states(bench)["tell"] == "COMPLETE"


def test_a_task_chosen_alone_runs_whatever_its_rule_asks_of_tasks_left_out(bench):
    ran = []
    bench.run(
        bench.task(ends(GOOD), name="load"),
        bench.task(lambda: ran.append(1), name="mend", after=("load",), when=When.ONE_FAILED),
        only=("mend",),
    )
    assert ran == [1]


def test_a_skip_passes_handlers_of_exceptions_and_is_not_tried_again(bench):
    tries = []

    def load():
        tries.append(1)
        try:
            lg.skip("no new file")
        except Exception:
            raise AssertionError("caught") from None

    state = bench.run(
        bench.task(load, retries=3, retry_delay=0),
        bench.task(ends(GOOD), name="report", after=("load",)),
        bench.task(ends(GOOD), name="other"),
    )
    assert (state, tries) == (RunState.COMPLETED, [1])
    own = bench.own("p.load", "ABORT")
    assert (own["state"], own["reason"], own["message"]) == (
        "SKIPPED",
        "TASK_SKIPPED",
        "no new file",
    )
    assert bench.own("p.report", "ABORT")["message"] == "not run: load skipped"


@pytest.mark.parametrize(
    ("choice", "ran"),
    [
        ("a", ["a", "join"]),
        (["a", "b"], ["a", "b", "join"]),
        (["join"], ["join"]),
        (None, []),
        ([], []),
    ],
)
def test_a_branch_runs_what_it_chose_and_what_that_leads_to(bench, choice, ran):
    seen = []

    def note(name, **rest):
        return bench.task(lambda: seen.append(name), name=name, **rest)

    state = bench.run(
        branching(bench, lambda: choice),
        note("a", after=("pick",)),
        note("b", after=("pick",)),
        note("join", after=("pick", "a", "b"), when=When.NONE_FAILED),
    )
    assert sorted(seen) == ran
    assert state is RunState.COMPLETED
    skipped = {name for name, state in states(bench).items() if state == "SKIPPED"}
    assert skipped == {"a", "b", "join"} - set(ran)
    if choice == "a":
        own = bench.own("p.b", "ABORT")
        assert (own["reason"], own["message"]) == ("NOT_CHOSEN", "not run: pick chose otherwise")


@pytest.mark.parametrize("choice", ["c", ["a", "pick"], 7, {"a": 1}, [1]])
def test_a_choice_that_is_no_task_after_the_branch_fails_it(bench, choice):
    state = bench.run(
        branching(bench, lambda: choice),
        bench.task(ends(GOOD), name="a", after=("pick",)),
        bench.task(ends(GOOD), name="b"),
    )
    assert state is RunState.FAILED
    error = bench.event("p.pick", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert "return the name of a task after it, or a list of such names (a)" in error


@pytest.mark.parametrize("choice", [float("nan"), object(), ["a", object()]])
def test_a_choice_that_is_no_plain_data_fails_the_branch(bench, choice):
    state = bench.run(
        branching(bench, lambda: choice),
        bench.task(ends(GOOD), name="a", after=("pick",)),
    )
    assert state is RunState.FAILED
    error = bench.event("p.pick", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert "return the name of a task after it, or a list of such names (a)" in error


def test_the_choice_of_a_branch_is_on_its_run_and_counts_when_the_run_goes_on(bench, new_bench):
    def pipeline(it):
        return (
            branching(it, lambda: "a"),
            it.task(ends(BAD), name="a", after=("pick",)),
            it.task(ends(GOOD), name="b", after=("pick",)),
        )

    bench.run(*pipeline(bench))
    output = bench.own("p.pick", "COMPLETE")["output"]
    assert json.loads(output["text"]) == ["a"]
    again = new_bench(bench.folder)
    again.outputs = {"pick": msgspec.convert(output, TaskValue)}
    again.run(*pipeline(again), only=("a", "b"))
    assert states(again)["b"] == "SKIPPED"


def test_a_teardown_runs_after_a_failure_and_its_own_failure_fails_no_run(bench):
    ran = []

    def drop():
        ran.append(1)
        raise OSError("in use")

    state = bench.run(
        bench.task(ends(GOOD), name="make"),
        bench.task(ends(GOOD), name="use", after=("make",)),
        bench.task(drop, after=("make", "use"), when=When.ALL_DONE, teardown=True),
    )
    assert (state, ran) == (RunState.COMPLETED, [1])
    assert bench.own("p", "COMPLETE")["message"] == "teardown failed: drop"


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (GOOD, "teardown failed: work.drop, last"),
        (
            BAD,
            "work: make: AssertionError: assert 'bad' is 'good'; "
            "teardown failed: drop; teardown failed: last",
        ),
    ],
)
def test_a_run_names_each_teardown_that_failed(bench, how, message):
    def drop(name, after):
        work = ends(BAD)
        return bench.task(work, name=name, after=(after,), when=When.ALL_DONE, teardown=True)

    bench.run(
        bench.group("work", bench.task(ends(how), name="make"), drop("drop", "make")),
        drop("last", "work"),
    )
    [end] = [e for e in bench.events if e["job"]["name"] == "p" and e["eventType"] != "START"]
    facets = end["run"]["facets"]
    error = facets.get("errorMessage", {}).get("message")
    assert (error or facets["lineagegraph"]["message"]) == message


def test_a_cancelled_run_cleans_up_what_began_and_only_that(bench):
    cleaned = []

    def make():
        bench.cancellation.request()

    state = bench.run(
        bench.task(make),
        bench.task(ends(GOOD), name="use", after=("make",)),
        bench.task(
            lambda: cleaned.append("drop"),
            name="drop",
            after=("make", "use"),
            when=When.ALL_DONE,
            teardown=True,
        ),
        bench.task(
            lambda: cleaned.append("none"),
            name="none",
            after=("use",),
            when=When.ALL_DONE,
            teardown=True,
        ),
        bench.task(lambda: cleaned.append("tell"), name="tell", after=("use",), when=When.ALL_DONE),
    )
    assert (state, cleaned) == (RunState.KILLED, ["drop"])


@pytest.mark.parametrize("is_nested", [False, True])
def test_a_cancelled_run_cleans_up_after_a_container_in_which_something_began(bench, is_nested):
    cleaned = []

    def inside(name, make):
        tasks = (bench.task(make, name="make"), bench.task(ends(GOOD), name="use", after=("make",)))
        if is_nested:
            return bench.nested(name, Pipeline(name=name, namespace="ns", tasks=tasks))
        return bench.group(name, *tasks)

    def drop(name, after):
        work = partial(cleaned.append, name)
        return bench.task(work, name=name, after=(after,), when=When.ALL_DONE, teardown=True)

    state = bench.run(
        inside("work", bench.cancellation.request),
        drop("drop", "work"),
        replace(inside("later", ends(GOOD)), after=("work",)),
        drop("none", "later"),
    )
    assert (state, cleaned) == (RunState.KILLED, ["drop"])


def test_a_process_that_lost_its_run_to_another_cleans_nothing_up(bench):
    cleaned = []
    bench.run(
        bench.task(lambda: bench.cancellation.request("LOST"), name="make"),
        bench.task(
            lambda: cleaned.append(1),
            name="drop",
            after=("make",),
            when=When.ALL_DONE,
            teardown=True,
        ),
    )
    assert cleaned == []


def test_a_teardown_that_hangs_after_a_cancellation_is_stopped(monkeypatch):
    monkeypatch.setattr("lineagegraph.execution.cancellation.TEARDOWN_SECONDS", 0.05)
    run = Cancellation()
    teardown = run.for_teardown()
    assert not teardown.wait(0.2)
    run.request("CANCELLED")
    assert teardown.wait(20)
    assert teardown.reason == "CANCELLED"


def test_delays_grow_by_the_factor_up_to_the_limit(bench):
    waited = []
    bench.cancellation.wait = lambda seconds=None: waited.append(seconds) or False
    bench.run(
        bench.task(
            ends(BAD),
            name="load",
            retries=4,
            retry_delay=2,
            retry_backoff=3,
            retry_jitter=0,
            max_retry_delay=20,
        )
    )
    assert waited == [2, 6, 18, 20]
