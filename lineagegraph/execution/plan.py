"""The tree of steps of one run request: the job and the run id of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from lineagegraph.errors import RunError
from lineagegraph.execution.parameters import fill_all
from lineagegraph.execution.request import RunRequest
from lineagegraph.model.names.keys import JobName, name_job
from lineagegraph.model.pipelines.definition import (
    AnyWork,
    ExpansionTask,
    NotebookTask,
    Pipeline,
    PipelineTask,
    PythonTask,
    SensorTask,
    Task,
)
from lineagegraph.model.pipelines.expansion import Expansion
from lineagegraph.model.pipelines.hierarchy import kind_of, name_task, tasks_in
from lineagegraph.model.pipelines.when import When
from lineagegraph.model.runs.deferral import DeferralAnswer
from lineagegraph.model.runs.ids import derived_id
from lineagegraph.model.runs.states import JobKind
from lineagegraph.model.runs.values import TaskInput


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One future run: the pipeline's (which has no `task`), a container's or a task's."""

    #: the job of the step
    job: JobName
    #: pipeline, group or task
    kind: JobKind
    #: the id of the step's own run
    run_id: str
    #: the names from below the pipeline down to this step
    names: tuple[str, ...]
    #: the pipeline that defines the step's parameters and clusters
    pipeline: Pipeline
    #: the parameters, as plain JSON values
    params: Mapping[str, Any]
    #: whether the request named it or a container around it, or named nothing
    chosen: bool
    #: its definition; None for the pipeline itself
    task: Task | None = None
    #: the container around it; None for the pipeline itself
    parent: Step | None = None
    #: the steps inside it
    children: list[Step] = field(default_factory=list)
    #: values of its own: those of an expansion, or of a notebook
    values: Mapping[str, Any] = field(default_factory=dict)
    #: its function, if it is in memory
    function: Callable[..., Any] | None = None
    #: the groups of tasks that it added at run time
    added: list[Step] = field(default_factory=list)
    #: whether another task takes the value that it returns
    is_taken: bool = False
    #: the values of other tasks by argument, once it starts
    received: dict[str, TaskInput] = field(default_factory=dict)
    #: the answers of the sensors that it deferred to
    answers: list[DeferralAnswer] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name among its siblings."""
        return self.names[-1] if self.names else self.job.name

    @property
    def path(self) -> str:
        """The names from below the pipeline down to this, joined by dots."""
        return ".".join(self.names)

    @property
    def after(self) -> tuple[str, ...]:
        """The names of the siblings that come before it."""
        return self.task.after if self.task else ()

    @property
    def when(self) -> When:
        """The rule about the ends of the siblings that come before it."""
        return self.task.when if self.task else When.ALL_SUCCESS

    @property
    def is_teardown(self) -> bool:
        """Whether it cleans up after the siblings that come before it."""
        return self.task is not None and self.task.teardown

    @property
    def is_branch(self) -> bool:
        """Whether it chooses which siblings after it run."""
        work = self.task.work if self.task else None
        return isinstance(work, PythonTask) and work.branches

    @property
    def takes(self) -> Mapping[str, str]:
        """The tasks beside it whose values its function takes, by argument."""
        work = self.task.work if self.task else None
        return work.takes if isinstance(work, PythonTask) else {}

    @property
    def optional(self) -> frozenset[str]:
        """The arguments among `takes` that may be None."""
        work = self.task.work if self.task else None
        return frozenset(work.optional) if isinstance(work, PythonTask) else frozenset()

    @property
    def is_gated(self) -> bool:
        """Whether it has terms of freshness, which decide if it runs."""
        return self.task is not None and self.task.freshness is not None

    @property
    def sensor(self) -> SensorTask | None:
        """The sensor of a task that only waits for one."""
        work = self.task.work if self.task else None
        return work if isinstance(work, SensorTask) else None

    @property
    def has_identity(self) -> bool:
        """Whether equal tasks of other pipelines are the same, so that one run is enough."""
        return self.task is not None and self.task.identity is not None

    @property
    def pool(self) -> str | None:
        """The pool of which it takes slots while it runs."""
        return self.task.pool if self.task else None

    @property
    def may_wait(self) -> bool:
        """Whether a gate decides when it starts."""
        return self.is_gated or self.has_identity or bool(self.sensor or self.pool)

    @property
    def is_expanded(self) -> bool:
        """Whether a task of the run added it, and not the definition."""
        around = self.parent.task if self.parent else None
        return around is not None and isinstance(around.work, ExpansionTask)

    @property
    def wanted(self) -> bool:
        """Whether the request asks for it or for a step inside it."""
        return self.chosen or any(child.wanted for child in self.children)

    @property
    def root(self) -> Step:
        """The step of the whole run."""
        return self.parent.root if self.parent else self

    def walk(self) -> Iterator[Step]:
        """Yield this step and all steps below it, containers first."""
        yield self
        for child in self.children:
            yield from child.walk()


def plan(request: RunRequest) -> Step:
    """Return the tree of a request.

    Raises `RunError` if `only` names no task, or a dot in a name gives two tasks one path.
    """
    pipeline = request.version.pipeline
    root = Step(
        job=name_job(pipeline.namespace, pipeline.name),
        kind=JobKind.PIPELINE,
        run_id=request.run_id,
        names=(),
        pipeline=pipeline,
        params=request.params,
        chosen=not request.only,
    )
    _grow(root, pipeline.tasks, request)
    for one in request.expansions:
        _take_over(root, one, request)
    paths = [step.path for step in root.walk() if step.names]
    _refuse_doubles(root, paths)
    _refuse_unknown(root, paths, request.only)
    return root


def add_behind(
    caller: Step, task: Task, request: RunRequest, function: Callable[..., Any] | None = None
) -> Step:
    """Insert an expansion behind the task that made it, and return the step of its group."""
    assert caller.parent is not None
    step = _step(caller.parent, task, request, {}, chosen=caller.chosen)
    caller.parent.children.append(step)
    caller.added.append(step)
    _grow(step, tasks_in(task.work), request, function)
    return step


def _take_over(root: Step, one: Expansion, request: RunRequest) -> None:
    """Keep the earlier expansion of a task that does not run again."""
    caller = next((step for step in root.walk() if step.names == one.behind), None)
    if caller is not None and (not caller.chosen or caller.path in request.known):
        add_behind(caller, one.task, request)


def _grow(
    parent: Step,
    tasks: tuple[Task, ...],
    request: RunRequest,
    function: Callable[..., Any] | None = None,
) -> None:
    given, taken = _given(parent.task), _taken(tasks)
    for task in tasks:
        step = _step(
            parent,
            task,
            request,
            given.get(task.name, {}),
            function=function,
            is_taken=task.name in taken,
        )
        parent.children.append(step)
        _grow(step, tasks_in(task.work), request)


def _step(
    parent: Step,
    task: Task,
    request: RunRequest,
    values: Mapping[str, Any],
    *,
    chosen: bool = False,
    function: Callable[..., Any] | None = None,
    is_taken: bool = False,
) -> Step:
    names = (*parent.names, task.name)
    path = ".".join(names)
    pipeline, params = _scope(parent, task.work)
    values = _values(task.work, {**params, **values}, values)
    return Step(
        job=name_task(task, parent.job, parent.pipeline),
        kind=kind_of(task.work),
        run_id=_begun(request, path) or derived_id(request.run_id, path, str(request.attempt)),
        names=names,
        pipeline=pipeline,
        params={**params, **values},
        chosen=chosen or parent.chosen or path in request.only,
        task=task,
        parent=parent,
        values=values,
        function=function,
        is_taken=is_taken,
        answers=list(request.answers.get(path, ())),
    )


def _taken(tasks: tuple[Task, ...]) -> set[str]:
    works = (task.work for task in tasks)
    return {name for work in works if isinstance(work, PythonTask) for name in work.takes.values()}


def _values(
    work: AnyWork, params: Mapping[str, Any], given: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return a task's own values: those it was given, and the parameters of its notebook."""
    return {**given, **fill_all(work.params, params)} if isinstance(work, NotebookTask) else given


def _begun(request: RunRequest, path: str) -> str | None:
    return request.waiting.get(path) or request.opened.get(path)


def _scope(parent: Step, work: AnyWork) -> tuple[Pipeline, Mapping[str, Any]]:
    if isinstance(work, ExpansionTask):
        names = {parameter.name for parameter in work.parameters}
        kept = (one for one in parent.pipeline.parameters if one.name not in names)
        return replace(parent.pipeline, parameters=(*kept, *work.parameters)), parent.params
    if not isinstance(work, PipelineTask):
        return parent.pipeline, parent.params
    defaults = {p.name: p.default for p in work.pipeline.parameters if not p.required}
    return work.pipeline, defaults | work.params


def _given(task: Task | None) -> dict[str, dict[str, Any]]:
    """Return the values that each task of an expansion has of its own, by name."""
    if task is None or not isinstance(task.work, ExpansionTask):
        return {}
    return dict(zip(task.work.keys, task.work.values, strict=True))


def _refuse_doubles(root: Step, paths: list[str]) -> None:
    for path, times in Counter(paths).items():
        if times > 1:
            raise RunError(f"pipeline {root.job.name} has {times} tasks {path!r}: rename one")


def _refuse_unknown(root: Step, known: list[str], only: tuple[str, ...]) -> None:
    for path in only:
        if path not in known:
            raise RunError(
                f"pipeline {root.job.name} has no task {path!r}; it has {', '.join(known)}"
            )
