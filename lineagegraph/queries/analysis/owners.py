"""Owners of jobs and datasets, from OpenLineage's facet `ownership`."""

from collections.abc import Mapping

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.datasets.dataset_details import describe_datasets
from lineagegraph.queries.jobs.job_details import JobDetail, describe_jobs
from lineagegraph.queries.owner_names import Owners, owners_in
from lineagegraph.store.datasets.datasets import list_uses
from lineagegraph.store.jobs.details import list_namespace_owners
from lineagegraph.store.jobs.jobs import list_outside_spark


class Owned(msgspec.Struct, frozen=True):
    """A job or dataset and its owners; `by` is the source of the ownership, None without owners.

    The source is `itself`, the `job above`, or its `namespace`.
    """

    kind: str
    namespace: str
    name: str
    owners: Owners
    by: str | None


def list_owners(graph: Graph) -> list[Owned]:
    """Return the owners of all datasets, pipelines and tasks; those without an owner first."""
    found = graph.read(_read_all)
    return sorted(found, key=lambda one: (bool(one.owners), one.kind, one.name, one.namespace))


def owners_of(tx: Transaction, jobs: list[str], datasets: list[str]) -> dict[str, Owned]:
    """Return the owners of some jobs and datasets, by key."""
    known = {one.row.key: one for one in describe_jobs(tx, jobs, inherit=False, runs=1)}
    above = {one.key for job in known.values() for one in job.row.ancestors} - known.keys()
    known |= {o.row.key: o for o in describe_jobs(tx, sorted(above), inherit=False, runs=1)}
    tables = describe_datasets(tx, datasets)
    names = {job.row.namespace for job in known.values()}
    names |= {table.row.namespace for table in tables}
    spaces = {row.name: row.owner for row in list_namespace_owners(tx, names=sorted(names))}
    found = {key: _job(known[key], known, spaces) for key in jobs if key in known}
    for table in tables:
        said = [(owners_in(table.facets), "itself"), (_space(spaces, table.row.namespace))]
        found[table.row.key] = _owned("dataset", table.row.namespace, table.row.name, said)
    return found


def _read_all(tx: Transaction) -> list[Owned]:
    jobs = [job.key for job in list_outside_spark(tx)]
    datasets = [dataset.key for dataset in list_uses(tx)]
    return list(owners_of(tx, jobs, datasets).values())


def _job(job: JobDetail, known: Mapping[str, JobDetail], spaces: Mapping[str, str | None]) -> Owned:
    above = [known[one.key] for one in reversed(job.row.ancestors) if one.key in known]
    said = [
        (owners_in(job.facets), "itself"),
        *((owners_in(one.facets), "job above") for one in above),
        *(_space(spaces, one.row.namespace) for one in (job, *above)),
    ]
    return _owned("job", job.row.namespace, job.row.name, said)


def _space(spaces: Mapping[str, str | None], name: str) -> tuple[Owners, str]:
    owner = spaces.get(name)
    return ((owner,) if owner else (), "namespace")


def _owned(kind: str, namespace: str, name: str, said: list[tuple[Owners, str]]) -> Owned:
    owners, by = next((one for one in said if one[0]), ((), None))
    return Owned(kind, namespace, name, owners, by)
