"""What became of a wait, as functions that are called back learn it."""

from typing import Any

import msgspec


class WaitEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One `success`, `failure` or `retry` of the wait of a run for a sensor.

    `kind` and `fields` say what was waited for, and `message` how it came out. `attempt` counts the
    wait's attempts from 1; of a `retry` it is the one that begins.
    """

    event: str
    run_id: str
    sensor_id: str
    kind: str
    fields: dict[str, Any]
    message: str | None
    attempt: int
