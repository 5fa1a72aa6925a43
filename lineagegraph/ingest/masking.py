"""Events without the secrets that their producers put into them."""

from typing import Any

from lineagegraph.secrets import mask

OWN_FACET = "lineagegraph"
# Runs are started again with these values, later tasks take them, and rules compare them.
_DATA = ("params", "emitted", "output", "partition")


def mask_event(event: Any) -> Any:
    """Return an event with its secrets masked; parameters and values of runs stay."""
    masked = mask(event)
    if masked is event:
        return event
    own, found = _own_facet(event), _own_facet(masked)
    kept = {name: own[name] for name in _DATA if name in own}
    if not kept or own is found:
        return masked
    run = masked["run"]
    facets = run["facets"] | {OWN_FACET: found | kept}
    return masked | {"run": run | {"facets": facets}}


def _own_facet(event: Any) -> dict[str, Any]:
    for name in ("run", "facets", OWN_FACET):
        event = event.get(name) if isinstance(event, dict) else None
    return event if isinstance(event, dict) else {}
