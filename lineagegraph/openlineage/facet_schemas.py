"""The schemas of the standard facets, from the specification, by scope and name."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs
import msgspec

_LONGEST_MESSAGE = 300
_MOST_FAULTS = 100
_FOLDER = Path(__file__).parent / "schemas"
_SCOPES = {
    "RunFacet": "run",
    "JobFacet": "job",
    "DatasetFacet": "dataset",
    "InputDatasetFacet": "input",
    "OutputDatasetFacet": "output",
}


class FacetFault(NamedTuple):
    """A violation of a facet's schema: a JSON path below the facet, and a message."""

    path: str
    message: str


def find_faults(scope: str, name: str, body: Any) -> tuple[FacetFault, ...]:
    """Return the faults of a facet, at most a hundred; a deleted or unknown facet has none.

    `scope` is run, job, dataset, input or output. Formats are annotations, as in the schemas.
    """
    if body is None or (isinstance(body, dict) and body.get("_deleted") is True):
        return ()
    if not isinstance(body, dict):
        return (FacetFault("", f"expected an object, got {type(body).__name__}"),)
    validator = _validators().get((scope, name))
    errors = validator.iter_errors(body) if validator else ()
    return tuple(map(_fault, islice(errors, _MOST_FAULTS)))


def _fault(error: jsonschema_rs.ValidationError) -> FacetFault:
    where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.instance_path)
    return FacetFault(where, error.message[:_LONGEST_MESSAGE])


@cache
def _validators() -> dict[tuple[str, str], jsonschema_rs.Draft202012Validator]:
    schemas = [msgspec.json.decode(path.read_bytes()) for path in sorted(_FOLDER.rglob("*.json"))]
    registry = jsonschema_rs.Registry([(schema["$id"], schema) for schema in schemas])
    return {
        (scope, name): jsonschema_rs.Draft202012Validator(
            {"$ref": f"{schema['$id']}{ref}"}, registry=registry, validate_formats=False
        )
        for schema in schemas
        for name, facet in schema.get("properties", {}).items()
        for scope, ref in _placed(schema, facet)
    }


def _placed(schema: dict[str, Any], facet: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each scope in which a facet may be, and the reference to its definition there."""
    for choice in facet.get("anyOf") or facet.get("oneOf") or [facet]:
        ref = choice["$ref"]
        definition = schema["$defs"][ref.rpartition("/")[2]]
        bases = [part.get("$ref", "") for part in definition.get("allOf", [])]
        found = [_SCOPES[base.rpartition("/")[2]] for base in bases if "OpenLineage.json#" in base]
        yield from ((scope, ref) for scope in found)
        if not found:
            yield from _placed(schema, definition)
