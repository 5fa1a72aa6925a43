"""Runs of pipelines that the graph knows: of one by its name, or an earlier one once more."""

from collections.abc import Mapping, Sequence
from typing import Any

from lineagegraph.client.connected_graph import graph_here
from lineagegraph.client.pipeline_run import PipelineRun, carried_out
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.queries.find.find import find_job, find_run
from lineagegraph.reading.refresh import refresh_job_of
from lineagegraph.runs.queue import queue_rerun, queue_run
from lineagegraph.settings import load_settings


def start(
    job: str,
    *,
    only: Sequence[str] = (),
    params: Mapping[str, Any] | None = None,
    **values: Any,
) -> PipelineRun:
    """Start a run of a pipeline that is in force, by its name, and return it while it goes on.

    `values` are its parameters, `params` those that have names which this function uses.
    """
    graph, settings = graph_here(), load_settings()
    found = find_job(graph, job)
    queued = queue_run(graph, found.key, found.fqn, {**(params or {}), **values}, only)
    return carried_out(graph, settings, queued.run_id)


def rerun(
    run: str,
    *,
    policy: str | None = None,
    tasks: Sequence[str] = (),
    from_failed: bool = False,
    params: Mapping[str, Any] | None = None,
    **values: Any,
) -> PipelineRun:
    """Start a run again, `as_was`, with the `latest` code or `pinned:VERSION`; `run` is its id.

    `values` and `params` are as those of `start`.

    Raises `RerunAsks` where somebody has to choose the policy, `RerunRefused` with all that is
    missing.
    """
    graph, settings = graph_here(), load_settings()
    request = RerunRequest(
        run=find_run(graph, run).id,
        policy=policy,
        params={**(params or {}), **values},
        tasks=tuple(tasks),
        from_failed=from_failed,
    )
    refresh_job_of(graph, settings, request.run)
    return carried_out(graph, settings, queue_rerun(graph, settings, request).run)
