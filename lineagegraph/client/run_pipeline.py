"""Run a pipeline as it is stated here, whichever version is active."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import msgspec

from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.client.connected_graph import default_graph
from lineagegraph.client.in_kernel import KernelExecutor, end_turn, take_turn
from lineagegraph.client.pipeline_run import PipelineRun, start_execution
from lineagegraph.graph import Graph, Transaction
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.model.pipelines.parameters import resolve_params
from lineagegraph.model.runs.ids import new_id
from lineagegraph.process_environment.task_processes import own_run
from lineagegraph.reading.session_pipeline import parse_here
from lineagegraph.reading.write_versions import store_source, write_versions
from lineagegraph.runs.queue import check_paths
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.admin import variables
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Claim
from lineagegraph.worker.run_claim import process_owner


class RunArguments(NamedTuple):
    """Arguments of a run: parameters other than their defaults, and paths of tasks."""

    params: Mapping[str, Any]
    only: Sequence[str] = ()


def submit(graph: Graph, settings: Settings, pipeline: PipelineHandle, asked: RunArguments) -> str:
    """Queue a run of the pipeline's current version, and return its id."""
    run_id, _ = _submit(graph, settings, pipeline, asked, None)
    return run_id


def submit_here(
    graph: Graph, settings: Settings, pipeline: PipelineHandle, asked: RunArguments, owner: str
) -> Claim:
    """Submit a run as `submit` does, and claim it for this process before another can."""
    _, claim = _submit(graph, settings, pipeline, asked, owner)
    assert claim is not None
    return claim


def _submit(
    graph: Graph,
    settings: Settings,
    pipeline: PipelineHandle,
    asked: RunArguments,
    owner: str | None,
) -> tuple[str, Claim | None]:
    parsed = store_source(parse_here(pipeline), settings)
    version, run_id = parsed.version, new_id()
    resolved = resolve_params(version.pipeline, asked.params)
    params = msgspec.json.encode({name: resolved[name] for name in asked.params}).decode()
    check_paths(version.pipeline, asked.only)
    lease, only = timedelta(seconds=settings.lease_seconds), list(asked.only)

    def write(tx: Transaction) -> Claim | None:
        (written,) = write_versions(tx, [parsed], application=settings.application, activate=False)
        launches.merge_queued(
            tx,
            run_id=run_id,
            job_key=written.job_key,
            params=params,
            only=only,
            asked_by=own_run(),
            now=None,
        )
        audit(tx, "run.start", run_id, after={"params": asked.params, "only": only})
        variables.set_initial(tx, run_id=run_id)
        launches.set_wanted(tx, id=run_id, version=version.hash)
        if owner is None:
            return None
        return launches.claim_run(tx, id=run_id, owner=owner, lease=lease, claim=None, now=None)

    return run_id, graph.write(write)


def run_pipeline(
    pipeline: PipelineHandle,
    params: Mapping[str, Any],
    *,
    spark: Any = None,
    only: Sequence[str] = (),
) -> PipelineRun:
    """Start a run of the pipeline's current version, and return it while it runs.

    With a Spark session it runs in this process; otherwise a daemon runs it, or a worker process of
    its own if no daemon is running.
    """
    asked = RunArguments(params, only)
    if spark is not None:
        return _run_in_session(pipeline, asked, spark)
    graph, settings = default_graph(), load_settings()
    run_id = submit(graph, settings, pipeline, asked)
    nudge_daemons(graph)
    return start_execution(graph, settings, run_id)


def _run_in_session(pipeline: PipelineHandle, asked: RunArguments, spark: Any) -> PipelineRun:
    graph, settings = default_graph(), load_settings()
    take_turn()
    try:
        claim = submit_here(graph, settings, pipeline, asked, process_owner())
    except BaseException:
        end_turn()
        raise
    executor = KernelExecutor(graph, settings, claim, pipeline, spark)
    return PipelineRun(graph, settings, claim.id, executor)
