"""Some of a run's parameters, given before the others are known."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from lineagegraph.definitions.parameters import resolve_params
from lineagegraph.model.definition import Pipeline


def check_given(pipeline: Pipeline, given: Mapping[str, Any]) -> None:
    """Raise `InvalidParameter` where a value is for no parameter, or of another type than it."""
    chosen = tuple(replace(one, required=False) for one in pipeline.parameters)
    resolve_params(replace(pipeline, parameters=chosen), given)
