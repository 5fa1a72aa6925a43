"""A task as a definition file states it, before a pipeline gives it its place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from lineagegraph.authoring.origin import Origin
from lineagegraph.model.freshness.terms import Dependency, Freshness
from lineagegraph.model.pipelines.definition import DAY, AnyWork, Emit, Task


@dataclass(frozen=True, slots=True)
class Depends:
    """A parent of a task, as it was named, and the terms for it."""

    on: Handle | str
    terms: Dependency
    origin: Origin


@dataclass(frozen=True, eq=False, kw_only=True)
class Handle(ABC):
    """One task of a definition file; `after` has handles or names of tasks beside it.

    `freshness`, `dependencies` and `cluster` are for tasks of a batch.
    """

    name: str
    origin: Origin
    after: tuple[Handle | str, ...] = ()
    retries: int = 0
    retry_delay: float = 0.0
    timeout: float | None = None
    emits: tuple[Emit, ...] | None = None
    freshness: Freshness | None = None
    dependencies: tuple[Depends, ...] = ()
    cluster: str | None = None
    identity: tuple[str, ...] | None = None
    shared_for: float = DAY

    @abstractmethod
    def work(self, parameters: Sequence[str]) -> AnyWork:
        """Return what the task does in a pipeline with these parameters."""

    def is_meant_by(self, other: Handle) -> bool:
        """Say whether `after=other` means this task."""
        return other is self

    @property
    def after_names(self) -> tuple[str, ...]:
        """The names of the tasks that come before it, each once."""
        names = (one.name if isinstance(one, Handle) else one for one in self.after)
        return tuple(dict.fromkeys(names))

    def place(self, parameters: Sequence[str]) -> Task:
        """Return the task as part of a pipeline with these parameters."""
        return Task(
            name=self.name,
            work=self.work(parameters),
            after=self.after_names,
            retries=self.retries,
            retry_delay=self.retry_delay,
            timeout=self.timeout,
            emits=self.emits,
            freshness=self.freshness,
            cluster=self.cluster,
            identity=self.identity,
            shared_for=self.shared_for,
        )
