"""Jobs through a filter on runs: the newest matching run, its reads and its writes."""

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.queries.jobs.job_details import JobDetail, describe_jobs
from lineagegraph.queries.jobs.jobs_at import jobs_at
from lineagegraph.queries.lineage.window import Window, flows_of, newest_by_value, newest_of
from lineagegraph.queries.runs.run_details import RunDetail, list_runs
from lineagegraph.store.jobs.details import list_writes


def jobs_within(tx: Transaction, keys: list[str], inherit: bool, window: Window) -> list[JobDetail]:
    """Return jobs in the order of their keys."""
    jobs = describe_jobs(tx, keys, inherit, runs=1)
    if window.is_all:
        return jobs if window.at is None else jobs_at(tx, jobs, window.at, inherit)
    chosen = newest_of(tx, keys, window)
    if window.at is not None:
        jobs = jobs_at(tx, jobs, window.at, inherit, chosen)
    else:
        runs = {run.row.id: run for run in list_runs(tx, sorted(chosen.values()), inherit)}
        jobs = [
            msgspec.structs.replace(
                job, runs=tuple(runs[id_] for id_ in [chosen.get(job.row.key)] if id_ in runs)
            )
            for job in jobs
        ]
    flows = {(flow.source, flow.target) for flow in flows_of(tx, keys, window)}
    return [_only_used(job, flows) for job in jobs]


def _only_used(job: JobDetail, flows: set[tuple[str, str]]) -> JobDetail:
    """Return a job with only the inputs and outputs of some flows."""
    key = job.row.key
    row = msgspec.structs.replace(
        job.row,
        inputs=tuple(i for i in job.row.inputs if (dataset_key(i.namespace, i.name), key) in flows),
        outputs=tuple(
            o for o in job.row.outputs if (key, dataset_key(o.namespace, o.name)) in flows
        ),
    )
    return msgspec.structs.replace(job, row=row)


class RunFor(msgspec.Struct, frozen=True):
    """The newest run for a value of a partition key."""

    value: str
    run: RunDetail


def runs_by_value(
    tx: Transaction, keys: list[str], window: Window, part: str, inherit: bool
) -> dict[str, tuple[RunFor, ...]]:
    """Return the newest run for each value of a partition key, by job and by dataset."""
    newest = newest_by_value(tx, keys, window, part)
    ids = sorted({run for runs in newest.values() for run in runs.values()})
    details = {run.row.id: run for run in list_runs(tx, ids, inherit)}
    found = {
        key: {value: details[run] for value, run in runs.items() if run in details}
        for key, runs in newest.items()
    }
    values = {run: value for runs in newest.values() for value, run in runs.items()}
    for use in list_writes(tx, ids=ids):
        known = found.setdefault(use.dataset, {})
        run, value = details[use.id], values[use.id]
        known[value] = max(known.get(value, run), run, key=_age)
    return {
        key: tuple(RunFor(value, run) for value, run in sorted(runs.items()))
        for key, runs in found.items()
    }


def _age(run: RunDetail) -> tuple[str, str]:
    return (run.row.created_at.isoformat() if run.row.created_at else "", run.row.id)
