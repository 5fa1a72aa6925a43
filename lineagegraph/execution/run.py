"""Run one pipeline version in this process, from its first event to its last."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.clusters import Clusters, ClusterServices
from lineagegraph.execution.coordinator import Coordinator
from lineagegraph.execution.events import Events
from lineagegraph.execution.expansions import Expander, Expansions
from lineagegraph.execution.gate import Gate
from lineagegraph.execution.kinds.python_work import Load
from lineagegraph.execution.kinds.sensor_work import NoSensorPoker, SensorPoker
from lineagegraph.execution.logs import CaptureOutput, Log, capture_output, log_path
from lineagegraph.execution.outcome import Outcome, timed_out
from lineagegraph.execution.plan import Step, plan
from lineagegraph.execution.processes import TaskProcesses
from lineagegraph.execution.reports import EventReporter, Reports
from lineagegraph.execution.request import UPSTREAM_FILE, RunRequest
from lineagegraph.execution.sessions import OpenSessions, Sessions
from lineagegraph.execution.spool import spool_path
from lineagegraph.execution.stages_file import StagesFile
from lineagegraph.execution.task_runner import TaskRunner
from lineagegraph.model.runs.cost import total_cost
from lineagegraph.model.runs.states import RunState
from lineagegraph.private_files import private_folder, write_private


@dataclass(frozen=True, slots=True, kw_only=True)
class RunServices:
    """The services that a run needs from its process; the optional ones default to none."""

    #: takes the run's events, and returns when they are committed
    reporter: EventReporter
    #: opens the Spark sessions; called once with the Spark settings and a sink of events
    sessions: OpenSessions
    #: loads the function of a Python task by its path
    load: Load
    #: stops the run; afterwards it names the tasks whose threads could not be stopped
    cancellation: Cancellation = field(default_factory=Cancellation)
    #: records tasks that running tasks add; None: `expand()` is refused
    expander: Expander | None = None
    #: decides when tasks with terms of freshness, an identity or a sensor start; None: at once
    gate: Gate | None = None
    #: opens such a gate once a running task waits for a sensor; None: it fails
    late_gate: Callable[[], Gate] | None = None
    #: starts processes for named clusters, and guards the publishing of tables
    clusters: ClusterServices = field(default_factory=ClusterServices)
    #: pokes sensors that this run does not share with others
    poker: SensorPoker = field(default_factory=NoSensorPoker)
    #: keeps the log of a finished attempt: by the task's run id, number and file
    keep_log: Callable[[str, int, Path], None] = lambda run_id, number, path: None
    #: the ends of runs that the driver of a task left open, by the task's run id
    ends_of_left: Callable[[str], list[dict[str, Any]]] = lambda run_id: []
    #: makes attempts of Python tasks in processes of their own; None: in threads of this process
    processes: TaskProcesses | None = None
    #: sends stdout, stderr and `logging` to the log files meanwhile
    capture_output: CaptureOutput = capture_output


def run_pipeline(request: RunRequest, services: RunServices) -> RunState:
    """Run a pipeline in this process, and return its final state once all of it is reported.

    The pipeline's end is the last event. Raises `RunError` for an unknown task in `only`, and if
    events could not be reported in the end; `Parked` if only waiting tasks are left and they do not
    need this process.
    """
    root = plan(request)
    upstream = private_folder(request.logs) / UPSTREAM_FILE
    write_private(upstream, msgspec.json.encode(request.upstream))
    events = Events(request)
    with Log(log_path(request.logs, ())) as log, services.capture_output(log):
        reports = Reports(services.reporter, log, spool_path(request.logs, request.fence))
        spark = services.sessions(dict(root.pipeline.spark), reports.report)
        clusters = Clusters(request, reports, log, services.cancellation, services.clusters)
        spark.at_start(lambda: clusters.own(root.pipeline))
        expansions = Expansions(root, services.expander)
        expansions.record_taken(root)
        costs: list[dict[str, Any]] = []
        runner = TaskRunner(
            events=events,
            reports=reports,
            sessions=spark,
            cancellation=services.cancellation,
            load=services.load,
            expansions=expansions,
            clusters=clusters,
            may_publish=services.clusters.may_publish,
            poker=services.poker,
            keep_log=services.keep_log,
            ends_of_left=services.ends_of_left,
            processes=services.processes,
            costs=costs,
        )
        coordinator = Coordinator(
            events, reports, services.cancellation, log, runner, services.gate, services.late_gate
        )
        try:
            stops = services.cancellation.requested_after(_remaining(root, request))
            with StagesFile(request.logs, spark.stages), stops:
                outcome = coordinator.run(root, root.pipeline.concurrency)
        finally:
            _stop(spark, clusters, costs, log)
        if services.cancellation.timed_out and root.pipeline.timeout is not None:
            outcome = timed_out(outcome, root.pipeline.timeout)
        outcome = replace(outcome, cost=total_cost(costs))
        return _finish(root, outcome, events, reports, log)


def _remaining(root: Step, request: RunRequest) -> float | None:
    """Return the seconds that a run still has, None for no limit; earlier launches count."""
    timeout = root.pipeline.timeout
    if timeout is None or request.began_at is None:
        return timeout
    return timeout - (request.clock() - request.began_at).total_seconds()


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
