"""Parameters of a triggered run, mapped from payloads."""

from collections.abc import Sequence
from typing import Any

from lineagegraph.errors import InvalidRule
from lineagegraph.model.triggers.predicate import read_payload
from lineagegraph.model.triggers.trigger import Argument, Pick, Trigger
from lineagegraph.store.triggers.firings import Payload


class MissingArgument(InvalidRule):
    """A payload lacks a value that a trigger's argument requires."""


def map_arguments(rule: Trigger, payloads: Sequence[Payload]) -> dict[str, Any]:
    """Return the mapped parameters; raise `MissingArgument` if a required value is missing.

    The newest payload with the key counts; with `pick` all the value is a list of all.
    """
    said = [(one, read_payload(one.params, one.emitted, one.reported)) for one in payloads]
    values = [(argument, _values(argument, said)) for argument in rule.arguments]
    return {
        argument.parameter: found if rule.pick is Pick.ALL else found[-1]
        for argument, found in values
        if found
    }


def _values(argument: Argument, said: Sequence[tuple[Payload, dict[str, Any]]]) -> list[Any]:
    found = [
        values[argument.key]
        for payload, values in said
        if argument.key in values and argument.job in (None, payload.job, payload.simple_name)
    ]
    if found or argument.default is not None:
        return found or [argument.default]
    if argument.required:
        raise MissingArgument(_missing(argument, said))
    return []


def _missing(argument: Argument, said: Sequence[tuple[Payload, dict[str, Any]]]) -> str:
    where = f" of {argument.job}" if argument.job else ""
    names = sorted({name for _, values in said for name in values})
    has = ", ".join(names)[:300] or "nothing"
    return (
        f"parameter {argument.parameter} needs {argument.key!r}{where}, and the payload has "
        f"{has}: emit it, give a default, or set required=False"
    )
