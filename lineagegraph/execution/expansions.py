"""Tasks added to one run: their paths are unique, their number limited, and they are recorded."""

from collections.abc import Sequence
from threading import Lock
from typing import Any, Protocol

from lineagegraph.errors import RunError
from lineagegraph.execution.plan import Step
from lineagegraph.model.pipelines.definition import ExpansionTask, Task
from lineagegraph.model.pipelines.expansion import Added, Expansion
from lineagegraph.model.pipelines.task_code import TaskCode

_NO_EXPANDER = "expand(): tasks cannot be added to this run: run it by a worker"


class Expander(Protocol):
    """Resolves and records added tasks; `most` is the largest number of tasks that may be added."""

    most: int

    def resolve(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        """Return the task's definition; `parameters` are its possible arguments, None for any."""

    def record(self, expansions: Sequence[Expansion], codes: Sequence[TaskCode]) -> None:
        """Record expansions as a part of the run, and return when they are committed."""


class Expansions:
    """The expansions of one run."""

    def __init__(self, root: Step, expander: Expander | None) -> None:
        self._expander = expander
        self._lock = Lock()
        self._owners: dict[str, Step | None] = dict.fromkeys(step.path for step in root.walk())
        self._counts: dict[Step, int] = {}

    def resolve(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        """Return the task's definition; `parameters` are its possible arguments, None for any."""
        if self._expander is None:
            raise RunError(_NO_EXPANDER)
        return self._expander.resolve(task, name, parameters)

    def reserve(self, caller: Step, group: Task) -> None:
        """Reserve the paths of a group's tasks; raise `RunError` if one is taken."""
        assert isinstance(group.work, ExpansionTask)
        whole = ".".join((*caller.names[:-1], group.name))
        paths = [whole, *(f"{whole}.{key}" for key in group.work.keys)]
        with self._lock:
            for path in paths:
                if path in self._owners:
                    raise RunError(f"expand(): task {path!r} exists already: give another name=…")
            self._count(caller, len(group.work.keys))
            self._owners |= dict.fromkeys(paths, caller)

    def forget(self, caller: Step) -> None:
        """Drop the tasks that an earlier attempt of a task asked for."""
        with self._lock:
            if self._counts.pop(caller, None) is not None:
                kept = self._owners.items()
                self._owners = {path: owner for path, owner in kept if owner is not caller}

    def record_taken(self, root: Step) -> None:
        """Record the expansions of the original run that this rerun takes over."""
        for caller in list(root.walk()):
            self.record(caller, [Added(step.task) for step in caller.added if step.task])

    def record(self, caller: Step, added: Sequence[Added]) -> None:
        """Record the tasks that a task added, before any of them starts."""
        if not added:
            return
        if self._expander is None:
            raise RunError(_NO_EXPANDER)
        self._expander.record(
            [Expansion(behind=caller.names, task=one.task) for one in added],
            [one.code for one in added if one.code],
        )

    def _count(self, caller: Step, more: int) -> None:
        most = self._expander.most if self._expander else 0
        if (count := sum(self._counts.values()) + more) > most:
            raise RunError(
                f"expand(): the run would add {count:,} tasks, and at most {most:,} are allowed: "
                "give each more to do, or raise LINEAGEGRAPH_MAX_EXPANDED_TASKS"
            )
        self._counts[caller] = self._counts.get(caller, 0) + more
