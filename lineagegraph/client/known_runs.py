"""Start runs of pipelines in the graph: of one by its name, or a repetition of an earlier run."""

from collections.abc import Mapping, Sequence
from typing import Any

from lineagegraph.client.connected_graph import default_graph
from lineagegraph.client.pipeline_run import PipelineRun, start_execution
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.queries.find.find import find_job, find_run
from lineagegraph.reading.refresh import refresh_job_of
from lineagegraph.runs.queue import QueueRequest, queue_rerun, queue_run
from lineagegraph.settings import load_settings


def start(
    job: str,
    *,
    only: Sequence[str] = (),
    params: Mapping[str, Any] | None = None,
    **values: Any,
) -> PipelineRun:
    """Start a run of an active pipeline by its name, and return it while it runs.

    `values` are its parameters; `params` has those whose names this function uses itself.
    """
    graph, settings = default_graph(), load_settings()
    found = find_job(graph, job)
    given = {**(params or {}), **values}
    request = QueueRequest(job_key=found.key, fqn=found.fqn, params=given, only=only)
    queued = queue_run(graph, request)
    return start_execution(graph, settings, queued.run_id)


def rerun(
    run: str,
    *,
    policy: str | None = None,
    tasks: Sequence[str] = (),
    from_failed: bool = False,
    params: Mapping[str, Any] | None = None,
    **values: Any,
) -> PipelineRun:
    """Repeat a run, `as_was`, with the `latest` code or `pinned:VERSION`; `run` is its id.

    `values` and `params` are as those of `start`.

    Raises `RerunAsks` if the policy has to be chosen, `RerunRefused` with all missing items.
    """
    graph, settings = default_graph(), load_settings()
    request = RerunRequest(
        run=find_run(graph, run).id,
        policy=policy,
        params={**(params or {}), **values},
        tasks=tuple(tasks),
        from_failed=from_failed,
    )
    refresh_job_of(graph, settings, request.run)
    return start_execution(graph, settings, queue_rerun(graph, settings, request).run)
