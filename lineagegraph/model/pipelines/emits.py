"""Values that the tasks of a pipeline declare to emit."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import msgspec

from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.model.pipelines.hierarchy import tasks_in
from lineagegraph.model.typed import convert_value

ANY = "json"
EMIT_TYPES: dict[str, type] = {
    type_.__name__: type_ for type_ in (bool, int, float, str, datetime, date, list, dict)
}


def plain_value(type_: str, value: Any) -> Any:
    """Return an emitted value as JSON data; raise `ValueError` for another type."""
    try:
        found: Any = convert_value(value, EMIT_TYPES[type_])
    except msgspec.ValidationError:
        raise ValueError(f"expected {type_}, got {repr(value)[:100]}") from None
    return found.isoformat() if isinstance(found, date) else found


def list_payload_names(pipeline: Pipeline) -> dict[str, str] | None:
    """Return the type of each name in a run's payload, or None if it may have any name.

    The names are those of parameters, and of emitted values as `name` and as `task.name`. A name of
    several types counts as `json`.
    """
    tasks = list(_tasks(pipeline.tasks))
    if any(task.emits is None for _, task in tasks):
        return None
    types = {parameter.name: parameter.type for parameter in pipeline.parameters}
    for path, task in tasks:
        for emit in task.emits or ():
            for name in (emit.name, f"{path}.{emit.name}"):
                types[name] = emit.type if types.get(name, emit.type) == emit.type else ANY
    return types


def _tasks(tasks: tuple[Task, ...], above: str = "") -> Iterator[tuple[str, Task]]:
    """Yield the tasks that are not containers, by path."""
    for task in tasks:
        path = f"{above}{task.name}"
        if inside := tasks_in(task.work):
            yield from _tasks(inside, f"{path}.")
        else:
            yield path, task
