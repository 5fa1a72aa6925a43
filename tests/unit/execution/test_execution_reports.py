from time import monotonic, sleep

import pytest

from lineagegraph.errors import GraphBusy, GraphUnreachable, InvalidEvent, RunError
from lineagegraph.execution import reports, spool
from lineagegraph.execution.logs import Log
from lineagegraph.execution.spool import read_spool
from lineagegraph.model.runs.states import RunState


class Away:
    """A reporter that is busy at its first calls, and refuses every call with a certain event."""

    def __init__(self, refused=0, poison=None):
        self.events, self._refused, self.poison = [], refused, poison

    def report(self, events):
        self._refused -= 1
        if self._refused >= 0:
            raise GraphBusy("database away")
        if any(e["eventType"] == self.poison for e in events):
            raise InvalidEvent("not for this graph")
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
    assert "not reported yet: GraphBusy: database away" in bench.log("run")


def test_one_event_that_is_refused_for_ever_takes_no_other_with_it(tmp_path):
    away = Away(poison="START")
    with Log(tmp_path / "run.log") as log:
        out = reports.Reports(away, log, tmp_path / "spool", patience=0.01)
        for kind in ("START", "RUNNING"):
            out.report([_event(kind)])
        with pytest.raises(RunError, match=r"COMPLETE, but 1 of its events.*not for this"):
            out.finish(_event("COMPLETE"))
    assert [e["eventType"] for e in away.events] == ["RUNNING", "COMPLETE"]


def test_events_after_one_that_is_refused_are_reported_at_once_and_it_is_tried_again_at_the_end(
    tmp_path,
):
    away, path = Away(poison="START"), tmp_path / "spool-1.ndjson"
    with Log(tmp_path / "run.log") as log:
        out = reports.Reports(away, log, path)
        out.report([_event("RUNNING"), _event("START"), _event("OTHER")])
        out.report([_event("RUNNING")])
        assert [e["eventType"] for e in away.events] == ["RUNNING", "OTHER", "RUNNING"]
        # Only this process tries it again: its run does not park.
        assert out.is_behind
        assert read_spool(path) == [_event("START"), _event("RUNNING")]
        out.report([_event("RUNNING")])
        assert read_spool(path) == [_event("START")]
        del away.events[3:]
        away.poison = None
        out.finish(_event("COMPLETE"))
    assert [e["eventType"] for e in away.events[3:]] == ["START", "COMPLETE"]
    assert not path.exists()
    assert "START of p is refused, and tried again" in (tmp_path / "run.log").read_text()


def test_many_refused_events_are_neither_sent_one_by_one_nor_written_again_each_time(
    tmp_path, monkeypatch
):
    class Counting(Away):
        calls = 0

        def report(self, events):
            self.calls += 1
            super().report(events)

    away, written = Counting(poison="START"), []
    real = spool.replace_private
    monkeypatch.setattr(
        spool, "replace_private", lambda path, text: written.append(len(text)) or real(path, text)
    )
    with Log(tmp_path / "run.log") as log:
        out = reports.Reports(away, log, tmp_path / "spool-1.ndjson")
        out.report([*[_event("RUNNING")] * 500, _event("START"), *[_event("OTHER")] * 500])
        assert len(away.events) == 1000
        assert away.calls < 50
        for _ in range(200):
            out.report([_event("START")])
            out.report([_event("RUNNING")])
    assert len(written) < 20


def test_a_graph_that_is_busy_after_a_refusal_gets_the_rest_in_order(tmp_path):
    class Busy(Away):
        def report(self, events):
            if [e["eventType"] for e in events] == ["OTHER"]:
                raise GraphBusy("busy")
            super().report(events)

    busy = Busy(poison="START")
    with Log(tmp_path / "run.log") as log:
        out = reports.Reports(busy, log, tmp_path / "spool-1.ndjson")
        out.report([_event("RUNNING"), _event("START"), _event("OTHER")])
        busy.poison = None
        out.finish(_event("COMPLETE"))
    assert [e["eventType"] for e in busy.events] == ["RUNNING", "START", "OTHER", "COMPLETE"]


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
    return {"eventType": kind, "run": {"runId": "r"}, "job": {"name": "p"}}
