"""Backfills that are cancelled while their runs change."""

from datetime import timedelta
from typing import Any

from lineagegraph.backfills.advance import advance_backfills
from lineagegraph.backfills.change import _cancel, cancel_backfill
from lineagegraph.backfills.start import start_backfill
from lineagegraph.graph import Graph
from lineagegraph.model.triggers.backfill import BackfillSpan, NominalRange
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Claim
from tests.definitions import daily, define
from tests.integration.races.overlap import overlap
from tests.launches import claimed

DAY = BackfillSpan(times=NominalRange("2026-01-01", "2026-01-01"))


def started(graph: Graph) -> tuple[str, Claim]:
    """Start a backfill of one day, whose run has a worker; return both."""
    backfill = start_backfill(graph, define(graph, daily()), DAY).id
    advance_backfills(graph)
    (row,) = graph.query("MATCH (r:Run) RETURN r.id AS id")
    return backfill, claimed(graph, row["id"])


def run(graph: Graph) -> dict[str, Any]:
    (row,) = graph.query("MATCH (r:Run) RETURN r.launch AS launch, r.cancel_requested AS cancelled")
    return row


def park(tx: Any, claim: Claim) -> None:
    assert launches.settle_resting(
        tx, id=claim.id, fence=claim.fence, most=-1, keeps_process=False, by_worker=True, now=None
    )


def test_a_run_that_only_waits_is_cancelled_with_the_running_ones(graph: Graph) -> None:
    backfill, claim = started(graph)
    graph.write(park, claim)
    cancel_backfill(graph, backfill)
    assert run(graph) == {"launch": "PARKED", "cancelled": None}
    cancel_backfill(graph, backfill, running=True)
    assert run(graph) == {"launch": "QUEUED", "cancelled": True}


def test_a_run_that_is_parked_while_its_backfill_is_cancelled_is_cancelled_too(
    graph: Graph,
) -> None:
    backfill, claim = started(graph)
    overlap(graph, lambda tx: park(tx, claim), lambda tx: _cancel(tx, backfill, True, None))
    assert run(graph) == {"launch": "QUEUED", "cancelled": True}


def test_a_run_that_a_worker_takes_while_the_queued_ones_are_cancelled_goes_on(
    graph: Graph,
) -> None:
    backfill, claim = started(graph)
    graph.query("MATCH (r:Run) SET r.launch = 'QUEUED'", write=True)
    term = timedelta(hours=1)
    overlap(
        graph,
        lambda tx: launches.claim_run(tx, id=claim.id, owner="o", lease=term, claim=None, now=None),
        lambda tx: _cancel(tx, backfill, False, None),
    )
    assert run(graph) == {"launch": "CLAIMED", "cancelled": None}


def test_a_run_that_goes_on_after_a_rest_is_not_cancelled_with_those_that_have_not_begun(
    graph: Graph,
) -> None:
    backfill, claim = started(graph)
    graph.write(launches.set_working, id=claim.id, fence=claim.fence)
    graph.write(park, claim)
    graph.query("MATCH (r:Run) SET r.launch = 'QUEUED', r.state = 'RUNNING'", write=True)
    cancel_backfill(graph, backfill)
    assert run(graph) == {"launch": "QUEUED", "cancelled": None}
    cancel_backfill(graph, backfill, running=True)
    assert run(graph) == {"launch": "QUEUED", "cancelled": True}
