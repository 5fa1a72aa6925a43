"""The option `takes`: values of other tasks as arguments of a function."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from lineagegraph.authoring.handle import Handle, Output
from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.annotations import (
    accepts_none,
    annotated_function,
    argument_type,
)
from lineagegraph.model.typed import prepare_type

Takes = Mapping[str, Output]


def checked_takes(takes: Takes | None, origin: Origin) -> dict[str, Output]:
    """Return the values that a task takes, by argument."""
    given = {} if takes is None else takes
    if not isinstance(given, Mapping):
        raise DefinitionError(f"{origin}: takes={takes!r} must be {{argument: task.output}}")
    for name, one in given.items():
        if not isinstance(one, Output):
            meant = f": write {one.name}.output" if isinstance(one, Handle) else ""
            raise DefinitionError(f"{origin}: takes {name!r}: {one!r} is not an output{meant}")
    return dict(given)


def check_takes(
    task: Handle,
    function: Callable[..., Any],
    arguments: Collection[str],
    parameters: Collection[str],
) -> tuple[str, ...]:
    """Check the arguments of a task that are values of others; return those that may be None."""
    origin = task.origin.at("takes")
    if task.takes and task.identity is not None:
        raise DefinitionError(
            f"{origin}: task {task.name}: identity and takes exclude each other, as equal tasks "
            "of other pipelines may take other values"
        )
    for name in task.takes:
        _check_name(name, task, arguments, parameters, origin)
    types = {name: _type(task, function, name) for name in task.takes}
    return tuple(sorted(name for name, type_ in types.items() if accepts_none(type_)))


def _check_name(
    name: str,
    task: Handle,
    arguments: Collection[str],
    parameters: Collection[str],
    origin: Origin,
) -> None:
    if name in parameters or name == "spark":
        what = "the Spark session" if name == "spark" else "a parameter of its pipeline"
        raise DefinitionError(
            f"{origin}: task {task.name}: takes {name!r}, which is {what}: rename the argument"
        )
    if name not in arguments:
        raise DefinitionError(
            f"{origin}: task {task.name}: takes {name!r}, which is not an argument of its function"
            f"{did_you_mean(name, arguments)}"
        )


def _type(task: Handle, function: Callable[..., Any], name: str) -> Any:
    """Return the type of an argument, and keep it in place of its text.

    A function that is kept by value does not bring the names that its annotations use.
    """
    try:
        type_ = argument_type(function, name)
        prepare_type(type_)
    except Exception as error:
        raise DefinitionError(
            f"{task.origin}: task {task.name}: the type of argument {name!r} cannot be used: "
            f"{error}"
        ) from None
    annotations = getattr(annotated_function(function), "__annotations__", {})
    if name in annotations:
        annotations[name] = type_
    return type_
