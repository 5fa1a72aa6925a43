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


def own_part(event: dict[str, Any]) -> dict[str, Any]:
    """Return a valid event without members of other kinds of events: any value may be in them."""
    is_dataset_event = event.get("run") is None and event.get("job") is None
    foreign = ("inputs", "outputs") if is_dataset_event else ("dataset",)
    if not any(name in event for name in foreign):
        return event
    return {name: value for name, value in event.items() if name not in foreign}
