"""A pipeline as it is stated here, submitted to run as just that, whatever is in force."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import msgspec

from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.pipelines.parameters import resolve_params
from lineagegraph.model.runs.ids import new_id
from lineagegraph.reading.session_pipeline import parse_here
from lineagegraph.reading.store_source import place
from lineagegraph.reading.write_version import write_versions
from lineagegraph.runs.queue import check_paths
from lineagegraph.settings import Settings
from lineagegraph.store.admin import variables
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Claim


class Asked(NamedTuple):
    """What a run is asked to be: parameters that are not their defaults, and paths of tasks."""

    params: Mapping[str, Any]
    only: Sequence[str] = ()


def submit(graph: Graph, settings: Settings, pipeline: PipelineHandle, asked: Asked) -> str:
    """Queue a run of the version that a pipeline makes now, and return its id."""
    run_id, _ = _submit(graph, settings, pipeline, asked, None)
    return run_id


def submit_here(
    graph: Graph, settings: Settings, pipeline: PipelineHandle, asked: Asked, owner: str
) -> Claim:
    """Submit a run as `submit` does, and take it for this process before another can."""
    _, claim = _submit(graph, settings, pipeline, asked, owner)
    assert claim is not None
    return claim


def _submit(
    graph: Graph, settings: Settings, pipeline: PipelineHandle, asked: Asked, owner: str | None
) -> tuple[str, Claim | None]:
    parsed = place(parse_here(pipeline), settings)
    version, run_id = parsed.version, new_id()
    resolved = resolve_params(version.pipeline, asked.params)
    params = msgspec.json.encode({name: resolved[name] for name in asked.params}).decode()
    check_paths(version.pipeline, asked.only)
    lease, only = timedelta(seconds=settings.lease_seconds), list(asked.only)

    def write(tx: Transaction) -> Claim | None:
        (written,) = write_versions(tx, [parsed], application=settings.application, in_force=False)
        launches.merge_queued(
            tx,
            run_id=run_id,
            job_key=written.job_key,
            params=params,
            only=only,
            now=None,
        )
        variables.set_initial(tx, run_id=run_id)
        launches.set_wanted(tx, id=run_id, version=version.hash)
        if owner is None:
            return None
        return launches.claim_run(tx, id=run_id, owner=owner, lease=lease, now=None)

    return run_id, graph.write(write)
