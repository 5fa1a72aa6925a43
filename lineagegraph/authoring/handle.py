"""Handles: tasks as a definition file states them, before they are part of a pipeline."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError
from lineagegraph.model.freshness.terms import Dependency, Freshness
from lineagegraph.model.pipelines.definition import (
    DAY,
    HOUR,
    AnyWork,
    CommandTask,
    Emit,
    PythonTask,
    Task,
)
from lineagegraph.model.pipelines.when import When


@dataclass(frozen=True, slots=True)
class Depends:
    """A parent of a task as the definition names it, and the terms for it."""

    on: Handle | str
    terms: Dependency
    origin: Origin = field(compare=False)


@dataclass(frozen=True, slots=True)
class Output:
    """The value that a task returns, for `takes` of a task after it."""

    task: Handle


@dataclass(frozen=True, eq=False, kw_only=True)
class Handle(ABC):
    """One task of a definition file."""

    #: the task's name, unique among its siblings
    name: str
    #: the line that states it
    origin: Origin = field(compare=False)
    #: tasks beside it, or their names, that must succeed first
    after: tuple[Handle | str, ...] = ()
    #: number of attempts after the first failed one
    retries: int = 0
    #: seconds before such an attempt
    retry_delay: float = 0.0
    #: factor of that delay before each further attempt
    retry_backoff: float = 2.0
    #: part of the delay of which a random piece is added
    retry_jitter: float = 0.25
    #: seconds that a delay may have
    max_retry_delay: float = HOUR
    #: seconds that one attempt may take; None has no limit
    timeout: float | None = None
    #: the values that it may emit; None allows any
    emits: tuple[Emit, ...] | None = None
    #: terms for its own success; batches only
    freshness: Freshness | None = None
    #: tasks and jobs whose success it needs; batches only
    dependencies: tuple[Depends, ...] = ()
    #: name of the cluster it runs on; batches only
    cluster: str | None = None
    #: parameters that identify the task across pipelines, so that equal ones run once
    identity: tuple[str, ...] | None = None
    #: seconds for which a result with an identity counts for others
    shared_for: float = DAY
    #: values of tasks beside it that its function takes, by argument
    takes: Mapping[str, Output] = field(default_factory=dict)
    #: names and patterns of environment variables that it gets besides the usual ones
    pass_env: tuple[str, ...] = ()
    #: bytes that its processes may use; None has no limit
    memory: int | None = None
    #: seconds of CPU time that its processes may use; None has no limit
    cpu_time: float | None = None
    #: rule about the ends of the tasks before it
    when: When = When.ALL_SUCCESS
    #: whether it cleans up after the tasks before it
    teardown: bool = False
    #: whether it returns the names of the tasks after it that run
    branches: bool = False
    #: name of the pool of which it takes slots while it runs
    pool: str | None = None
    #: number of these slots
    pool_slots: int = 1
    #: rank among the tasks that wait for the pool, the highest first
    priority: int = 0

    @abstractmethod
    def work(self, parameters: Sequence[str]) -> AnyWork:
        """Return the work of the task in a pipeline with these parameters."""

    def is_meant_by(self, other: Handle) -> bool:
        """Return whether `after=other` means this task."""
        return other is self

    @property
    def after_names(self) -> tuple[str, ...]:
        """The names of the tasks that come before it, each once."""
        names = (one.name if isinstance(one, Handle) else one for one in self.predecessors)
        return tuple(dict.fromkeys(names))

    @property
    def predecessors(self) -> tuple[Handle | str, ...]:
        """The tasks that come before it: those stated, and those whose values it takes."""
        return (*self.after, *(one.task for one in self.takes.values()))

    def to_task(self, parameters: Sequence[str]) -> Task:
        """Return the task as part of a pipeline with these parameters."""
        work = self.work(parameters)
        self._check_limits(work)
        self._check_pool()
        return Task(
            name=self.name,
            work=work,
            after=self.after_names,
            retries=self.retries,
            retry_delay=self.retry_delay,
            retry_backoff=self.retry_backoff,
            retry_jitter=self.retry_jitter,
            max_retry_delay=self.max_retry_delay,
            timeout=self.timeout,
            emits=self.emits,
            freshness=self.freshness,
            cluster=self.cluster,
            identity=self.identity,
            shared_for=self.shared_for,
            pass_env=self.pass_env,
            memory=self.memory,
            cpu_time=self.cpu_time,
            when=When.ALL_DONE if self.teardown else self.when,
            teardown=self.teardown,
            pool=self.pool,
            pool_slots=self.pool_slots,
            priority=self.priority,
        )

    def _check_pool(self) -> None:
        if self.pool is not None and self.teardown:
            raise DefinitionError(
                f"{self.origin.at('pool')}: task {self.name}: leave out pool: a teardown does not "
                "wait for slots"
            )

    def _check_limits(self, work: AnyWork) -> None:
        if self.memory is None and self.cpu_time is None:
            return
        is_function = isinstance(work, PythonTask) and "spark" not in work.arguments
        if self.cluster is None and (is_function or isinstance(work, CommandTask)):
            return
        option = "memory" if self.memory is not None else "cpu_time"
        raise DefinitionError(
            f"{self.origin.at(option)}: task {self.name}: {option} is for tasks with a process of "
            "their own: functions without `spark`, and commands"
        )
