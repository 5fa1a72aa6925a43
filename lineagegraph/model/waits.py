"""Durations and intervals of a wait for a sensor."""

from typing import Any

import msgspec

SMART, EXCLUSIVE = "smart", "exclusive"
MODES = (SMART, EXCLUSIVE)

SHORTEST_POKE = 0.1
"""Shorter intervals keep the sensor process and the polled system busy."""
SHORTEST_WAIT = 0.1
"""Shorter attempts end before a poke."""
LONGEST = 10 * 365 * 86400.0
"""Ten years: for all attempts of a wait together, and between two pokes."""

MOST_BACKOFF = 100.0
"""The largest factor between two intervals."""


class WaitTerms(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The execution fields of a wait, in seconds; they do not distinguish sensors.

    A callback is a function that is called with the outcome of the wait, as `module:function`.
    """

    poke_interval: float = 60.0  # seconds between two pokes
    poke_backoff: float = 1.0  # factor of the interval after each poke that found nothing
    max_poke_interval: float = 3600.0  # most seconds that the interval grows to
    timeout: float = 604_800.0  # seconds of one attempt
    execution_timeout: float | None = None  # seconds of one attempt; the shorter one counts
    retries: int = 0  # attempts after the first one
    soft_fail: bool = False  # whether a timeout ends as SKIPPED
    mode: str = SMART  # smart (shared) or the run's own pokes
    on_success: str | None = None  # callback of success
    on_failure: str | None = None  # callback of failure
    on_retry: str | None = None  # callback of a new attempt

    @property
    def attempt_seconds(self) -> float:
        """Return the maximum duration of one attempt."""
        return attempt_seconds(self.timeout, self.execution_timeout)

    @property
    def total_seconds(self) -> float:
        """Return the maximum duration of all attempts together."""
        return self.attempt_seconds * (self.retries + 1)


def attempt_seconds(timeout: float, execution_timeout: float | None) -> float:
    """Return the maximum duration of one attempt: the shorter of the two."""
    return timeout if execution_timeout is None else min(timeout, execution_timeout)


def poke_interval_after(
    seconds: float, *, interval: float, backoff: float, longest: float
) -> float:
    """Return the interval between pokes when a sensor has not been true for so many seconds.

    Each interval is `backoff` times the one before. Their sum is a geometric series, so that the
    elapsed time alone gives the next one: no process needs to count pokes, or to hand a count over.
    """
    return min(interval + (backoff - 1.0) * max(seconds, 0.0), max(interval, longest))


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
