"""Runs of pipelines that are stated here."""

from collections.abc import Mapping, Sequence
from typing import Any

from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.client.connected_graph import graph_here
from lineagegraph.client.in_kernel import InKernel, end_turn, take_turn
from lineagegraph.client.pipeline_run import PipelineRun, carried_out
from lineagegraph.client.submit import Asked, submit, submit_here
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.settings import load_settings
from lineagegraph.worker.carriers import owner


def run_pipeline(
    pipeline: PipelineHandle,
    params: Mapping[str, Any],
    *,
    spark: Any = None,
    only: Sequence[str] = (),
) -> PipelineRun:
    """Start a run of the version that a pipeline makes now, and return it while it goes on.

    With a Spark session it runs in this process; otherwise a daemon runs it if one lives, a
    process of its own if none does.
    """
    asked = Asked(params, only)
    if spark is not None:
        return _run_in_session(pipeline, asked, spark)
    graph, settings = graph_here(), load_settings()
    run_id = submit(graph, settings, pipeline, asked)
    nudge_daemons(graph)
    return carried_out(graph, settings, run_id)


def _run_in_session(pipeline: PipelineHandle, asked: Asked, spark: Any) -> PipelineRun:
    graph, settings = graph_here(), load_settings()
    take_turn()
    try:
        claim = submit_here(graph, settings, pipeline, asked, owner())
    except BaseException:
        end_turn()
        raise
    carrier = InKernel(graph, settings, claim, pipeline, spark)
    return PipelineRun(graph, settings, claim.id, carrier)
