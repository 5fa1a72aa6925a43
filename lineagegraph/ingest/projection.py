"""The uses of datasets by runs and declarations, as relationships of the graph."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from lineagegraph.graph import Transaction
from lineagegraph.ingest.column_facets import partition_key
from lineagegraph.ingest.columns import StatedColumns
from lineagegraph.ingest.joined import JoinedFacts
from lineagegraph.ingest.run_rows import use_properties
from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.model.runs.facts import RunFacts, TimeSpan, Use
from lineagegraph.model.runs.states import EventType, RunState
from lineagegraph.store.jobs import jobs
from lineagegraph.store.jobs.jobs import ColumnFacet
from lineagegraph.store.runs import runs

Feed = tuple[str, str]


class JobUse(NamedTuple):
    """The uses of datasets by one run or declaration, before this batch and after it."""

    job_key: str
    is_run: bool
    before: RunFacts
    after: RunFacts


def link_uses(tx: Transaction, reporters: Iterable[JoinedFacts]) -> None:
    """Write the reads and writes of runs."""
    inputs, outputs = [], []
    for run in reporters:
        for key, use in _news(run.before.inputs, run.after.inputs):
            inputs.append(_use_row(run, key, use))
        ended = _written_at(run.state, run.after)
        known = run.before if ended == _written_at(run.state_before, run.before) else RunFacts()
        for key, use in _news(known.outputs, run.after.outputs):
            row = _use_row(run, key, use)
            version = {"key": canonical_hash([key, run.id])[:32], "written_at": ended}
            partition = {"partition_key": partition_key(row["properties"]["partition_keys"])}
            outputs.append(row | version | partition)
    if inputs or outputs:
        runs.link_uses(tx, inputs=_sorted(inputs), outputs=_sorted(outputs))


def link_flows(
    tx: Transaction, reports: list[dict[str, Any]], uses: Iterable[JobUse]
) -> list[StatedColumns]:
    """Write the inputs and outputs of jobs: a use counts once for each run.

    Return the column lineage of jobs and their outputs that is new, or has new times.
    """
    feeds: dict[Feed, tuple[TimeSpan, int]] = {}
    products: dict[Feed, tuple[TimeSpan, int]] = {}
    columns: dict[Feed, dict[str, TimeSpan]] = {}
    for one in uses:
        _count(feeds, one.job_key, one.before.inputs, one.after.inputs, one.is_run)
        _count(products, one.job_key, one.before.outputs, one.after.outputs, one.is_run)
        for key, use in _news(one.before.outputs, one.after.outputs):
            known = one.before.outputs.get(key)
            _add_columns(columns.setdefault((one.job_key, key), {}), known, use)
    rows = _feed_rows(products)
    for row in rows:
        row["column_facets"] = sorted(columns[row["job_key"], row["dataset_key"]])
    found = jobs.link_flows(tx, reports=reports, feeds=_feed_rows(feeds), products=rows)
    new = {(row.job_key, row.dataset_key, row.hash) for row in found}
    return [
        StatedColumns(ColumnFacet(*feed, hash_), span, (*feed, hash_) in new)
        for feed, spans in sorted(columns.items())
        for hash_, span in sorted(spans.items())
    ]


def _add_columns(spans: dict[str, TimeSpan], before: Use | None, after: Use) -> None:
    """Add the facets of column lineage whose times are news."""
    for hash_, span in after.columns.items():
        if before is None or before.columns.get(hash_) != span:
            spans[hash_] = span | spans.get(hash_, span)


def _count(
    counted: dict[Feed, tuple[TimeSpan, int]],
    job_key: str,
    before: dict[str, Use],
    after: dict[str, Use],
    is_run: bool,
) -> None:
    for key, use in _news(before, after):
        new = int(is_run and key not in before)
        span, count = counted.get((job_key, key), (use.span, 0))
        counted[job_key, key] = (span | use.span, count + new)


def _feed_rows(counted: dict[Feed, tuple[TimeSpan, int]]) -> list[dict[str, Any]]:
    return [
        {
            "job_key": job_key,
            "dataset_key": dataset_key,
            "first_seen": span.first,
            "last_seen": span.last,
            "runs": count,
        }
        for (job_key, dataset_key), (span, count) in sorted(counted.items(), key=lambda i: i[0])
    ]


def _use_row(run: JoinedFacts, key: str, use: Use) -> dict[str, Any]:
    return {
        "id": run.id,
        "dataset_key": key,
        "first_seen": use.span.first,
        "last_seen": use.span.last,
        "schema_at": use.schema_at,
        "properties": use_properties(use),
    }


def _news(before: Mapping[str, Use], after: Mapping[str, Use]) -> Iterator[tuple[str, Use]]:
    """Yield the uses that are new or changed: an earlier event can have had many thousands."""
    for key, use in after.items():
        if before.get(key) != use:
            yield key, use


def _written_at(state: RunState, facts: RunFacts) -> str | None:
    """Return when a run's outputs became true: at its COMPLETE, if that is how it ended."""
    if state is not RunState.COMPLETED or EventType.COMPLETE not in facts.times:
        return None
    return facts.times[EventType.COMPLETE].last


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["id"], row["dataset_key"]))
