"""The uses of datasets by runs and declarations, as relationships of the graph."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from lineagegraph.graph import Transaction
from lineagegraph.ingest.column_facets import partition_key
from lineagegraph.ingest.columns import StatedColumns
from lineagegraph.ingest.dependencies import list_orders
from lineagegraph.ingest.joined import JoinedFacts
from lineagegraph.ingest.run_rows import use_properties
from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.model.runs.facts import RunFacts, Stamped, TimeSpan, Use
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.jobs import jobs
from lineagegraph.store.jobs.jobs import ColumnFacet
from lineagegraph.store.runs import runs

Feed = tuple[str, str]
_OF_JOB = "job:"
_WITHOUT_DATA = ("DROP", "RENAME", "ALTER")
_STREAMED = {RunState.RUNNING, RunState.FAILED, RunState.KILLED}


class JobUse(NamedTuple):
    """The uses of datasets by one run or declaration, before this batch and after it.

    Replaced uses are left out of both.
    """

    job_key: str
    is_run: bool
    before: RunFacts
    after: RunFacts


def link_uses(tx: Transaction, reporters: Iterable[JoinedFacts]) -> None:
    """Write the reads and writes of runs."""
    inputs, outputs, replaced = [], [], []
    for run in reporters:
        before, after = run.before.effective, run.after.effective
        replaced += _replaced_rows(run.id, before, after)
        for key, use in _news(before.inputs, after.inputs):
            inputs.append(_use_row(run, key, use))
        for key, use in after.outputs.items():
            known = before.outputs.get(key)
            times = _version_times(run.state, after, use)
            if known == use and times == _version_times(run.state_before, before, use):
                continue
            row = _use_row(run, key, use)
            version = {"key": _version_key(run.id, key), **times}
            partition = {"partition_key": partition_key(row["properties"]["partition_keys"])}
            outputs.append(row | version | partition)
    if replaced:
        runs.delete_uses(tx, rows=_sorted(replaced))
    if inputs or outputs:
        runs.link_uses(tx, inputs=_sorted(inputs), outputs=_sorted(outputs))


def has_replaced(one: JoinedFacts) -> bool:
    """Return whether news replaced known inputs or outputs of a run."""
    return bool(_replaced_rows(one.id, one.before.effective, one.after.effective))


def _replaced_rows(run: str, before: RunFacts, after: RunFacts) -> list[dict[str, Any]]:
    reads = before.inputs.keys() - after.inputs.keys()
    writes = before.outputs.keys() - after.outputs.keys()
    rows: list[dict[str, Any]] = [
        {"id": run, "dataset_key": key, "version_key": None} for key in reads
    ]
    return rows + [
        {"id": run, "dataset_key": key, "version_key": _version_key(run, key)} for key in writes
    ]


def _version_key(run: str, dataset: str) -> str:
    return canonical_hash([dataset, run])[:32]


def link_flows(
    tx: Transaction,
    reports: list[dict[str, Any]],
    uses: list[JobUse],
    shown_by: str | None,
) -> list[StatedColumns]:
    """Write the facets, inputs and outputs of jobs: a use counts once for each run.

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
    orders = sorted(
        (_order_row(one.job_key, *order) for one in uses for order in list_orders(*one[2:])),
        key=lambda row: (row["job_key"], row["declaration_key"], row["said"]),
    )
    if orders:
        jobs.link_orders(tx, rows=orders)
    rows = _feed_rows(products)
    for row in rows:
        row["column_facets"] = sorted(columns[row["job_key"], row["dataset_key"]])
    found = jobs.link_flows(
        tx,
        facets=_facet_rows(uses),
        reports=reports,
        feeds=_feed_rows(feeds),
        products=rows,
        shown_by=shown_by,
    )
    new = {(row.job_key, row.dataset_key, row.hash) for row in found}
    return [
        StatedColumns(ColumnFacet(*feed, hash_), span, (*feed, hash_) in new)
        for feed, spans in sorted(columns.items())
        for hash_, span in sorted(spans.items())
    ]


def _facet_rows(uses: Iterable[JobUse]) -> list[dict[str, Any]]:
    """Return the latest facet of each name that the events of jobs had."""
    latest: dict[tuple[str, str], Stamped] = {}
    for one in uses:
        for said, stamped in one.after.said.items():
            if said.startswith(_OF_JOB) and one.before.said.get(said) != stamped:
                place = one.job_key, said[len(_OF_JOB) :]
                latest[place] = latest.get(place, stamped) | stamped
    return [
        {
            "job_key": job_key,
            "name": name,
            "hash": stamped.value,
            "at": stamped.at,
            # The larger text is the later word, as with the facts of a run.
            "said": f"{stamped.rank} {stamped.at} {stamped.value}",
        }
        for (job_key, name), stamped in sorted(latest.items(), key=lambda item: item[0])
    ]


def _order_row(job_key: str, is_after: bool, declaration: str, rules: Stamped) -> dict[str, Any]:
    said = f"{rules.at} {rules.value}"
    return {
        "job_key": job_key,
        "declaration_key": declaration,
        "is_after": is_after,
        "last_seen": rules.at,
        "rules": rules.value,
        "said": said,
    }


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


def written_at(state: RunState, facts: RunFacts, use: Use) -> str | None:
    """Return when a run's output became true: when the run completed.

    An output of a stream that did not complete is true from its first report on. One that was
    only dropped, renamed or altered has no new data.
    """
    if use.get("change") in _WITHOUT_DATA:
        return None
    if state is RunState.COMPLETED and facts.completed_at:
        return facts.completed_at
    is_stream = facts.is_streaming and state in _STREAMED
    return use.span.first if is_stream else None


def _version_times(state: RunState, facts: RunFacts, use: Use) -> dict[str, str | None]:
    """Return when a run's output became true, and since when others could read it before that.

    The latter is of a stream that completed: its output was true from its first report on.
    """
    written = written_at(state, facts, use)
    was_read = facts.is_streaming and written is not None and use.span.first < written
    return {"written_at": written, "begun_at": use.span.first if was_read else None}


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["id"], row["dataset_key"]))
