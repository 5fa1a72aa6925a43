"""Jobs with their ancestors, data, newest runs and facets."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.runs.facts import RunFacts, decode_facts
from lineagegraph.queries.find.resolve import served_namespace
from lineagegraph.queries.runs.run_details import Facets, RunDetail, facet_map
from lineagegraph.store.jobs import details
from lineagegraph.store.jobs.details import JobDetailRow
from lineagegraph.store.runs.facets import list_bodies

NEWEST = 10


class JobDetail(msgspec.Struct, frozen=True):
    """A job; `namespace` is the one that it is served in, `runs` are its newest ones.

    Its facets come from job events and from its newest run.
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
    declared = {key: decode_declared(row) for key, row in rows.items()}
    said = facets_by_run(tx, [row.runs[0].id for row in rows.values() if row.runs])
    facets = declared_facets(tx, declared)
    return [
        _detail(rows[key], declared[key], facets[key] | _newest(rows[key], said), inherit)
        for key in keys
        if key in rows
    ]


def decode_declared(row: JobDetailRow) -> list[RunFacts]:
    """Return the facts that job events declared about a job."""
    return [decode_facts(text, RunFacts) for text in row.declared]


def _detail(
    row: JobDetailRow, declared: list[RunFacts], facets: Facets, inherit: bool
) -> JobDetail:
    top = row.ancestors[0].namespace if row.ancestors else row.namespace
    namespace = served_namespace(row.namespace, top, inherit)
    firsts = [
        row.created_at,
        *(datetime.fromisoformat(one.heard_at) for one in declared if one.heard_at),
    ]
    lasts = [row.runs[0].state_at or row.runs[0].created_at] if row.runs else []
    lasts += [datetime.fromisoformat(facts.said["name"].at) for facts in declared]
    return JobDetail(
        row=row,
        namespace=namespace,
        runs=tuple(RunDetail(run, namespace) for run in row.runs),
        facets=facets,
        created_at=min(filter(None, firsts), default=None),
        updated_at=max(filter(None, lasts), default=None),
    )


def _newest(row: JobDetailRow, said: dict[str, Facets]) -> Facets:
    """Return the facets of a job from its newest run."""
    return said.get(row.runs[0].id, {}) if row.runs else {}


def facets_by_run(tx: Transaction, ids: list[str]) -> dict[str, Facets]:
    """Return the job facets that each run reported."""
    found: dict[str, Facets] = {}
    for row in details.list_run_facets(tx, ids=ids, scope="job"):
        found.setdefault(row.id, {}).update(facet_map([row]))
    return found


def declared_facets(
    tx: Transaction, declared: dict[str, list[RunFacts]], at: datetime | None = None
) -> dict[str, Facets]:
    """Return the facets that job events declared for each job, or had declared by a time."""
    hashes = {key: sorted(_hashes(some, at)) for key, some in declared.items()}
    wanted = {hash_ for some in hashes.values() for hash_ in some}
    bodies = {facet.hash: facet for facet in list_bodies(tx, hashes=sorted(wanted))}
    return {
        key: {bodies[hash_].name: msgspec.Raw(bodies[hash_].body.encode()) for hash_ in some}
        for key, some in hashes.items()
    }


def _hashes(declared: Iterable[RunFacts], at: datetime | None) -> set[str]:
    return {
        said.value
        for facts in declared
        for name, said in facts.said.items()
        if name.startswith("job:") and said.value
        if at is None or datetime.fromisoformat(said.at) <= at
    }
