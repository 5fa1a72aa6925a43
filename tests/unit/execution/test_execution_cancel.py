import os
from pathlib import Path
from threading import Event, Thread

import pytest

from lineagegraph.execution import supervise
from lineagegraph.model.runs.states import RunState


def test_a_cancelled_run_kills_what_runs_and_starts_nothing_more(bench):
    release = Event()
    bench.sessions.on_cancel = release.set

    def busy():
        bench.cancellation.request()
        release.wait(10)

    state = bench.run(
        bench.task(busy),
        bench.task(lambda: None, name="next", after=("busy",)),
        bench.group("g", bench.task(lambda: None, name="t"), after=("busy",)),
        concurrency=1,
    )
    assert state is RunState.KILLED
    assert [line for line in bench.story if line.endswith("ABORT")] == [
        "p.busy ABORT",
        "p.next ABORT",
        "p.g.t ABORT",
        "p.g ABORT",
        "p ABORT",
    ]
    assert "p.next START" not in bench.story
    assert bench.own("p", "ABORT")["reason"] == "CANCELLED"


def test_the_first_reason_of_a_cancellation_is_the_runs(bench):
    bench.cancellation.request("LOST")
    bench.cancellation.request("CANCELLED")
    bench.run(bench.task(lambda: None, name="t"))
    assert bench.own("p", "ABORT")["reason"] == "LOST"


def test_a_cancellation_after_the_last_task_changes_nothing(bench):
    bench.sessions.stop = bench.cancellation.request
    assert bench.run(bench.task(lambda: None, name="t")) is RunState.COMPLETED


@pytest.mark.parametrize(
    "message",
    [
        "[SPARK_JOB_CANCELLED] Job 3 cancelled SQLSTATE: XXKDA",
        "org.apache.spark.SparkException: Job 41 cancelled part of cancelled job tag lg:1",
    ],
)
def test_a_spark_job_that_somebody_cancelled_makes_its_task_killed(bench, message):
    def cancelled_elsewhere():
        raise RuntimeError(message)

    assert bench.run(bench.task(cancelled_elsewhere, name="t", retries=3)) is RunState.KILLED
    assert "p.t RUNNING" not in bench.story


def test_code_that_does_not_return_is_abandoned_and_named(bench, monkeypatch):
    """The grace time is shortened: ten real seconds prove no more than a tenth of one."""
    monkeypatch.setattr(supervise, "GRACE", 0.1)
    release = Event()

    def deaf():
        bench.cancellation.request()
        release.wait(30)

    assert bench.run(bench.group("g", bench.task(deaf))) is RunState.KILLED
    release.set()
    assert bench.cancellation.abandoned == ["g.deaf"]


def test_an_abandoned_task_is_not_tried_again(bench, monkeypatch):
    monkeypatch.setattr(supervise, "GRACE", 0.05)
    release, tries = Event(), []

    def deaf():
        tries.append(1)
        release.wait(30)

    assert bench.run(bench.task(deaf, timeout=0.05, retries=3)) is RunState.FAILED
    release.set()
    assert tries == [1]


@pytest.mark.parametrize("trap", ["", "trap '' TERM; "])
def test_a_cancelled_command_goes_with_all_its_children(bench, monkeypatch, trap, tmp_path):
    monkeypatch.setattr(supervise, "GRACE", 0.5)
    fifo = tmp_path / "ready"
    os.mkfifo(fifo)
    children = []

    def cancel_when_ready():
        children.append(int(fifo.read_text()))
        bench.cancellation.request()

    watcher = Thread(target=cancel_when_ready)
    watcher.start()
    script = f"{trap}sleep 60 & echo $! > {fifo}; wait; wait"
    assert bench.run(bench.shell("long", script)) is RunState.KILLED
    watcher.join()
    assert not _runs(children[0])


def _runs(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        return stat.rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
