"""Events without the secrets that producers send in facets about settings, code and errors."""

from collections.abc import Iterator
from typing import Any

from lineagegraph.model.secrets import mask_value

# Facets with settings or free text; all others have a schema that leaves no room for secrets.
_FACETS = frozenset(
    {
        "environment-properties",
        "environmentVariables",
        "errorMessage",
        "extractionError",
        "jobDetails",
        "sourceCode",
        "spark.logicalPlan",
        "spark_properties",
        "sql",
        "unknownSourceAttribute",
    }
)


def mask_event(event: Any) -> Any:
    """Return an event with `***` for secrets in such facets; the same one if it has none."""
    if not isinstance(event, dict):
        return event
    masked = dict(event)
    for member in ("run", "job"):
        holder = event.get(member)
        if isinstance(holder, dict) and (new := _masked(holder.get("facets"))) is not None:
            masked[member] = holder | {"facets": new}
    return masked if any(masked[name] is not event[name] for name in event) else event


def _masked(facets: Any) -> dict[str, Any] | None:
    """Return masked facets, or None if nothing has to be masked."""
    new = dict(_changed(facets)) if isinstance(facets, dict) else {}
    return facets | new if new else None


def _changed(facets: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name in _FACETS & facets.keys():
        body = mask_value(facets[name])
        if body != facets[name]:
            yield name, body
