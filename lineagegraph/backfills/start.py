"""Start a backfill: from a request to partitions in the graph."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.backfills.latest import list_latest
from lineagegraph.backfills.partitions import MOST_PARTITIONS, BackfillPartition, list_partitions
from lineagegraph.errors import BackfillConflict, BackfillRefused, NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.keys import canonical_hash, canonical_json
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.backfill import BackfillSpan, Which, is_wanted
from lineagegraph.model.typed import decode_json
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.pipelines import definition_files, versions
from lineagegraph.store.triggers import backfills
from lineagegraph.store.triggers.backfills import PartitionRun

_ID = re.compile(r"[\w.-]{1,200}", re.ASCII)
_BATCH = 2_000
_MOST_AT_ONCE = 1_000


class Planned(msgspec.Struct, frozen=True):
    """A partition, the latest run that it had, and whether the backfill would run it."""

    number: int
    params: dict[str, Any]
    partition: str | None
    latest_run: str | None
    latest_state: RunState | None
    will_run: bool


class StartedBackfill(msgspec.Struct, frozen=True):
    """A backfill, whether it is new, and how many of its partitions are to run."""

    id: str
    is_new: bool
    total: int
    to_run: int


def preview_backfill(graph: Graph, job_key: str, span: BackfillSpan) -> list[Planned]:
    """Return the partitions of a span, in the order in which they would run; store nothing."""
    return graph.read(_plan, job_key, span)


def start_backfill(
    graph: Graph,
    job_key: str,
    span: BackfillSpan,
    *,
    backfill_id: str | None = None,
    concurrency: int = 1,
    stop_after: int | None = None,
    now: datetime | None = None,
) -> StartedBackfill:
    """Start a backfill of a pipeline; the same one under the same id is started once.

    At most `concurrency` of its runs are in progress. After `stop_after` failures it pauses.
    """
    named = new_id() if backfill_id is None else backfill_id
    refuse_bad(named, concurrency, stop_after)
    row: dict[str, Any] = {
        "id": named,
        "job_key": job_key,
        "hash": canonical_hash([job_key, span, concurrency, stop_after]),
        "concurrency": concurrency,
        "stop_after": stop_after,
        "token": new_id(),
        "now": now,
    }
    return graph.write(_start, span, row)


def find_started(tx: Transaction, named: str, hash_: str) -> StartedBackfill | None:
    """Return a backfill as it was started, None if there is none of that id.

    Raises `BackfillConflict` if it has other content.
    """
    known = backfills.get_counts(tx, id=named)
    if known is None:
        return None
    if known.hash != hash_:
        raise BackfillConflict(
            f"backfill {named} exists already with other options: choose a new id"
        )
    return StartedBackfill(named, False, known.total, known.to_run)


def refuse_bad(named: str, concurrency: int, stop_after: int | None) -> None:
    """Raise `BackfillRefused` for an id or number that no backfill can have."""
    if not _ID.fullmatch(named):
        raise BackfillRefused(
            f"id {named!r} is not valid: use letters, digits, '_', '-' and '.', at most 200"
        )
    if not 1 <= concurrency <= _MOST_AT_ONCE:
        raise BackfillRefused(f"concurrency {concurrency} must be from 1 to {_MOST_AT_ONCE:,}")
    if stop_after is not None and not 1 <= stop_after <= MOST_PARTITIONS:
        raise BackfillRefused(f"stop_after {stop_after} must be from 1 to {MOST_PARTITIONS:,}")


def _start(tx: Transaction, span: BackfillSpan, row: dict[str, Any]) -> StartedBackfill:
    named = row["id"]
    # Before it is planned: what was to run then may have run, and the pipeline may be another.
    if known := find_started(tx, named, row["hash"]):
        return known
    plan = _plan(tx, row["job_key"], span)
    to_run = sum(one.will_run for one in plan)
    merged = backfills.merge_backfill(
        tx, which=span.which, order=span.order, total=len(plan), **row
    )
    if merged is None:
        raise NotFound("the job of the pipeline was deleted: run `lineagegraph sync PATH` first")
    if not merged.is_new and (known := find_started(tx, named, row["hash"])):
        return known
    for batch in _batches(plan):
        backfills.merge_partitions(tx, id=named, rows=[_row(one) for one in batch])
    limits = {"concurrency": row["concurrency"], "stop_after": row["stop_after"]}
    audit(tx, "backfill.start", named, after={"span": span, "to_run": to_run} | limits)
    backfills.settle_backfill(tx, id=named, now=row["now"])
    return StartedBackfill(named, True, len(plan), to_run)


def _plan(tx: Transaction, job_key: str, span: BackfillSpan) -> list[Planned]:
    pipeline = _pipeline(tx, job_key)
    if span.which in (Which.MISSING, Which.FAILED) and not pipeline.partition_by:
        raise BackfillRefused(
            f"the earlier partitions of {pipeline.name} are unknown: give it partition_by, and sync"
        )
    found = list_partitions(pipeline, span)
    return [
        _planned(one, latest, span.which)
        for batch in _batches(found)
        for one, latest in zip(batch, _latest(tx, job_key, batch), strict=True)
    ]


def _pipeline(tx: Transaction, job_key: str) -> Pipeline:
    text = versions.get_definition(tx, job_key=job_key)
    if text is None:
        raise NotFound("the job is not a synced pipeline: run `lineagegraph sync PATH` first")
    if withdrawn := definition_files.get_withdrawn(tx, job_key=job_key):
        raise BackfillRefused(f"{withdrawn.reason}, and no run of it would start: sync it first")
    return decode_json(text, into=Pipeline)


def _latest(
    tx: Transaction, job_key: str, found: Sequence[BackfillPartition]
) -> list[PartitionRun]:
    rows = [{"number": one.number, "partition": one.partition} for one in found]
    latest = list_latest(tx, job_key, rows)
    return sorted(latest, key=lambda one: one.number)


def _planned(one: BackfillPartition, latest: PartitionRun, which: Which) -> Planned:
    return Planned(
        number=one.number,
        params=one.params,
        partition=one.partition,
        latest_run=latest.run_id,
        latest_state=latest.state,
        will_run=is_wanted(which, latest.state, latest.has_completed),
    )


def _row(one: Planned) -> dict[str, Any]:
    return {
        "number": one.number,
        "params": canonical_json(one.params),
        "partition": one.partition,
        "state": "UNSTARTED" if one.will_run else "SKIPPED",
    }


def _batches(found: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(found), _BATCH):
        yield found[start : start + _BATCH]
