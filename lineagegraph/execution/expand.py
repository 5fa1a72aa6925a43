"""Add tasks to a running run: `lg.expand`, with its values and names checked first."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from datetime import date, datetime
from typing import Any, NamedTuple, Protocol

from lineagegraph.errors import RunError
from lineagegraph.execution.plan import Step
from lineagegraph.model.holding import holding
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.pipelines.definition import ExpansionTask, Parameter, Task
from lineagegraph.model.pipelines.expansion import Added
from lineagegraph.model.pipelines.parameters import plain_value

SPARK = "spark"
MOST_BYTES = 64 * 1024
LONGEST_KEY = 200
Row = Mapping[str, Any]


class Rows(NamedTuple):
    """The values of each task, and their names; the names are None if there are no tasks."""

    names: tuple[str, ...] | None
    values: Sequence[Row]


def checked_rows(over: Iterable[Row] | None, values: Mapping[str, Iterable[Any]]) -> Rows:
    """Return the values of each task by name."""
    if over is not None and values:
        raise RunError("expand(): give `over` or values by name, not both")
    if over is None and not values:
        raise RunError("expand() needs values: give lists by name, or `over` with a list of maps")
    if over is None:
        return Rows(tuple(values), _by_name(values))
    rows = _listed_maps(over)
    return Rows(tuple(dict.fromkeys(name for row in rows for name in row)) if rows else None, rows)


def checked_keys(keys: Iterable[Any] | str | None, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the name of each task: numbers from 0 on, unless keys are given."""
    if keys is None:
        return tuple(str(number) for number in range(len(rows)))
    found = tuple(str(key) for key in _given_keys(keys, rows))
    if len(found) != len(rows):
        raise RunError(f"expand(): there are {len(found)} keys for {len(rows)} tasks")
    for key in found:
        if not key or key != key.strip() or not key.isprintable() or len(key) > LONGEST_KEY:
            raise RunError(
                f"expand(): key {key[:60]!r} cannot be a name: use printable text of up to "
                f"{LONGEST_KEY} characters"
            )
    for key, times in Counter(found).items():
        if times > 1:
            raise RunError(f"expand(): {times} tasks have the key {key!r}")
    return found


def types_of(rows: Rows) -> tuple[Parameter, ...]:
    """Return the values' names and types; dates and times reach the task as such."""
    if SPARK in (rows.names or ()):
        raise RunError("expand(): 'spark' is reserved for the session: rename the value")
    return tuple(
        Parameter(name=name, type=_type_of([row[name] for row in rows.values if name in row]))
        for name in rows.names or ()
    )


def plain_values(rows: Rows, parameters: Iterable[Parameter]) -> tuple[dict[str, Any], ...]:
    """Return the values of each task in their JSON form."""
    types = {parameter.name: parameter.type for parameter in parameters}
    return tuple(
        {name: _plain(number, name, value, types[name]) for name, value in row.items()}
        for number, row in enumerate(rows.values)
    )


def _by_name(values: Mapping[str, Iterable[Any]]) -> list[Row]:
    lists = {name: _listed(name, found) for name, found in values.items()}
    lengths = {name: len(found) for name, found in lists.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise RunError(f"expand(): the lists must have the same length: {said}")
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def _listed(name: str, values: Any) -> list[Any]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise RunError(
            f"expand(): {name}={values!r:.60} must be a list with one value for each task"
        )
    return list(values)


def _listed_maps(over: Iterable[Row]) -> list[Row]:
    rows = _listed("over", over)
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping) or not all(_is_name(name) for name in row):
            raise RunError(f"expand(): over[{number}] must be a map of values by name")
    return rows


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name.isidentifier()


def _given_keys(keys: Iterable[Any] | str, rows: Sequence[Row]) -> Iterable[Any]:
    if not isinstance(keys, str):
        return keys
    for row in rows:
        if keys not in row:
            has = ", ".join(row) or "none"
            raise RunError(f"expand(): keys={keys!r} is not a value of every task: one has {has}")
    return [row[keys] for row in rows]


def _type_of(values: Sequence[Any]) -> str:
    if values and all(isinstance(value, datetime) for value in values):
        return "datetime"
    if values and all(type(value) is date for value in values):
        return "date"
    return "json"


def _plain(number: int, name: str, value: Any, type_: str) -> Any:
    if type_ == "json" and isinstance(value, date):
        raise RunError(
            f"expand(): {name} of task {number} is {value!r}, and others are of another type: give "
            "only dates, only times, or text"
        )
    try:
        plain = plain_value("json", value) if type_ == "json" else value.isoformat()
    except ValueError as error:
        raise RunError(f"expand(): {name} of task {number}: {error}") from None
    if (size := len(canonical_json(plain).encode())) > MOST_BYTES:
        raise RunError(
            f"expand(): {name} of task {number} has {size:,} bytes as JSON, at most "
            f"{MOST_BYTES:,} are kept: give the name of a file or table"
        )
    return plain


_adding: ContextVar["ExpansionCollector | None"] = ContextVar("lineagegraph_adding", default=None)


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

    `task` is a Python, command or `spark-submit` task, or a plain function. Its arguments are the
    names of the values, `spark` and parameters of the pipeline. Lists of several names go together,
    item by item; `over` is the same as a list of maps. The new tasks form a group with the task's
    name, or `name`, and are named by number, or by `keys`: a list, or the name of a value. They
    start when the attempt that asked for them completes, and every task after the running one waits
    for them.
    """
    adding = _adding.get()
    if adding is None:
        raise RunError("expand() was called outside a task: call it in a task's own thread")
    rows = checked_rows(over, values)
    adding.add(task, name, rows, checked_keys(keys, rows.values))


class Reservations(Protocol):
    """The expansions of one run, as a task of it asks for more."""

    def resolve(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        """Return the task's definition; `parameters` are its possible arguments, None for any."""

    def reserve(self, caller: Step, group: Task) -> None:
        """Reserve the paths of a group's tasks; raise `RunError` if one is taken."""

    def forget(self, caller: Step) -> None:
        """Drop the tasks that an earlier attempt of a task asked for."""


class ExpansionCollector:
    """The tasks that one attempt of one task adds."""

    def __init__(self, step: Step, expansions: Reservations) -> None:
        self._step = step
        self._expansions = expansions
        self.added: list[Added] = []
        expansions.forget(step)

    def add(self, task: Any, name: str | None, rows: Rows, keys: tuple[str, ...]) -> None:
        """Take all the tasks or, raising `RunError`, none."""
        parameters = types_of(rows)
        values = plain_values(rows, parameters)
        resolved = self._expansions.resolve(task, name, self._names(parameters, rows))
        work = ExpansionTask(
            each=resolved.task,
            keys=keys,
            values=values,
            parameters=parameters,
            code=resolved.code.sha256 if resolved.code else None,
            not_kept=resolved.not_kept,
        )
        group = Task(name=self._group_name(resolved.task.name), work=work, after=(self._step.name,))
        self.reserve(group)
        self.take([Added(group, resolved.function, resolved.code)])

    def reserve(self, group: Task) -> None:
        """Reserve the paths of a group's tasks; raise `RunError` if one is taken."""
        self._expansions.reserve(self._step, group)

    def take(self, added: Iterable[Added]) -> None:
        """Take tasks whose paths are reserved."""
        self.added += added

    def _names(self, parameters: Iterable[Parameter], rows: Rows) -> list[str] | None:
        """Return the names that the tasks' arguments may have; None if there are no tasks."""
        if rows.names is None:
            return None
        known = (*self._step.pipeline.parameters, *parameters)
        return list(dict.fromkeys(one.name for one in known))

    def _group_name(self, name: str) -> str:
        """Return the group's name; groups added by an expanded task include that task's name."""
        return f"{self._step.name}.{name}" if self._step.is_expanded else name

    def receiving(self) -> AbstractContextManager[None]:
        """Receive the tasks of `expand` in this thread, and in contexts copied from it."""
        return holding(_adding, self)
