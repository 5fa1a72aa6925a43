import os
import sys
from datetime import UTC, datetime, timedelta
from threading import Event, Timer

import pytest

from lineagegraph.errors import RunError
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.logs import attempt_logs
from lineagegraph.execution.skip import skip
from lineagegraph.model.runs.states import RunState


def fail():
    raise ValueError("no such month")


def nothing():
    pass


def test_a_failure_stops_what_comes_after_it_and_nothing_else(bench):
    seen = []
    state = bench.run(
        bench.task(fail),
        bench.task(nothing, name="after_it", after=("fail",)),
        bench.task(lambda: seen.append("x"), name="x"),
        bench.task(lambda: seen.append("y"), name="y", after=("x",)),
    )
    assert (state, seen) == (RunState.FAILED, ["x", "y"])
    assert bench.own("p.after_it", "FAIL")["reason"] == "UPSTREAM_FAILED"
    assert "p.after_it START" not in bench.story


def test_a_failure_says_what_was_raised_and_where(bench):
    bench.run(bench.task(fail))
    facets = bench.event("p.fail", "FAIL")["run"]["facets"]
    assert facets["errorMessage"]["message"] == "ValueError: no such month"
    assert "in fail" in facets["errorMessage"]["stackTrace"]
    assert facets["lineagegraph"]["reason"] == "USER_CODE"
    assert bench.own("p", "FAIL")["reason"] == "USER_CODE"
    assert (
        "fail: ValueError" in bench.event("p", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    )
    assert "ValueError: no such month" in bench.log("fail")


def test_a_task_that_exits_the_interpreter_is_a_failed_task(bench):
    assert bench.run(bench.task(lambda: sys.exit(0), name="leaves")) is RunState.FAILED
    message = bench.event("p.leaves", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert message == "SystemExit: 0"


def test_a_failure_or_skip_may_name_a_file_that_is_not_utf8(bench):
    name = os.fsdecode(b"caf\xe9.csv")

    def fails():
        raise ValueError(name)

    bench.run(bench.task(fails), bench.task(lambda: skip(name), name="skips"))
    message = bench.event("p.fails", "FAIL")["run"]["facets"]["errorMessage"]["message"]
    assert message == r"ValueError: caf\udce9.csv"
    assert bench.own("p.skips", "ABORT")["message"] == r"caf\udce9.csv"


def test_a_group_fails_with_its_task_and_what_follows_it_does_not_run(bench):
    bench.run(
        bench.group("g", bench.task(fail), bench.task(nothing, name="fine")),
        bench.group("h", bench.task(nothing, name="inner"), after=("g",)),
    )
    assert bench.own("p.g", "FAIL")["reason"] == "USER_CODE"
    assert bench.own("p.h", "FAIL")["reason"] == "UPSTREAM_FAILED"
    assert bench.own("p.h.inner", "FAIL")["reason"] == "UPSTREAM_FAILED"
    assert "p.g.fine COMPLETE" in bench.story


def test_a_task_is_tried_again_and_only_its_last_attempt_counts(bench):
    tries = []

    def flaky():
        tries.append(1)
        if len(tries) < 3:
            raise ValueError("not yet")

    assert bench.run(bench.task(flaky, retries=3, retry_delay=0.001)) is RunState.COMPLETED
    story = [line for line in bench.story if line.startswith("p.flaky")]
    assert story == ["p.flaky START", *["p.flaky RUNNING"] * 4, "p.flaky COMPLETE"]
    assert bench.own("p.flaky", "COMPLETE")["attempt"] == 3
    logs = attempt_logs(bench.folder / "logs" / "flaky.log").values()
    assert ["ValueError: not yet" in log.read_text() for log in logs] == [True, True, False]


def test_a_task_fails_after_its_last_retry_and_reports_each_failed_attempt_before_it(bench):
    begun = datetime.now(UTC)
    assert bench.run(bench.task(fail, retries=2, retry_delay=0.1)) is RunState.FAILED
    owns = [event["run"]["facets"]["lineagegraph"] for event in bench.events]
    failed = [(own["attempt"], own["retry"]) for own in owns if "retry" in own]
    assert [(number, said["reason"]) for number, said in failed] == [
        (1, "USER_CODE"),
        (2, "USER_CODE"),
    ]
    assert "ValueError" in failed[0][1]["message"]
    waits = [datetime.fromisoformat(said["nextAt"]) - begun for _, said in failed]
    assert waits[1] - waits[0] > timedelta(seconds=0.2)
    assert waits[0] > timedelta(seconds=0.1)
    assert bench.own("p.fail", "FAIL")["attempt"] == 3
    assert bench.story.count("p.fail FAIL") == 1


class Watched(Cancellation):
    """Notes how long each wait would be, and waits for none."""

    def __init__(self):
        super().__init__()
        self.waits = []

    def wait(self, seconds=None):
        self.waits.append(seconds)
        return self.requested


def test_the_wait_before_each_further_attempt_is_twice_the_last_and_a_little(bench):
    bench.cancellation = Watched()
    bench.run(bench.task(fail, retries=3, retry_delay=8))
    assert len(bench.cancellation.waits) == 3
    for seconds, least in zip(bench.cancellation.waits, (8, 16, 32), strict=True):
        assert least <= seconds <= least + 2


def test_a_cancellation_ends_the_waiting_for_the_next_attempt(bench):
    canceller = Timer(0.1, bench.cancellation.request)
    canceller.start()
    assert bench.run(bench.task(fail, retries=5, retry_delay=600)) is RunState.KILLED
    canceller.join()
    assert bench.story.count("p.fail RUNNING") == 1, "only the first attempt is reported"


def test_a_task_over_its_time_fails_and_its_spark_jobs_are_cancelled(bench):
    release = Event()
    bench.sessions.on_cancel = release.set
    task = bench.task(lambda: release.wait(10), name="slow", timeout=0.05)
    assert bench.run(task) is RunState.FAILED
    assert bench.own("p.slow", "FAIL")["reason"] == "TIMEOUT"
    run_id = bench.event("p.slow", "FAIL")["run"]["runId"]
    assert f"cancel {run_id}" in bench.sessions.asked
    assert bench.cancellation.abandoned == []


def test_a_pipeline_without_the_named_task_says_which_it_has(bench):
    with pytest.raises(RunError, match=r"has no task 'b'; it has a, g, g\.c"):
        bench.run(
            bench.task(nothing, name="a"),
            bench.group("g", bench.task(nothing, name="c")),
            only=("b",),
        )


def test_two_tasks_whose_paths_read_the_same_are_refused(bench):
    inner = bench.group("a", bench.task(nothing, name="b"))
    with pytest.raises(RunError, match=r"has 2 tasks 'a\.b': rename one"):
        bench.run(inner, bench.task(nothing, name="a.b"))


def test_a_log_folder_that_cannot_be_written_fails_the_task_and_not_the_others(bench, tmp_path):
    (tmp_path / "logs" / "a.log").mkdir(parents=True)
    state = bench.run(bench.task(nothing, name="a"), bench.task(nothing, name="b"))
    assert state is RunState.FAILED
    assert bench.own("p.a", "FAIL")["reason"] == "INTERNAL"
    assert "p.b COMPLETE" in bench.story
