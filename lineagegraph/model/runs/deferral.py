"""The wait of a task that defers to a sensor, and the answer with which it goes on."""

from collections.abc import Generator
from typing import Any

import msgspec

from lineagegraph.model.runs.states import RunState
from lineagegraph.model.waits import WaitTerms


class DeferralAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of a sensor to a task that deferred to it; false if it was not true in time.

    `state` is COMPLETED, or SKIPPED after a timeout with `soft_fail`. `values` are those that the
    sensor found, if it finds more than true.
    """

    asked: str  # id of the sensor as the task stated it
    state: RunState  # COMPLETED or SKIPPED
    message: str | None  # outcome in words
    values: dict[str, Any] = {}  # values of the answer

    def __bool__(self) -> bool:
        return self.state is RunState.COMPLETED

    def __await__(self) -> Generator[None, None, "DeferralAnswer"]:
        """Return itself at once, so that `async` tasks can write `await lg.defer(…)`."""
        yield from ()
        return self


class Deferral(msgspec.Struct, frozen=True, kw_only=True):
    """A sensor that a task defers to."""

    asked: str  # id of the sensor as the task states it
    kind: str  # kind of the sensor
    fields: str  # poke fields as JSON text
    text: str  # the sensor in words
    terms: WaitTerms  # how long and how often it is poked
