"""Secrets are no fields of a sensor: the graph has those for all to see."""

from typing import Any

from lineagegraph.errors import InvalidSensor
from lineagegraph.secrets import secret_paths


def check_no_secrets(kind: str, fields: dict[str, Any]) -> None:
    """Raise `InvalidSensor` for fields that are likely secrets, without showing them."""
    for path in secret_paths(fields):
        raise InvalidSensor(
            f"sensor of kind {kind}: field {path} is a secret, which the graph would show: keep "
            "it with `lineagegraph connection set NAME`, and say connection=NAME here"
        )
