from time import monotonic, sleep

import pytest

from lineagegraph.errors import GraphUnreachable, RunError
from lineagegraph.execution import reports
from lineagegraph.execution.logs import Log
from lineagegraph.model.runs.states import RunState


class Away:
    """A reporter that refuses its first calls, or every call with a certain event."""

    def __init__(self, refused=0, poison=None):
        self.events, self._refused, self._poison = [], refused, poison

    def report(self, events):
        self._refused -= 1
        if self._refused >= 0 or any(e["eventType"] == self._poison for e in events):
            raise ConnectionError("database away")
        self.events.extend(events)


def test_events_that_could_not_be_reported_come_with_the_next_in_order(bench):
    bench.reporter = Away(refused=4)
    tasks = [bench.task(lambda: None, name="a"), bench.task(lambda: None, name="b", after=("a",))]
    assert bench.run(*tasks) is RunState.COMPLETED
    assert bench.story == [
        "p START",
        "p.a START",
        "p.a COMPLETE",
        "p.b START",
        "p.b COMPLETE",
        "p COMPLETE",
    ]
    assert "not reported yet: ConnectionError: database away" in bench.log("run")


def test_one_event_that_is_refused_for_ever_takes_no_other_with_it(tmp_path):
    away = Away(poison="START")
    with Log(tmp_path / "run.log") as log:
        out = reports.Reports(away, log, tmp_path / "spool", patience=0.01)
        for kind in ("START", "RUNNING"):
            out.report([_event(kind)])
        with pytest.raises(RunError, match=r"COMPLETE, but 1 of its events.*database away"):
            out.finish(_event("COMPLETE"))
    assert [e["eventType"] for e in away.events] == ["RUNNING", "COMPLETE"]


def test_what_comes_while_an_outage_s_events_are_handed_over_is_reported_too(tmp_path):
    class Back(Away):
        def report(self, events):
            if self._refused == 1:
                self._refused = 0
                raise GraphUnreachable("away")
            if not self.events:
                out.report([_event("RUNNING")])
            self.events.extend(events)

    back = Back(refused=1)
    with Log(tmp_path / "run.log") as log:
        out = reports.Reports(back, log, tmp_path / "spool")
        out.report([_event("START")])
        until = monotonic() + 10
        while len(back.events) < 2 and monotonic() < until:
            sleep(0.05)
    assert [e["eventType"] for e in back.events] == ["START", "RUNNING"]
    assert not out.is_behind


def test_after_the_last_event_nothing_is_reported(tmp_path, bench):
    with Log(tmp_path / "run.log") as log:
        out = reports.Reports(bench.reporter, log, tmp_path / "spool")
        out.finish(_event("COMPLETE"))
        with pytest.raises(RunError, match="has ended"):
            out.report([_event("RUNNING")])
    assert [e["eventType"] for e in bench.events] == ["COMPLETE"]


def _event(kind):
    return {"eventType": kind, "run": {"runId": "r"}}
