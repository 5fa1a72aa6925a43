"""Handles: tasks as a definition file states them, before they are part of a pipeline."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError
from lineagegraph.model.freshness.terms import Dependency, Freshness
from lineagegraph.model.pipelines.definition import (
    DAY,
    AnyWork,
    CommandTask,
    Emit,
    PythonTask,
    Task,
)


@dataclass(frozen=True, slots=True)
class Depends:
    """A parent of a task as the definition names it, and the terms for it."""

    on: Handle | str
    terms: Dependency
    origin: Origin


@dataclass(frozen=True, eq=False, kw_only=True)
class Handle(ABC):
    """One task of a definition file."""

    #: the task's name, unique among its siblings
    name: str
    #: the line that states it
    origin: Origin
    #: tasks beside it, or their names, that must succeed first
    after: tuple[Handle | str, ...] = ()
    #: number of attempts after the first failed one
    retries: int = 0
    #: seconds before such an attempt
    retry_delay: float = 0.0
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
    #: names and patterns of environment variables that it gets besides the usual ones
    pass_env: tuple[str, ...] = ()
    #: bytes that its processes may use; None has no limit
    memory: int | None = None
    #: seconds of CPU time that its processes may use; None has no limit
    cpu_time: float | None = None

    @abstractmethod
    def work(self, parameters: Sequence[str]) -> AnyWork:
        """Return the work of the task in a pipeline with these parameters."""

    def is_meant_by(self, other: Handle) -> bool:
        """Return whether `after=other` means this task."""
        return other is self

    @property
    def after_names(self) -> tuple[str, ...]:
        """The names of the tasks that come before it, each once."""
        names = (one.name if isinstance(one, Handle) else one for one in self.after)
        return tuple(dict.fromkeys(names))

    def to_task(self, parameters: Sequence[str]) -> Task:
        """Return the task as part of a pipeline with these parameters."""
        work = self.work(parameters)
        self._check_limits(work)
        return Task(
            name=self.name,
            work=work,
            after=self.after_names,
            retries=self.retries,
            retry_delay=self.retry_delay,
            timeout=self.timeout,
            emits=self.emits,
            freshness=self.freshness,
            cluster=self.cluster,
            identity=self.identity,
            shared_for=self.shared_for,
            pass_env=self.pass_env,
            memory=self.memory,
            cpu_time=self.cpu_time,
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
