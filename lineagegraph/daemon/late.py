"""What a worker reports whose run was taken from it: kept, and not counted."""

from collections.abc import Iterable
from typing import Any

from lineagegraph.model.producer import PRODUCER
from lineagegraph.model.states import EventType, RunState

LATE = "LATE"
_MESSAGE = "reported by a worker after its run was given up or given to another"


def as_late(events: Iterable[dict[str, Any]], run_id: str) -> list[dict[str, Any]]:
    """Return events as they may be recorded: what they say completed is SUPERSEDED.

    The run itself stays as it was settled.
    """
    return [_late(event, is_top=event["run"]["runId"] == run_id) for event in events]


def _late(event: dict[str, Any], *, is_top: bool) -> dict[str, Any]:
    run = event["run"]
    facets = run.get("facets") or {}
    own = {"_producer": PRODUCER, "_schemaURL": f"{PRODUCER}#run-facet-1"}
    own |= facets.get("lineagegraph") or {}
    own |= {"state": RunState.SUPERSEDED.value, "reason": LATE, "message": _MESSAGE}
    late = event | {"run": run | {"facets": facets | {"lineagegraph": own}}}
    return late | {"eventType": EventType.OTHER.value} if is_top else late
