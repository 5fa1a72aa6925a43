"""What runs and declarations say of datasets, as relationships of the graph."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.ingest.joined import Reporter
from lineagegraph.ingest.run_rows import to_time, use_properties
from lineagegraph.model.canonical import canonical_hash
from lineagegraph.model.facts import RunFacts, Span, Use
from lineagegraph.model.states import EventType, RunState
from lineagegraph.store import jobs, runs

Feed = tuple[str, str]


def link_uses(tx: Transaction, reporters: Iterable[Reporter]) -> None:
    """Write what runs read and wrote."""
    inputs, outputs = [], []
    for run in reporters:
        for key, use in run.after.inputs.items():
            inputs.append(_use_row(run, key, use))
        for key, use in run.after.outputs.items():
            version = {"key": canonical_hash([key, run.id])[:32], "written_at": _written_at(run)}
            outputs.append(_use_row(run, key, use) | version)
    runs.link_inputs(tx, rows=_sorted(inputs))
    runs.link_outputs(tx, rows=_sorted(outputs))


def add_feeds(tx: Transaction, reporters: Iterable[Reporter]) -> None:
    """Add what is new to the job-level view: a use counts once for each run."""
    feeds: dict[Feed, tuple[Span, int]] = {}
    products: dict[Feed, tuple[Span, int]] = {}
    for one in reporters:
        assert one.job_key is not None
        before, after = one.before, one.after
        _count(feeds, one.job_key, before.inputs, after.inputs, one.is_run)
        _count(products, one.job_key, before.outputs, after.outputs, one.is_run)
    jobs.link_feeds(tx, rows=_feed_rows(feeds))
    jobs.link_products(tx, rows=_feed_rows(products))


def rebuild_feeds(tx: Transaction, facts: Iterable[tuple[str, bool, RunFacts]]) -> None:
    """Write the job-level view of jobs from all that their runs and declarations reported."""
    feeds: dict[Feed, tuple[Span, int]] = {}
    products: dict[Feed, tuple[Span, int]] = {}
    for job_key, is_run, said in facts:
        _count(feeds, job_key, {}, said.inputs, is_run)
        _count(products, job_key, {}, said.outputs, is_run)
    jobs.link_feeds(tx, rows=_feed_rows(feeds))
    jobs.link_products(tx, rows=_feed_rows(products))


def group_columns(
    facts: Iterable[tuple[str, RunFacts, RunFacts]],
) -> dict[tuple[str, str, str], Span]:
    """Return what is new of column lineage, from each job's facts before and after.

    The spans are by job, output dataset and hash of the facet.
    """
    spans: dict[tuple[str, str, str], Span] = {}
    for job_key, before, after in facts:
        for key, use in after.outputs.items():
            known = before.outputs[key].columns if key in before.outputs else {}
            for hash_, span in use.columns.items():
                if known.get(hash_) != span:
                    where = job_key, key, hash_
                    spans[where] = spans[where] | span if where in spans else span
    return spans


def _count(
    counted: dict[Feed, tuple[Span, int]],
    job_key: str,
    before: dict[str, Use],
    after: dict[str, Use],
    is_run: bool,
) -> None:
    for key, use in after.items():
        new = int(is_run and key not in before)
        span, count = counted.get((job_key, key), (use.span, 0))
        counted[job_key, key] = (span | use.span, count + new)


def _feed_rows(counted: dict[Feed, tuple[Span, int]]) -> list[dict[str, Any]]:
    return [
        {
            "job_key": job_key,
            "dataset_key": dataset_key,
            "first_seen": to_time(span.first),
            "last_seen": to_time(span.last),
            "runs": count,
        }
        for (job_key, dataset_key), (span, count) in sorted(counted.items(), key=lambda i: i[0])
    ]


def _use_row(run: Reporter, key: str, use: Use) -> dict[str, Any]:
    return {"id": run.id, "dataset_key": key, "properties": use_properties(use)}


def _written_at(run: Reporter) -> datetime | None:
    """Return when a run's outputs became true: at its COMPLETE, if that is how it ended."""
    if run.state is not RunState.COMPLETED:
        return None
    return to_time(run.after.times[EventType.COMPLETE].last)


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["id"], row["dataset_key"]))
