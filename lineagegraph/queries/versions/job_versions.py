"""Versions of jobs with their newest run, its data, and the location of the code."""

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.jobs.job_details import JobDetail, describe_job
from lineagegraph.queries.jobs.pages import Cut, Page
from lineagegraph.queries.runs.run_details import Facets, RunDetail, describe_runs, facet_map
from lineagegraph.store.jobs.details import list_run_facets
from lineagegraph.store.jobs.job_versions import (
    JobVersionRow,
    count_versions,
    list_newest_runs,
    list_versions,
    list_versions_starting,
)


class JobVersionDetail(msgspec.Struct, frozen=True):
    """A version of a job, its newest run, and the job facets that run reported."""

    row: JobVersionRow
    job: JobDetail
    run: RunDetail | None
    facets: Facets


def page_job_versions(graph: Graph, key: str, inherit: bool, cut: Cut) -> Page[JobVersionDetail]:
    """Return the versions of a job, newest first."""

    def work(tx: Transaction) -> Page[JobVersionDetail]:
        rows = list_versions(tx, key=key, limit=cut.limit, offset=cut.offset)
        return Page(tuple(_describe(tx, key, rows, inherit)), count_versions(tx, key=key))

    return graph.read(work)


def read_job_version(graph: Graph, key: str, prefix: str, inherit: bool) -> JobVersionDetail:
    """Return the version of a job whose hash begins with `prefix`."""

    def work(tx: Transaction) -> list[JobVersionDetail]:
        return _describe(tx, key, list_versions_starting(tx, key=key, prefix=prefix), inherit)

    found = graph.read(work)
    if not found:
        raise NotFound("the job has no such version")
    return found[0]


def _describe(
    tx: Transaction, key: str, rows: list[JobVersionRow], inherit: bool
) -> list[JobVersionDetail]:
    newest = list_newest_runs(tx, key=key, hashes=[row.version for row in rows])
    ids = {row.version: row.run for row in newest}
    runs = {run.row.id: run for run in describe_runs(tx, sorted(ids.values()), inherit)}
    said = list_run_facets(tx, ids=sorted(runs), scope="job")
    job = describe_job(tx, key, inherit, runs=1)
    return [
        JobVersionDetail(
            row, job, runs.get(run), facet_map(facet for facet in said if facet.id == run)
        )
        for row in rows
        for run in (ids.get(row.version, ""),)
    ]
