"""Jobs with what belongs to each: ancestors, data, newest runs and facets."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from lineagegraph.explore.resolve import served_namespace
from lineagegraph.explore.run_details import Facets, RunDetail, facet_map, list_runs
from lineagegraph.graph import Transaction
from lineagegraph.model.facts import RunFacts, decode_facts
from lineagegraph.store import details
from lineagegraph.store.details import JobDetailRow
from lineagegraph.store.facets import list_bodies

NEWEST = 10


class JobDetail(msgspec.Struct, frozen=True):
    """A job; `namespace` is the one that it is served in, `runs` are its newest ones.

    Its facets are what job events declared of it, and its newest run said.
    """

    row: JobDetailRow
    namespace: str
    runs: tuple[RunDetail, ...]
    facets: Facets
    created_at: datetime | None
    updated_at: datetime | None


def describe_jobs(
    tx: Transaction, keys: list[str], inherit: bool, runs: int = NEWEST
) -> list[JobDetail]:
    """Return jobs in the order of their keys."""
    rows = {row.key: row for row in details.list_jobs(tx, keys=keys, runs=runs)}
    ids = [run for row in rows.values() for run in row.runs]
    found = {run.row.id: run for run in list_runs(tx, ids, inherit)}
    newest = [row.runs[0] for row in rows.values() if row.runs]
    said = facets_by_run(tx, newest)
    return [_detail(tx, rows[key], found, said, inherit) for key in keys if key in rows]


def _detail(
    tx: Transaction,
    row: JobDetailRow,
    found: dict[str, RunDetail],
    said: dict[str, Facets],
    inherit: bool,
) -> JobDetail:
    top = row.ancestors[0].namespace if row.ancestors else row.namespace
    declared = [decode_facts(text, RunFacts) for text in row.declared]
    runs = tuple(found[run] for run in row.runs if run in found)
    firsts = [
        row.created_at,
        *(datetime.fromisoformat(one.heard_at) for one in declared if one.heard_at),
    ]
    lasts = [runs[0].row.state_at or runs[0].row.created_at] if runs else []
    lasts += [datetime.fromisoformat(facts.said["name"].at) for facts in declared]
    return JobDetail(
        row=row,
        namespace=served_namespace(row.namespace, top, inherit),
        runs=runs,
        facets=declared_facets(tx, declared) | (said.get(row.runs[0], {}) if row.runs else {}),
        created_at=min(filter(None, firsts), default=None),
        updated_at=max(filter(None, lasts), default=None),
    )


def facets_by_run(tx: Transaction, ids: list[str]) -> dict[str, Facets]:
    """Return what each run said of its job."""
    rows = details.list_run_facets(tx, ids=ids, scope="job")
    return {id_: facet_map(row for row in rows if row.id == id_) for id_ in {r.id for r in rows}}


def declared_facets(
    tx: Transaction, declared: Iterable[RunFacts], at: datetime | None = None
) -> Facets:
    """Return what job events declared, or what of it was said by a time."""
    hashes = {
        said.value
        for facts in declared
        for name, said in facts.said.items()
        if name.startswith("job:") and said.value
        if at is None or datetime.fromisoformat(said.at) <= at
    }
    bodies = list_bodies(tx, hashes=sorted(hashes))
    return {facet.name: msgspec.Raw(facet.body.encode()) for facet in bodies}
