"""Jobs with their ancestors, data, newest runs and facets."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.runs.facts import RunFacts, Stamped, decode_facts
from lineagegraph.queries.find.resolve import served_namespace
from lineagegraph.queries.runs.run_details import Facets, RunDetail, facet_map
from lineagegraph.queries.runs.use_facets import drop_deleted
from lineagegraph.store.jobs import details
from lineagegraph.store.jobs.details import JobDetailRow
from lineagegraph.store.runs.facets import list_bodies

NEWEST = 10
# Of a past time: a run that only began reports few facets, those of the runs before it count too.
FACET_RUNS = 5


class JobDetail(msgspec.Struct, frozen=True):
    """A job; `namespace` is the one that it is served in, `runs` are its newest ones.

    Its facets come from job events and from its runs: the latest of each name.
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
    declared = {key: decode_declared(row.declared) for key, row in rows.items()}
    facets = latest_facets(tx, keys)
    return [_detail(rows[key], declared[key], facets[key], inherit) for key in keys if key in rows]


def decode_declared(declared: Iterable[str]) -> list[RunFacts]:
    """Return the facts that job events declared about a job."""
    return [decode_facts(text, RunFacts) for text in declared]


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


def facets_by_run(tx: Transaction, ids: list[str]) -> dict[str, Facets]:
    """Return the job facets that each run reported."""
    found: dict[str, Facets] = {}
    for row in details.list_run_facets(tx, ids=ids, scope="job"):
        found.setdefault(row.id, {}).update(facet_map([row]))
    return found


def latest_facets(
    tx: Transaction, keys: Iterable[str], name: str | None = None
) -> dict[str, Facets]:
    """Return the latest facet of each name, or of one, from the runs of jobs and job events."""
    found: dict[str, Facets] = {key: {} for key in keys}
    for row in details.list_job_facets(tx, keys=sorted(found), name=name):
        found[row.key][row.name] = msgspec.Raw(row.body.encode())
    return {key: drop_deleted(facets) for key, facets in found.items()}


def declared_facets(
    tx: Transaction, declared: dict[str, list[RunFacts]], at: datetime
) -> dict[str, Facets]:
    """Return the facets that job events had declared for each job by a time."""
    return _bodies_of(tx, {key: _stamps(some, at) for key, some in declared.items()})


def _bodies_of(tx: Transaction, stamps: dict[str, dict[str, Stamped]]) -> dict[str, Facets]:
    hashes = {stamp.value for some in stamps.values() for stamp in some.values()}
    bodies = {row.hash: row.body for row in list_bodies(tx, hashes=sorted(hashes))}
    return {
        key: {name: msgspec.Raw(bodies[stamp.value].encode()) for name, stamp in some.items()}
        for key, some in stamps.items()
    }


def _stamps(declared: Iterable[RunFacts], at: datetime | None = None) -> dict[str, Stamped]:
    """Return the latest facet of each name that job events declared, as a hash."""
    found: dict[str, Stamped] = {}
    for facts in declared:
        for said, stamp in facts.said.items():
            scope, _, name = said.partition(":")
            is_known = at is None or datetime.fromisoformat(stamp.at) <= at
            if scope == "job" and name and stamp.value and is_known:
                found[name] = found.get(name, stamp) | stamp
    return found
