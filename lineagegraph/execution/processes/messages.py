"""Messages between a worker and the process of one attempt of a task."""

from pathlib import Path
from typing import Any

import msgspec

from lineagegraph.execution.attempt_end import AttemptEnd
from lineagegraph.execution.plan import Step
from lineagegraph.execution.request import RunRequest
from lineagegraph.model.names.keys import name_job
from lineagegraph.model.pipelines.definition import ExpansionTask, Pipeline, Task
from lineagegraph.model.pipelines.expansion import Expansion
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.model.pipelines.upstream import Upstream
from lineagegraph.model.runs.deferral import DeferralAnswer
from lineagegraph.model.runs.states import JobKind
from lineagegraph.model.runs.values import TaskInput


class StepFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a step that its process needs."""

    root_run_id: str  # the run of the whole pipeline
    root_job: tuple[str, str]  # namespace and FQN of the whole pipeline's job
    run_id: str  # the task's own run
    job: tuple[str, str]  # namespace and FQN of the task's job
    names: tuple[str, ...]  # from below the pipeline down to the task
    pipeline: Pipeline  # the one that states its parameters, without its tasks
    params: dict[str, Any]  # parameters as plain JSON values
    task: Task  # its definition
    around: Task | None  # the expansion that it is of, without the others' values
    received: dict[str, TaskInput]  # values of other tasks, by argument
    is_taken: bool  # whether another task takes its value
    answers: list[DeferralAnswer]  # answers of the sensors that it deferred to

    @property
    def step(self) -> Step:
        """Return the step, with as much of the tree as its work asks for."""
        root = Step(
            job=name_job(*self.root_job),
            kind=JobKind.PIPELINE,
            run_id=self.root_run_id,
            names=(),
            pipeline=self.pipeline,
            params=self.params,
            chosen=True,
            task=self.around,
        )
        return Step(
            job=name_job(*self.job),
            kind=JobKind.TASK,
            run_id=self.run_id,
            names=self.names,
            pipeline=self.pipeline,
            params=self.params,
            chosen=True,
            task=self.task,
            parent=root,
            is_taken=self.is_taken,
            received=self.received,
            answers=self.answers,
        )

    @property
    def expansions(self) -> tuple[Expansion, ...]:
        """Return the expansion that it is of, if there is one."""
        if self.around is None:
            return ()
        return (Expansion(behind=self.names[:-1], task=self.around),)


class AttemptOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The first message to the process: the attempt to make."""

    facts: StepFacts  # the task
    stored: TaskCode | None  # the functions of the version, kept by value
    upstream: tuple[Upstream, ...]  # the causes of the run
    code: str  # folder of the unpacked source
    logs: str  # folder of the run's logs
    cwd: str  # working directory
    mark: str  # the mark of the programs that the task starts
    spark: dict[str, str]  # Spark settings, if the task starts a session of its own
    java_home: str | None  # path of Java, if it is a given one


class AddedTask(msgspec.Struct, frozen=True):
    """A task that the attempt adds to the run, with its function by value."""

    task: Task
    code: TaskCode | None


class AttemptResult(msgspec.Struct, frozen=True):
    """How the attempt ended, the tasks that it adds, and the cost of a Spark session of its own."""

    end: AttemptEnd
    added: list[AddedTask]
    cost: dict[str, Any] | None


class Notice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message from the process: its pid, lineage, emitted values, a question, or the result."""

    pid: int = 0
    events: list[dict[str, Any]] = []
    emitted: dict[str, Any] = {}
    may_publish: bool = False
    reserve: Task | None = None
    result: AttemptResult | None = None


class NoticeReply(msgspec.Struct, frozen=True):
    """The answer to a question: the fault, or None to go on."""

    fault: str | None


def facts_of(step: Step) -> StepFacts:
    """Return the facts of a task's step."""
    assert step.task is not None
    root = step.root
    return StepFacts(
        root_run_id=root.run_id,
        root_job=(root.job.namespace, root.job.fqn),
        run_id=step.run_id,
        job=(step.job.namespace, step.job.fqn),
        names=step.names,
        pipeline=msgspec.structs.replace(step.pipeline, tasks=(), triggers=()),
        params=dict(step.params),
        task=step.task,
        around=_around(step),
        received=step.received,
        is_taken=step.is_taken,
        answers=step.answers,
    )


def attempt_order(
    request: RunRequest, step: Step, stored: TaskCode | None, mark: str
) -> AttemptOrder:
    """Return the order to make one attempt of a task, in this process's working directory."""
    return AttemptOrder(
        facts=facts_of(step),
        stored=stored,
        upstream=request.upstream,
        code=str(request.code),
        logs=str(request.logs),
        cwd=str(Path.cwd()),
        mark=mark,
        spark=step.root.pipeline.spark,
        java_home=str(request.java_home) if request.java_home else None,
    )


def _around(step: Step) -> Task | None:
    task = step.parent.task if step.parent else None
    if task is None or not isinstance(task.work, ExpansionTask):
        return None
    work = msgspec.structs.replace(task.work, keys=(), values=())
    return msgspec.structs.replace(task, work=work)
