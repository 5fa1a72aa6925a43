"""Runs a pipeline from its first event to its last."""

from dataclasses import replace
from typing import Any

import msgspec

from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.clusters import Clusters, Compute
from lineagegraph.execution.coordinator import Coordinator
from lineagegraph.execution.events import Events
from lineagegraph.execution.expansions import Expander, Expansions
from lineagegraph.execution.gate import Gate
from lineagegraph.execution.logs import Captured, Log, captured, log_path
from lineagegraph.execution.outcome import Outcome
from lineagegraph.execution.plan import Step, plan
from lineagegraph.execution.python_work import Load
from lineagegraph.execution.reports import Reporter, Reports
from lineagegraph.execution.request import UPSTREAM_FILE, RunRequest
from lineagegraph.execution.sensor_work import Looker, NoLooker
from lineagegraph.execution.sessions import OpenSessions, Sessions
from lineagegraph.execution.spool import spool_path
from lineagegraph.execution.stages_file import StagesFile
from lineagegraph.execution.task_runner import TaskRunner
from lineagegraph.model.runs.cost import total_cost
from lineagegraph.model.runs.states import RunState


def run_pipeline(
    request: RunRequest,
    reporter: Reporter,
    sessions: OpenSessions,
    cancellation: Cancellation,
    load: Load,
    expander: Expander | None = None,
    gate: Gate | None = None,
    compute: Compute | None = None,
    looker: Looker | None = None,
    capturing: Captured = captured,
) -> RunState:
    """Run a pipeline in this process, and return its final state once all of it is reported.

    `sessions` is called once, with the pipeline's Spark configuration and where events go. `load`
    finds the function of a task by its path. `capturing` takes over stdout, stderr and `logging`
    meanwhile. `expander` keeps what tasks add to the run, `gate` says when those with terms of
    freshness may start, `compute` starts processes for named clusters, `looker` looks at sensors
    that this run does not share. The pipeline's end is the last event. Afterwards look at
    `cancellation.abandoned`. Raises `RunError` for an unknown task in `only`, and if events could
    not be reported at last; `Parked` where all that is left waits without this process.
    """
    root = plan(request)
    request.logs.mkdir(parents=True, exist_ok=True)
    (request.logs / UPSTREAM_FILE).write_bytes(msgspec.json.encode(request.upstream))
    events = Events(request)
    with Log(log_path(request.logs, ())) as log, capturing(log):
        reports = Reports(reporter, log, spool_path(request.logs, request.fence))
        spark = sessions(dict(root.pipeline.spark), reports.report)
        compute = compute or Compute()
        clusters = Clusters(request, reports, log, cancellation, compute)
        spark.at_start(lambda: clusters.own(root.pipeline))
        expansions = Expansions(root, expander)
        expansions.record_taken(root)
        runner = TaskRunner(
            events,
            reports,
            spark,
            cancellation,
            load,
            expansions,
            clusters,
            compute.may_publish,
            looker or NoLooker(),
        )
        coordinator = Coordinator(events, reports, cancellation, log, runner, gate)
        costs: list[dict[str, Any]] = []
        try:
            with StagesFile(request.logs, spark.stages):
                outcome = coordinator.run(root, root.pipeline.concurrency)
        finally:
            _stop(spark, clusters, costs, log)
        outcome = replace(outcome, cost=total_cost(costs))
        return _finish(root, outcome, events, reports, log)


def _stop(spark: Sessions, clusters: Clusters, costs: list[dict[str, Any]], log: Log) -> None:
    """End the sessions before the clusters that they are on."""
    try:
        spark.stop()
    except Exception as error:
        log.write(f"Spark did not stop cleanly: {type(error).__name__}: {error}\n")
    if own := spark.cost():
        costs.append(own)
    costs += clusters.stop()


def _finish(root: Step, outcome: Outcome, events: Events, reports: Reports, log: Log) -> RunState:
    log.write(f"{root.job.name} {outcome.state}: {outcome.message or 'all tasks ended'}\n")
    reports.finish(events.ended(root, outcome))
    return outcome.state
