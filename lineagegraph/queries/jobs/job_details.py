"""Jobs with their ancestors, data, newest runs and facets."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Transaction
from lineagegraph.model.runs.facts import RunFacts, decode_facts
from lineagegraph.queries.find.resolve import served_namespace
from lineagegraph.queries.runs.run_details import Facets, RunDetail
from lineagegraph.queries.runs.use_facets import drop_deleted
from lineagegraph.store.jobs import details
from lineagegraph.store.jobs.details import JobDetailRow

NEWEST = 10


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


def describe_job(tx: Transaction, key: str, inherit: bool, runs: int = NEWEST) -> JobDetail:
    """Return the job of a key; raise `NotFound` if it is no longer there."""
    found = describe_jobs(tx, [key], inherit, runs)
    if not found:
        raise NotFound(f"no job with key {key}: it is no longer in the graph")
    return found[0]


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


def latest_facets(
    tx: Transaction, keys: Iterable[str], name: str | None = None
) -> dict[str, Facets]:
    """Return the latest facet of each name, or of one, from the runs of jobs and job events."""
    found: dict[str, Facets] = {key: {} for key in keys}
    for row in details.list_job_facets(tx, keys=sorted(found), name=name):
        found[row.key][row.name] = msgspec.Raw(row.body.encode())
    return {key: drop_deleted(facets) for key, facets in found.items()}
