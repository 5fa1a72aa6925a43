"""Execute a claimed run in this process.

From top to bottom: hold the claim by a heartbeat, read the run's version and parameters, unpack its
code, collect the services that the engine needs, and run the pipeline.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import structlog

from lineagegraph.admin.run_tokens import run_token
from lineagegraph.authoring.variables import offering
from lineagegraph.errors import GraphError, LineagegraphError
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.gate import Parked
from lineagegraph.execution.kinds.python_work import Load
from lineagegraph.execution.logs import CaptureOutput
from lineagegraph.execution.processes import TaskProcesses
from lineagegraph.execution.request import ReportTarget
from lineagegraph.execution.run import RunServices, run_pipeline
from lineagegraph.execution.sensor_process import StandbySensorProcess
from lineagegraph.execution.sessions import OpenSessions
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.model.runs.states import RunState
from lineagegraph.private_files import TemporaryFolder
from lineagegraph.project.archive import unpack
from lineagegraph.reactions.end_runs import failure_events
from lineagegraph.runs.report import GraphReporter
from lineagegraph.runs.task_logs import keep_log
from lineagegraph.store.pipelines import task_codes
from lineagegraph.store.pipelines.archives import read_source
from lineagegraph.store.runs import launches
from lineagegraph.worker.clusters import cluster_services
from lineagegraph.worker.environment import enter_environment
from lineagegraph.worker.guardian import guarding_processes
from lineagegraph.worker.load_run import load_launch, load_request, version_of
from lineagegraph.worker.run_claim import RunClaim
from lineagegraph.worker.run_expander import ExpandedFunctions, RunExpander, code_reader
from lineagegraph.worker.run_gate import needs_gate, open_gate
from lineagegraph.worker.run_variables import RunVariables
from lineagegraph.worker.sensor_pokes import RunSensorPoker

log = structlog.get_logger()
_KEEP_SECONDS = 2.0


class RunEnvironment(Protocol):
    """The process that executes a run: a worker process, or a notebook's kernel."""

    @property
    def may_park(self) -> bool:
        """Whether another process can resume a run that only waits."""

    @property
    def capture_output(self) -> CaptureOutput:
        """The context manager that sends printed and logged lines to the run's log files."""

    def enter(self, root: Path) -> None:
        """Prepare the process for the code of the project at `root`."""

    def functions(self, code: Path, stored: TaskCode | None) -> Load:
        """Return a loader for the functions of tasks."""

    def processes(self, stored: TaskCode | None) -> TaskProcesses | None:
        """Return the processes of Python tasks, None for threads of this process."""

    def sessions(self, code: Path, java_home: Path | None) -> OpenSessions:
        """Return a factory of Spark sessions."""


def run_claimed(run: RunClaim, environment: RunEnvironment, cancellation: Cancellation) -> RunState:
    """Execute a claimed run and return its final state, or WAITING if it was parked."""
    heartbeat, reporter = run.heartbeat(cancellation.request), run.reporter()
    heartbeat.start()
    try:
        lasting = replace(run, graph=run.graph.outlasting())
        return _execute(lasting, environment, cancellation, reporter)
    except Parked:
        log.info("run_parked", run=run.id)
        return RunState.WAITING
    except Exception as error:
        is_foreseen = isinstance(error, LineagegraphError)
        message = str(error) if is_foreseen else f"{type(error).__name__}: {error}"
        log.error("run_not_started", run=run.id, error=message, exc_info=not is_foreseen)
        _report_failure(run, reporter, message)
        return RunState.FAILED
    finally:
        heartbeat.stop()


def _execute(
    run: RunClaim,
    environment: RunEnvironment,
    cancellation: Cancellation,
    reporter: GraphReporter,
) -> RunState:
    graph, settings = run.graph, run.settings
    launch = load_launch(graph, settings, run.id)
    version = version_of(launch, settings)
    # May replace this process by one of an isolated environment, and then does not return.
    enter_environment(graph, settings, run.id, launch.fence)
    with TemporaryFolder() as folder:
        code = Path(folder)
        unpack(read_source(graph, settings, version.source_sha256), code)
        request = load_request(run, launch, version, code)
        stored = graph.write(task_codes.claim_task_code, id=run.id)
        functions = environment.functions(code, stored)
        environment.enter(Path(version.root))
        variables = offering(RunVariables(graph, run.id))
        with variables, StandbySensorProcess(graph, settings) as standby:
            load = ExpandedFunctions(code_reader(graph), functions, code, request.expansions)
            poker = RunSensorPoker(graph, settings, load)
            # Its worker has to keep the time of a run with a timeout.
            may_park = environment.may_park and version.pipeline.timeout is None
            gate = partial(open_gate, run, request, poker, standby, may_park=may_park)
            services = RunServices(
                reporter=reporter,
                sessions=environment.sessions(code, request.java_home),
                load=load,
                cancellation=cancellation,
                expander=RunExpander(run, code, load.add),
                gate=gate() if needs_gate(request) else None,
                late_gate=gate,
                clusters=cluster_services(run, version, request.logs),
                poker=poker,
                keep_log=partial(keep_log, graph.with_patience(_KEEP_SECONDS)),
                ends_of_left=partial(_ends_of_left, graph.with_patience(_KEEP_SECONDS)),
                processes=environment.processes(stored),
                capture_output=environment.capture_output,
            )
            guard = guarding_processes(run.mark, request.logs)
            with closing(poker), guard, _reporting(run) as report:
                return run_pipeline(replace(request, report=report), services)


@contextmanager
def _reporting(run: RunClaim) -> Iterator[ReportTarget | None]:
    """Yield the address and the token with which programs of tasks report, if they should."""
    url = run.settings.report_url
    if url is None:
        yield None
        return
    with run_token(run.graph, run.id, run.settings.run_token_age) as token:
        yield ReportTarget(url, token)


def _ends_of_left(graph: Graph, task_run_id: str) -> list[dict[str, Any]]:
    """Return the ends of what a driver left open when it was killed."""
    try:
        still_open = graph.read(launches.list_open, id=task_run_id)
    except GraphError:
        return []
    left = [run for run in still_open if run.id != task_run_id]
    return failure_events(left, "LOST", "its driver ended before it")


def _report_failure(run: RunClaim, reporter: GraphReporter, message: str) -> None:
    """End a run that could not be started, or whose end could not be reported."""
    still_open = run.graph.read(launches.list_open, id=run.id)
    events = failure_events(still_open, "NOT_STARTED", message)
    if events:
        reporter.report(events)
