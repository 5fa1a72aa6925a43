"""Runs that are queued and claimed as daemons and workers do it, without these."""

from datetime import timedelta

from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.store.jobs import jobs
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Claim

HOUR = timedelta(hours=1)


def queued(graph: Graph, name: str) -> str:
    """Queue a run of a job that is made for it, and return its id."""
    key = job_key(None, "default", name)
    row = {"key": key, "namespace": "default", "name": name, "simple_name": name, "fqn": name}
    graph.write(jobs.merge_jobs, rows=[row | {"parent_key": None}])
    run_id = new_id()
    graph.write(launches.merge_queued, run_id=run_id, job_key=key, params=None, only=[], now=None)
    return run_id


def claimed(graph: Graph, run_id: str, lease: timedelta = HOUR) -> Claim:
    """Claim a queued run."""
    found = graph.write(launches.claim_run, id=run_id, owner="o", lease=lease, claim=None, now=None)
    assert found is not None
    return found
