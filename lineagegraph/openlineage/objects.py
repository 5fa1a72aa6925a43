"""Objects in events as they were sent: a facet may be anything."""

from collections.abc import Mapping
from typing import Any


def get_object(value: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a member that is an object; an empty one in the place of anything else."""
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def get_parent(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facet that names the parent of an event's run, empty if there is none."""
    return get_object(get_object(get_object(event, "run"), "facets"), "parent")
