"""The timeout of a run: it fails, its tasks are stopped, and teardowns still run."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event

from lineagegraph.model.runs.states import RunState


def stuck(bench):
    release = Event()
    bench.sessions.on_cancel = release.set
    return bench.task(lambda: release.wait(20), name="stuck", retries=2)


def test_a_run_that_takes_too_long_fails_and_its_teardown_runs(bench):
    cleaned = []
    state = bench.run(
        stuck(bench),
        bench.task(lambda: None, name="next", after=("stuck",)),
        bench.task(
            lambda: cleaned.append(1),
            name="clean",
            after=("stuck",),
            when="all_done",
            teardown=True,
        ),
        timeout=0.5,
    )
    assert state is RunState.FAILED
    assert cleaned == [1]
    assert bench.own("p", "FAIL")["reason"] == "TIMEOUT"
    error = bench.event("p", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert error.startswith("the run took more than its timeout of ")
    assert bench.own("p.stuck", "ABORT")["reason"] == "TIMEOUT"
    assert "p.next START" not in bench.story
    assert "p.stuck RUNNING" not in bench.story


def test_the_time_of_earlier_launches_counts(bench, monkeypatch):
    request = bench.request
    began = datetime.now(UTC) - timedelta(hours=3)
    monkeypatch.setattr(bench, "request", lambda *given: replace(request(*given), began_at=began))
    assert bench.run(stuck(bench), timeout=7200.0) is RunState.FAILED
    assert bench.own("p", "FAIL")["reason"] == "TIMEOUT"


def test_a_run_that_ends_in_time_and_one_that_was_cancelled_are_no_timeouts(bench):
    assert bench.run(bench.task(lambda: None, name="t"), timeout=60.0) is RunState.COMPLETED
    assert not bench.cancellation.requested
    bench.cancellation.request()
    assert bench.run(bench.task(lambda: None, name="t"), timeout=60.0) is RunState.KILLED
