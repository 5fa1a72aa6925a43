"""The processes of one run's Python tasks."""

from dataclasses import dataclass

from lineagegraph.execution.limits import limits_of
from lineagegraph.execution.plan import Step
from lineagegraph.execution.processes.fork_server import ForkServer
from lineagegraph.execution.processes.messages import attempt_order
from lineagegraph.execution.processes.work import AttemptSinks, ProcessWork
from lineagegraph.execution.request import RunRequest
from lineagegraph.model.pipelines.definition import ExpansionTask, PythonTask
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.model.runs.ids import new_id
from lineagegraph.process_environment.task_processes import claim_mark


@dataclass(frozen=True, slots=True)
class TaskProcesses:
    """Makes attempts in processes of their own."""

    #: forks the processes
    server: ForkServer
    #: the functions of the version, kept by value
    stored: TaskCode | None

    def work(self, request: RunRequest, step: Step, sinks: AttemptSinks) -> ProcessWork | None:
        """Return the work of a task, None if it shares the memory of the run's process.

        It does for the session of Spark, and if its function is nowhere else.
        """
        assert step.task is not None
        function = step.task.work
        if not isinstance(function, PythonTask) or "spark" in function.arguments:
            return None
        if step.function is not None and not _is_kept(step):
            return None
        mark = f"{claim_mark(request.run_id, request.fence, request.place)}{new_id()}/"
        order = attempt_order(request, step, self.stored, mark)
        return ProcessWork(self.server, order, sinks, limits_of(step.task))


def _is_kept(step: Step) -> bool:
    around = step.parent.task if step.parent else None
    return (
        around is not None
        and isinstance(around.work, ExpansionTask)
        and around.work.code is not None
    )
