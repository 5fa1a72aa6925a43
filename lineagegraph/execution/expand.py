"""Tasks that a running task puts behind itself, over values that it alone knows."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from lineagegraph.errors import RunError
from lineagegraph.execution.expansion_values import (
    Rows,
    checked_keys,
    checked_rows,
    plain_values,
    types_of,
)
from lineagegraph.execution.expansions import Expansions
from lineagegraph.execution.plan import Step
from lineagegraph.model.pipelines.definition import ExpansionTask, Parameter, Task
from lineagegraph.model.pipelines.expansion import Added

_adding: ContextVar["Adding | None"] = ContextVar("lineagegraph_adding", default=None)


def expand(
    task: Any,
    /,
    *,
    over: Iterable[Mapping[str, Any]] | None = None,
    keys: Iterable[Any] | str | None = None,
    name: str | None = None,
    **values: Iterable[Any],
) -> None:
    """Put a task behind the running one for each of several values: `expand(load, path=paths)`.

    `task` is a task of Python, of a program or of `spark-submit`, or a plain function. Its
    arguments are the values' names, `spark` and parameters of the pipeline. Lists of several names
    go together, item by item; `over` has the same as a list of maps. The new tasks form a group
    with the task's name, or `name`, and are called by number, or by `keys`: a list, or the name of
    a value. They start when the attempt that asked for them completes, and what comes after the
    running task waits for them.
    """
    adding = _adding.get()
    if adding is None:
        raise RunError("expand() was called outside a task: call it in a task's own thread")
    rows = checked_rows(over, values)
    adding.add(task, name, rows, checked_keys(keys, rows.values))


class Adding:
    """What one attempt of one task puts behind itself."""

    def __init__(self, step: Step, expansions: Expansions) -> None:
        self._step = step
        self._expansions = expansions
        self.added: list[Added] = []
        expansions.forget(step)

    def add(self, task: Any, name: str | None, rows: Rows, keys: tuple[str, ...]) -> None:
        """Take all the tasks or, raising what is wrong, none."""
        parameters = types_of(rows)
        values = plain_values(rows, parameters)
        placed = self._expansions.place(task, name, self._names(parameters, rows))
        work = ExpansionTask(
            each=placed.task,
            keys=keys,
            values=values,
            parameters=parameters,
            code=placed.code.sha256 if placed.code else None,
            not_kept=placed.not_kept,
        )
        group = Task(name=self._group_name(placed.task.name), work=work, after=(self._step.name,))
        self._expansions.reserve(self._step, group)
        self.added.append(Added(group, placed.function, placed.code))

    def _names(self, parameters: Iterable[Parameter], rows: Rows) -> list[str] | None:
        """Return what the tasks' arguments may be; None where no task is there to tell."""
        if rows.names is None:
            return None
        known = (*self._step.pipeline.parameters, *parameters)
        return list(dict.fromkeys(one.name for one in known))

    def _group_name(self, name: str) -> str:
        """Return the group's name: what an expanded task adds is named after that task too."""
        return f"{self._step.name}.{name}" if self._step.is_expanded else name

    @contextmanager
    def receiving(self) -> Iterator[None]:
        """Take what `expand` is given in this thread (and in contexts copied from it)."""
        token = _adding.set(self)
        try:
            yield
        finally:
            _adding.reset(token)
