"""Pin a pipeline to a stored version, and release it."""

from lineagegraph.errors import NotFound, RunRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.model.actor import current_actor
from lineagegraph.reading.activate import (
    ActiveVersion,
    activate_versions,
    stored_version,
    write_triggers,
)
from lineagegraph.reading.refresh import check_is_active
from lineagegraph.runs.stored_version import VersionedJob, find_runnable
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.pipelines import versions
from lineagegraph.store.runs.reruns import list_versions


def pin_pipeline(graph: Graph, settings: Settings, job: VersionedJob, start: str) -> str:
    """Make a stored version the active one until `release_pipeline`, and return its hash.

    Its triggers, freshness terms and order of tasks count from now on. Raises the errors of
    `find_runnable`, and `PipelineWithdrawn` if no file defines the pipeline any more.
    """
    graph.read(check_is_active, job.key)
    row = find_runnable(graph, settings, job, start)
    graph.write(_pin, stored_version(row.hash, row.definition))
    nudge_daemons(graph)
    return row.hash


def release_pipeline(graph: Graph, job: VersionedJob) -> str:
    """Make the latest version of a pinned pipeline the active one again, and return its hash.

    Raises `RunRefused` if it is not pinned, and `PipelineWithdrawn` if no file defines it any more.
    """
    latest = graph.write(_release, job)
    nudge_daemons(graph)
    return latest


def _pin(tx: Transaction, chosen: ActiveVersion) -> None:
    with audited(tx, "pipeline.rollback", chosen.job.key):
        versions.set_pinned(tx, job_key=chosen.job.key, by=current_actor().name, now=None)
        activate_versions(tx, [chosen])
        write_triggers(tx, chosen)


def _release(tx: Transaction, job: VersionedJob) -> str:
    with audited(tx, "pipeline.release", job.key):
        pins = versions.list_pins(tx, keys=[job.key])
        if not pins:
            raise RunRefused(f"{job.fqn} is not pinned: it runs its latest version")
        check_is_active(tx, job.key)
        latest = pins[0].latest
        found = list_versions(tx, job_key=job.key, prefix=latest)
        if not found:
            raise NotFound(f"version {latest[:12]} of {job.fqn} is gone: sync its file")
        versions.release_pin(tx, job_key=job.key)
        chosen = stored_version(latest, found[0].definition)
        activate_versions(tx, [chosen])
        write_triggers(tx, chosen)
    return latest
