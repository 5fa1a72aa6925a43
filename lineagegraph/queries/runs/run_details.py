"""Runs with their job, facets, reads and writes."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.runs.ids import PRODUCER
from lineagegraph.queries.find.resolve import served_namespace
from lineagegraph.queries.runs.use_facets import UseFacets, read_use_facets
from lineagegraph.store.jobs import details
from lineagegraph.store.jobs.details import (
    FacetRow,
    ParentRow,
    RunDetailRow,
    RunFacetRow,
    RunUseRow,
)

_SCHEMA = "https://openlineage.io/spec/facets/1-1-0/ParentRunFacet.json#/$defs/ParentRunFacet"


def parent_facet(parent: ParentRow) -> msgspec.Raw:
    """Return the parent facet; ingest stores it as a relationship."""
    body = {
        "_producer": PRODUCER,
        "_schemaURL": _SCHEMA,
        "run": {"runId": parent.id},
        "job": {"namespace": parent.namespace, "name": parent.name},
    }
    return msgspec.Raw(msgspec.json.encode(body))


R = TypeVar("R", RunFacetRow, RunUseRow)
Facets = dict[str, msgspec.Raw]


class RunDetail(msgspec.Struct, frozen=True):
    """A run; `namespace` is the one that its job is served in."""

    row: RunDetailRow
    namespace: str
    facets: Facets = {}
    reads: tuple[RunUseRow, ...] = ()
    writes: tuple[RunUseRow, ...] = ()
    use_facets: UseFacets = UseFacets()


def describe_runs(tx: Transaction, ids: list[str], inherit: bool) -> list[RunDetail]:
    """Return runs in the order of their ids, with facets and data."""
    facets = _by_run(details.list_run_facets(tx, ids=ids, scope="run"))
    reads = _by_run(details.list_reads(tx, ids=ids))
    writes = _by_run(details.list_writes(tx, ids=ids))
    use_facets = read_use_facets(tx, ids)
    return [
        msgspec.structs.replace(
            run,
            facets=facet_map(facets.get(run.row.id, ())) | parent_facets(run),
            reads=tuple(reads.get(run.row.id, ())),
            writes=tuple(writes.get(run.row.id, ())),
            use_facets=use_facets.get(run.row.id, UseFacets()).present(),
        )
        for run in list_runs(tx, ids, inherit)
    ]


def parent_facets(run: RunDetail) -> Facets:
    """Return the facet with a run's parent, if it has one."""
    return {"parent": parent_facet(run.row.parent)} if run.row.parent else {}


def list_runs(tx: Transaction, ids: list[str], inherit: bool) -> list[RunDetail]:
    """Return runs in the order of their ids, without facets and data."""
    found = {row.id: row for row in details.list_runs(tx, ids=ids)}
    return [_detail(found[id_], inherit) for id_ in ids if id_ in found]


def facet_map(rows: Iterable[RunFacetRow | FacetRow]) -> Facets:
    """Return facets by name."""
    return {row.name: msgspec.Raw(row.body.encode()) for row in rows}


def duration_ms(run: RunDetailRow) -> int | None:
    """Return the duration of an ended run in milliseconds, None for others."""
    if run.started_at is None or run.ended_at is None:
        return None
    # The clocks of two machines may date the end before the start.
    return max(round((run.ended_at - run.started_at).total_seconds() * 1000), 0)


def _detail(row: RunDetailRow, inherit: bool) -> RunDetail:
    own, top = row.namespace or "", row.top_namespace or ""
    return RunDetail(row, served_namespace(own, top, inherit))


def _by_run(rows: Iterable[R]) -> dict[str, list[R]]:
    sorted_out: dict[str, list[R]] = {}
    for row in rows:
        sorted_out.setdefault(row.id, []).append(row)
    return sorted_out
