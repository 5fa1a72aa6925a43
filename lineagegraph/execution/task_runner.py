"""Run one task: its events, its log and its attempts."""

import traceback
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NoReturn, assert_never

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_result,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

from lineagegraph.errors import RunError
from lineagegraph.execution.branches import with_choice
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.clusters import Clusters
from lineagegraph.execution.deferrals import Deferrals
from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.events import Events
from lineagegraph.execution.expand import ExpansionCollector
from lineagegraph.execution.expansions import Expansions
from lineagegraph.execution.kinds.captured_submit import CapturedSubmit
from lineagegraph.execution.kinds.command_work import CommandWork, command_environment
from lineagegraph.execution.kinds.late_work import DeferredWork
from lineagegraph.execution.kinds.notebook_work import NotebookContext, NotebookWork
from lineagegraph.execution.kinds.python_work import Load, PythonWork
from lineagegraph.execution.kinds.sensor_work import SensorPoker, SensorWork, apply_soft_fail
from lineagegraph.execution.kinds.spark_submission import SubmitCommand, submission
from lineagegraph.execution.kinds.sql_work import SqlWork
from lineagegraph.execution.kinds.submit_work import SubmitWork
from lineagegraph.execution.kinds.work import Work
from lineagegraph.execution.limits import limits_of
from lineagegraph.execution.logs import Log, log_path
from lineagegraph.execution.outcome import EndReason, Outcome, killed, with_project_paths
from lineagegraph.execution.parameters import fill
from lineagegraph.execution.plan import Step
from lineagegraph.execution.process_output import printing
from lineagegraph.execution.processes import TaskProcesses
from lineagegraph.execution.processes.work import AttemptSinks
from lineagegraph.execution.reports import Reports
from lineagegraph.execution.sessions import Sessions
from lineagegraph.execution.supervise import supervise
from lineagegraph.execution.upstream import provide_upstream
from lineagegraph.execution.used import TaskUses
from lineagegraph.execution.values.encode import ReturnedValue
from lineagegraph.execution.values.keep import keep_output
from lineagegraph.model.pipelines.code_arguments import find_code_fault
from lineagegraph.model.pipelines.definition import (
    CommandTask,
    ExpansionTask,
    GroupTask,
    NotebookTask,
    PipelineTask,
    PythonTask,
    SensorTask,
    SparkSubmitTask,
    SqlTask,
    Task,
)
from lineagegraph.model.runs.states import RunState
from lineagegraph.process_environment.drivers import DriverFile
from lineagegraph.project.programs import kept_command
from lineagegraph.spark.tables.guard import guarding


@dataclass(frozen=True, slots=True)
class _Attempt:
    number: int
    log: Log
    emitted: Emitted
    adding: ExpansionCollector
    used: TaskUses
    returned: ReturnedValue


@dataclass(frozen=True, slots=True)
class TaskRunner:
    """Runs the tasks of one run, each in the thread that calls it."""

    #: builds the events of tasks
    events: Events
    #: delivers the events
    reports: Reports
    #: the Spark sessions of the run
    sessions: Sessions
    #: stops the run
    cancellation: Cancellation
    #: loads the function of a Python task
    load: Load
    #: tasks that tasks of this run add
    expansions: Expansions
    #: the named clusters of the run
    clusters: Clusters
    #: raises if the run must not publish tables any more
    may_publish: Callable[[], None]
    #: pokes sensors that the run does not share
    poker: SensorPoker
    #: keeps the log of a finished attempt: by the task's run id, number and file
    keep_log: Callable[[str, int, Path], None]
    #: the ends of runs that the driver of a task left open, by the task's run id
    ends_of_left: Callable[[str], list[dict[str, Any]]]
    #: makes attempts of Python tasks in processes of their own; None: in threads of this process
    processes: TaskProcesses | None = None
    #: takes the costs of sessions that such processes started
    costs: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, step: Step) -> Outcome:
        """Run a task to its end, even after unexpected errors, and report it."""
        try:
            outcome = apply_soft_fail(step, self._run(step))
            self.expansions.record(step, outcome.added)
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            outcome = Outcome(RunState.FAILED, EndReason.INTERNAL, message, traceback.format_exc())
        if outcome.abandoned:
            self.cancellation.abandoned.append(step.path)
        if outcome.deferral is None:
            self.reports.report([self.events.ended(step, outcome)])
        return outcome

    def _run(self, step: Step) -> Outcome:
        cancellation = self.cancellation
        if step.is_teardown and cancellation.lets_clean_up:
            cancellation = cancellation.for_teardown()
        if cancellation.requested:
            return killed(cancellation.reason)
        task = step.task
        assert task is not None
        self.reports.report([self.events.started(step)])
        numbers = count(1)
        retrying = _retrying(task, cancellation, partial(self._report_failed_attempt, step))
        return retrying(lambda: self._attempt(step, task, next(numbers), cancellation))

    def _report_failed_attempt(self, step: Step, state: RetryCallState) -> None:
        assert state.outcome is not None
        event = self.events.failed_attempt(step, state.outcome.result(), state.upcoming_sleep)
        self.reports.report([event])

    def _attempt(self, step: Step, task: Task, number: int, cancellation: Cancellation) -> Outcome:
        if cancellation.requested:
            return replace(killed(cancellation.reason), attempt=number)
        path = log_path(self.events.request.logs, step.names, number)
        with Log(path) as log:
            outcome = self._logged(step, task, number, log, cancellation)
        self.keep_log(step.run_id, number, path)
        if isinstance(task.work, SparkSubmitTask) and (left := self.ends_of_left(step.run_id)):
            self.reports.report(left)
        return outcome

    def _logged(
        self, step: Step, task: Task, number: int, log: Log, cancellation: Cancellation
    ) -> Outcome:
        if number > 1:
            self.reports.report([self.events.tried_again(step, number)])
            log.write(f"attempt {number} of {task.retries + 1}\n")
        emitted, adding = Emitted(task.emits), ExpansionCollector(step, self.expansions)
        request = self.events.request
        used = TaskUses((request.code, request.logs))
        attempt = _Attempt(number, log, emitted, adding, used, ReturnedValue())
        with ExitStack() as around:
            for one in (log, emitted, adding, Deferrals(step)):
                around.enter_context(one.receiving())
            around.enter_context(provide_upstream(request.upstream))
            around.enter_context(guarding(self.may_publish))
            work = self._work(step, task, attempt)
            if isinstance(work, PythonWork | SqlWork | SensorWork):
                around.enter_context(printing(step.path, log))
            outcome = supervise(work, cancellation, task.timeout)
        outcome = with_project_paths(outcome, request.code, request.version.root)
        if step.sensor:
            self.poker.on_ended(step, replace(outcome, attempt=number))
        if outcome.message:
            log.write(f"{outcome.trace or outcome.message}".rstrip("\n") + "\n")
        added = tuple(adding.added) if outcome.state is RunState.COMPLETED else ()
        if isinstance(work, PythonWork):
            outcome = attempt.returned.on(used.on(outcome))
        outcome = keep_output(step, with_choice(step, outcome), request.logs)
        return replace(outcome, attempt=number, emitted=emitted.values(), added=added)

    def _work(self, step: Step, task: Task, attempt: "_Attempt") -> Work:
        log, emitted = attempt.log, attempt.emitted
        if elsewhere := self.clusters.work(step, emitted, attempt.number):
            return elsewhere
        match task.work:
            case PythonTask() as function:
                return self._python(step, function, attempt)
            case CommandTask() as own:
                # Versions that were stored before their definitions were checked for it.
                if fault := find_code_fault(own.command, step.params):
                    return DeferredWork(partial(_refuse, f"task {step.path}: {fault}"))
                return DeferredWork(partial(self._command, step, own, log, emitted))
            case SparkSubmitTask() as own:
                return DeferredWork(lambda: self._submit(step, own, log, emitted))
            case SqlTask() as query:
                return SqlWork(step, query, self.sessions, log)
            case NotebookTask() as notebook:
                return DeferredWork(lambda: self._notebook(step, notebook, log, emitted))
            case SensorTask() as sensor:
                return SensorWork(step, sensor, self.poker, log)
            case GroupTask() | PipelineTask() | ExpansionTask():
                raise RunError(f"task {step.path} is a group and cannot be run by itself")
            case other:
                assert_never(other)

    def _python(self, step: Step, function: PythonTask, attempt: _Attempt) -> Work:
        if self.processes is not None:
            report, cost = self.reports.report, self.costs.append
            sinks = AttemptSinks(attempt.log, attempt.emitted, attempt.adding, report, cost)
            if apart := self.processes.work(self.events.request, step, sinks):
                return apart
        used, returned = attempt.used, attempt.returned
        return PythonWork(step, function, self.load, self.sessions, used, returned)

    def _command(self, step: Step, own: CommandTask, log: Log, emitted: Emitted) -> Work:
        request = self.events.request
        filled = [fill(part, step.params) for part in own.command]
        command = kept_command(filled, request.code, Path(request.version.root))
        return CommandWork(
            command,
            command_environment(step, request, own.environment),
            log,
            emitted,
            limits=limits_of(step.task) if step.task else None,
        )

    def _submit(self, step: Step, own: SparkSubmitTask, log: Log, emitted: Emitted) -> Work:
        request = self.events.request
        asked = submission(step, own, request, self.clusters.settings(step))
        environment = command_environment(step, request, asked.environment)
        if asked.is_captured:
            return CapturedSubmit(step, asked, environment, self.reports, log, emitted)
        if asked.cluster is None:
            return SubmitCommand(asked, environment, log, emitted)
        driver_file = DriverFile(request.logs, step.run_id)
        return SubmitWork(asked, asked.cluster, environment, driver_file, log, emitted)

    def _notebook(self, step: Step, own: NotebookTask, log: Log, emitted: Emitted) -> Work:
        conf = self.sessions.conf | self.clusters.settings(step)
        around = NotebookContext(self.events.request, conf, self.reports)
        return NotebookWork(step, own, around, log, emitted)


def _retrying(
    task: Task, cancellation: Cancellation, on_failed: Callable[[RetryCallState], None]
) -> Retrying:
    """Retry failures: first after the task's delay, then after ever longer ones, up to a limit."""

    def pause(seconds: float) -> None:
        cancellation.wait(seconds)

    return Retrying(
        retry=retry_if_result(lambda end: end.state is RunState.FAILED and not end.abandoned),
        stop=stop_after_attempt(task.retries + 1),
        wait=wait_exponential(
            multiplier=task.retry_delay, exp_base=task.retry_backoff, max=task.max_retry_delay
        )
        + wait_random(0, task.retry_delay * task.retry_jitter),
        sleep=pause,
        before_sleep=on_failed,
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
    )


def _refuse(fault: str) -> NoReturn:
    raise RunError(fault)
