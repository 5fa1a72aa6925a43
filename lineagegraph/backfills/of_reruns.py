"""Many old runs of a pipeline run again: a backfill whose partitions are runs."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.backfills.start import StartedBackfill, find_started, refuse_bad
from lineagegraph.errors import BackfillConflict, InvalidParameter, RerunRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import canonical_hash, canonical_json
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.model.runs.states import FINAL
from lineagegraph.model.triggers.backfill import PartitionOrder, Which
from lineagegraph.reruns.plan import Plan, plan_rerun
from lineagegraph.reruns.start import refusal
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.runs import reruns
from lineagegraph.store.triggers import backfills

Note = Callable[[int, int], None]
_MOST = 20_000
_BATCH = 500


class BulkRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to rerun runs of a pipeline, by time of queueing and states, each like `each`.

    A range without an end ends now. Without an id, equal requests have the same id.
    """

    job_key: str  # key of the pipeline's job
    since: datetime | None = None  # earliest time of queueing; None for no limit
    until: datetime | None = None  # time before which the runs were queued; None for now
    states: tuple[str, ...] = ()  # states of the runs that count; empty for all final ones
    each: RerunRequest  # terms of each rerun; its `run` is replaced by the run's id
    concurrency: int = 1  # reruns that may be in progress at once
    stop_after: int | None = None  # failures after which the backfill pauses; None for never
    id: str | None = None  # id of the backfill; None for one that is made of the request

    @property
    def hash(self) -> str:
        """The hash of the request; how many at once does not count."""
        asked = msgspec.structs.replace(self, concurrency=1, stop_after=None, id=None)
        return canonical_hash(asked)

    @property
    def named(self) -> str:
        """The id of the backfill."""
        return self.id or f"rerun-{self.hash[:16]}"


class Candidate(msgspec.Struct, frozen=True):
    """A run of the range: the plan of its rerun, or the reason if it cannot run."""

    run: str
    plan: Plan | None
    refused: str | None


def plan_bulk(
    graph: Graph, settings: Settings, request: BulkRequest, note: Note = lambda done, total: None
) -> list[Candidate]:
    """Return the plan of each rerun; nothing is stored.

    The newest of a run and its reruns counts. Raises `RerunAsks` without a policy.
    """
    found = _find(graph, request)
    candidates = []
    for done, run_id in enumerate(found, start=1):
        asked = msgspec.structs.replace(request.each, run=run_id)
        candidates.append(_candidate(graph, settings, asked))
        note(done, len(found))
    return candidates


def start_bulk(
    graph: Graph,
    settings: Settings,
    request: BulkRequest,
    note: Note = lambda done, total: None,
    *,
    now: datetime | None = None,
) -> StartedBackfill:
    """Start a backfill of reruns; the same call again continues it with the same plans.

    A run that cannot be rerun is left out, and its partition has the reason.
    """
    named = request.named
    refuse_bad(named, request.concurrency, request.stop_after)
    if known := graph.read(find_started, named, request.hash):
        return known
    planned = plan_bulk(graph, settings, request, note)
    rows = [_row(number, one) for number, one in enumerate(planned)]
    return graph.write(_store, request, rows, now)


def _find(graph: Graph, request: BulkRequest) -> list[str]:
    for state in set(request.states) - FINAL:
        known = ", ".join(sorted(FINAL))
        raise RerunRefused(f"{state!r} is not a state of ended runs: use {known}")
    found = graph.read(
        reruns.list_range,
        job_key=request.job_key,
        since=request.since,
        until=request.until,
        states=list(request.states) or sorted(FINAL),
        most=_MOST + 1,
    )
    if len(found) > _MOST:
        raise RerunRefused(f"more than {_MOST:,} runs: choose a shorter range")
    return found


def _candidate(graph: Graph, settings: Settings, asked: RerunRequest) -> Candidate:
    try:
        plan = plan_rerun(graph, settings, asked)
    except (RerunRefused, InvalidParameter) as error:
        return Candidate(asked.run, None, str(error))
    return Candidate(asked.run, plan, str(refusal(plan)) if plan.missing else None)


def _row(number: int, one: Candidate) -> dict[str, Any]:
    return {
        "number": number,
        "params": canonical_json(one.plan.params if one.plan else {}),
        "partition": one.plan.partition if one.plan else None,
        "state": "SKIPPED" if one.refused else "UNSTARTED",
        "reason": one.refused,
        "repeats": canonical_json(one.plan.repeats) if one.plan else None,
    }


def _store(
    tx: Transaction, request: BulkRequest, rows: list[dict[str, Any]], now: datetime | None
) -> StartedBackfill:
    named, token = request.named, new_id()
    merged = backfills.merge_backfill(
        tx,
        id=named,
        job_key=request.job_key,
        hash=request.hash,
        which=Which.ALL,
        order=PartitionOrder.OLDEST,
        concurrency=request.concurrency,
        stop_after=request.stop_after,
        total=len(rows),
        token=token,
        now=now,
    )
    if merged is None or not merged.is_new:
        raise BackfillConflict(
            f"{named} was started by another process at the same time: try again"
        )
    for start in range(0, len(rows), _BATCH):
        backfills.merge_partitions(tx, id=named, rows=rows[start : start + _BATCH])
    audit(tx, "backfill.start", named, after={"reruns": request})
    backfills.settle_backfill(tx, id=named, now=now)
    return StartedBackfill(named, True, len(rows), sum(row["state"] == "UNSTARTED" for row in rows))
