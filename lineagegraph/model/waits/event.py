"""Outcome of a wait, as passed to callback functions."""

from typing import Any

import msgspec


class WaitEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One `success`, `failure` or `retry` of a run's wait for a sensor.

    `kind` and `fields` identify the target of the wait, and `message` describes the outcome.
    `attempt` counts the wait's attempts from 1; for a `retry` it is the one that begins.
    """

    event: str
    run_id: str
    sensor_id: str
    kind: str
    fields: dict[str, Any]
    message: str | None
    attempt: int
