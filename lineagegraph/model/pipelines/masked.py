"""Pipelines without their secrets: masked for the graph, and restored for the process of a run.

A masked pipeline names the places of its masked values. Parameters, their values and triggers are
data that the graph needs to start runs, so they are not masked.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from lineagegraph.errors import RunError
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.typed import convert_value
from lineagegraph.secrets import mask

_DATA = ("parameters", "triggers", "masked")
Values = dict[str, Any]


def mask_pipeline(pipeline: Pipeline) -> tuple[Pipeline, Values]:
    """Return a pipeline with its secrets masked, and the values by place: `tasks/load/work/…`."""
    plain = msgspec.to_builtins(pipeline)
    masked = mask(plain)
    values = dict(_masked_places(plain, masked))
    if not values:
        return pipeline, {}
    found = _replaced(plain, "", values, masked)
    return convert_value(found | {"masked": sorted(values)}, Pipeline), values


def restore_pipeline(pipeline: Pipeline, values: Mapping[str, Any]) -> Pipeline:
    """Return a pipeline with its masked values; raise `RunError` if one is missing."""
    if not pipeline.masked:
        return pipeline
    if missing := [place for place in pipeline.masked if place not in values]:
        raise RunError(
            f"pipeline {pipeline.name}: the secret at {missing[0]} is not known on this machine: "
            "read the definition here with `lineagegraph sync PATH`"
        )
    known = {place: values[place] for place in pipeline.masked}
    plain = msgspec.to_builtins(pipeline) | {"masked": ()}
    return convert_value(_replaced(plain, "", known, None), Pipeline)


def _masked_places(plain: Any, masked: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    if plain is masked:
        return
    if isinstance(plain, dict):
        same = plain.keys() == masked.keys()
        for name, value in plain.items():
            if name not in _DATA and same:
                yield from _masked_places(value, masked[name], _below(place, name))
        if not same:
            yield place, plain
    elif isinstance(plain, list | tuple):
        for number, (value, other) in enumerate(zip(plain, masked, strict=True)):
            yield from _masked_places(value, other, _below(place, _name_of(value, number)))
    else:
        yield place, plain


def _replaced(plain: Any, place: str, values: Mapping[str, Any], masked: Any) -> Any:
    """Return a value with other values at some places, or what `masked` has there."""
    if place in values:
        return values[place] if masked is None else masked
    if isinstance(plain, dict):
        return {
            name: _replaced(value, _below(place, name), values, _part(masked, name))
            for name, value in plain.items()
        }
    if isinstance(plain, list | tuple):
        return [
            _replaced(value, _below(place, _name_of(value, i)), values, _part(masked, i))
            for i, value in enumerate(plain)
        ]
    return plain


def _part(masked: Any, at: Any) -> Any:
    try:
        return None if masked is None else masked[at]
    except (KeyError, IndexError):
        return None


def _below(place: str, name: Any) -> str:
    return f"{place}/{name}" if place else str(name)


def _name_of(value: Any, number: int) -> Any:
    """Return the name of a list's member, so that its place outlasts a new order of tasks."""
    name = value.get("name") if isinstance(value, dict) else None
    return name if isinstance(name, str) else number
