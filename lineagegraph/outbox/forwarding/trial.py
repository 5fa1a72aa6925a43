"""A test event."""

from datetime import datetime
from typing import Any

from lineagegraph.model.runs.ids import PRODUCER


def trial_event(now: datetime) -> dict[str, Any]:
    """Return an event that declares a job, so that no run is left of it."""
    return {
        "eventTime": now.isoformat(),
        "producer": PRODUCER,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent",
        "job": {"namespace": "lineagegraph", "name": "lineagegraph.test", "facets": {}},
        "inputs": [],
        "outputs": [],
    }
