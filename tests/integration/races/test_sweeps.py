"""Sweeps of retention that meet each other, or whose process dies."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from lineagegraph.admin import lock
from lineagegraph.admin.retention import facets, sweep
from lineagegraph.admin.retention.report import KeepReason, Report
from lineagegraph.errors import AlreadyRunning
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.queries.runs.events import list_events
from lineagegraph.store.admin import locks
from tests.events import run_event
from tests.integration.races.overlap import calling_after
from tests.integration.retention.histories import START, run_ids
from tests.integration.retention.test_sweep import AGES, NOW, daily

_KEEPING = "finding runs that are still needed"


def counts(report: Report) -> tuple[int, int]:
    (found,) = report.namespaces.values()
    return found.runs, found.events


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_sweep_that_begins_during_another_waits_for_it(graph: Graph, dry_run: bool) -> None:
    runs = daily(graph, 5)
    waits: list[str] = []

    def begin(what: str, done: int, total: int) -> None:
        if what == _KEEPING:
            later = threads.submit(sweep, graph, AGES, now=NOW, dry_run=dry_run, note=note)
            while not (waits or later.done()):
                time.sleep(0.05)

    def note(what: str, done: int, total: int) -> None:
        waits.append(what)

    with ThreadPoolExecutor(1) as threads:
        done = sweep(graph, AGES, now=NOW, note=begin)
    assert waits[0] == "waiting for another sweep"
    assert counts(done) == (4, 4)
    assert run_ids(graph) == {runs[-1]}
    assert graph.query("MATCH (l:Lease) RETURN l") == []


def claim(graph: Graph, term: timedelta) -> None:
    graph.write(
        locks.claim_lock, name="sweep", owner="other", holder="there:1", term=term, now=None
    )


def test_a_sweep_is_refused_if_another_goes_on(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim(graph, lock._TERM)
    monkeypatch.setattr(lock, "_PATIENCE_SECONDS", 0)
    with pytest.raises(AlreadyRunning, match=r"another sweep is under way in process there:1: "):
        sweep(graph, AGES, now=NOW)


@pytest.mark.parametrize("term", [timedelta(seconds=1), timedelta(hours=1)])
def test_a_sweep_waits_for_a_dead_process_no_longer_than_its_term_also_if_the_clock_was_put_back(
    graph: Graph, term: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim(graph, term)
    monkeypatch.setattr(lock, "_PATIENCE_SECONDS", 3)
    daily(graph, 5)
    assert counts(sweep(graph, AGES, now=NOW)) == (4, 4)


def test_a_sweep_whose_lock_was_taken_while_it_slept_deletes_nothing_more(graph: Graph) -> None:
    runs = daily(graph, 5)

    def sleep(what: str, done: int, total: int) -> None:
        if what == _KEEPING:
            graph.query("MATCH (l:Lease) SET l.owner = 'other', l.holder = 'x:1'", write=True)

    with pytest.raises(AlreadyRunning, match="in process x:1"):
        sweep(graph, AGES, now=NOW, note=sleep)
    assert run_ids(graph) == set(runs)


def test_a_facet_that_is_used_again_after_the_clock_was_put_back_stays(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = daily(graph, 5)
    old, newer, again = (
        run_event("job", "RUNNING", at=at, run_id=runs[day], inputs=(("lake", "/a"),))
        for day, at in ((day, START + timedelta(days=day)) for day in (1, 2, 4))
    )
    old["inputs"][0]["inputFacets"] = again["inputs"][0]["inputFacets"] = {"own": {"a": 1}}
    graph.write(record, extract([old, newer]))

    def put_back_and_tell() -> None:
        graph.query("MATCH (l:Lease) SET l.read_from = l.read_from + duration('PT1H')", write=True)
        graph.write(record, extract([again]))

    calling_after(monkeypatch, facets, "_used").append(put_back_and_tell)
    assert counts(sweep(graph, AGES, now=NOW)) == (3, 4)
    assert again in graph.read(list_events).events


def test_a_run_that_is_told_of_after_the_clock_was_put_back_stays(graph: Graph) -> None:
    runs = daily(graph, 5)

    def tell(what: str, done: int, total: int) -> None:
        if what == _KEEPING:
            late = run_event("job", "RUNNING", at=START, run_id=runs[1])
            graph.write(record, extract([late]))
            back = "MATCH (e:Event) SET e.received_at = e.received_at - duration('PT1H')"
            graph.query(back, write=True)

    done = sweep(graph, AGES, now=NOW, note=tell)
    assert run_ids(graph) == {runs[1], runs[-1]}
    (kept,) = done.namespaces.values()
    assert kept.kept[KeepReason.TOLD] == 1
    assert counts(done) == (3, 3)
