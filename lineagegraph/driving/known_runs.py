"""Runs of pipelines that the graph knows: of one by its name, or an earlier one once more."""

from collections.abc import Sequence
from typing import Any

from lineagegraph.daemon import nudge_daemons
from lineagegraph.daemon.queue import queue_run
from lineagegraph.driving.graph_here import graph_here
from lineagegraph.driving.pipeline_run import PipelineRun
from lineagegraph.driving.run_pipeline import carried_out
from lineagegraph.explore import find_job, find_run
from lineagegraph.model.rerun import RerunRequest
from lineagegraph.parsing.refresh import refresh
from lineagegraph.scheduling.reruns import start_rerun
from lineagegraph.settings import load_settings
from lineagegraph.store.reruns import get_original


def start(job: str, *, only: Sequence[str] = (), **params: Any) -> PipelineRun:
    """Start a run of a pipeline that is in force, by its name, and return it while it goes on."""
    graph, settings = graph_here(), load_settings()
    found = find_job(graph, job)
    queued = queue_run(graph, found.key, found.fqn, params, only)
    return carried_out(graph, settings, queued.run_id)


def rerun(
    run: str,
    *,
    policy: str | None = None,
    tasks: Sequence[str] = (),
    from_failed: bool = False,
    **params: Any,
) -> PipelineRun:
    """Start a run again, `as_was`, with the `latest` code or `pinned:VERSION`; `run` is its id.

    Raises `RerunAsks` where somebody has to choose the policy, `RerunRefused` with all that is
    missing.
    """
    graph, settings = graph_here(), load_settings()
    request = RerunRequest(
        run=find_run(graph, run).id,
        policy=policy,
        params=params,
        tasks=tuple(tasks),
        from_failed=from_failed,
    )
    original = graph.read(get_original, id=request.run)
    if original is not None and original.job_key is not None:
        refresh(graph, settings, original.job_key)
    started = start_rerun(graph, settings, request)
    nudge_daemons(graph)
    return carried_out(graph, settings, started.run)
