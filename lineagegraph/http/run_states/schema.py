"""The JSON Schema of a change of state, as one document."""

from functools import cache
from typing import Any

from lineagegraph.http.openapi import make_document

_NAME = "RunStateChange"


@cache
def make_schema() -> dict[str, Any]:
    """Return the schema that the OpenAPI document has of a change; it refers to nothing else."""
    found: dict[str, Any] = make_document()["components"]["schemas"][_NAME]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": _NAME,
        **found,
    }
