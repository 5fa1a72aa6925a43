"""Jobs as a window of runs shows them: its newest run, and what its runs read and wrote."""

import msgspec

from lineagegraph.explore.job_details import JobDetail, describe_jobs
from lineagegraph.explore.jobs_at import jobs_at
from lineagegraph.explore.run_details import list_runs
from lineagegraph.explore.window import Window, flows_of, newest_of
from lineagegraph.graph import Transaction
from lineagegraph.model.names import dataset_key


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
    """Return a job with the inputs and outputs that flows have."""
    key = job.row.key
    row = msgspec.structs.replace(
        job.row,
        inputs=tuple(i for i in job.row.inputs if (dataset_key(i.namespace, i.name), key) in flows),
        outputs=tuple(
            o for o in job.row.outputs if (key, dataset_key(o.namespace, o.name)) in flows
        ),
    )
    return msgspec.structs.replace(job, row=row)
