"""The body of a request to wait."""

from typing import Annotated, Any

import msgspec

from lineagegraph.errors import InvalidSensor
from lineagegraph.http.plumbing.answers import NOT_NULL, about
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.waits import LONGEST, MOST_BACKOFF, SHORTEST_POKE, SHORTEST_WAIT, WaitTerms
from lineagegraph.sensors import Sensor, confined_fields, permitted_sensor
from lineagegraph.text import read_duration
from lineagegraph.waits.by_hand import HandOutcome

WaitTime = Annotated[float | str, about("Seconds, or a text such as 10m.")]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class WaitBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A sensor to wait for, how long and how often; times are seconds, or texts such as 10m."""

    kind: Annotated[str, about("Kind of the sensor.")]
    fields: Annotated[dict[str, Any], about("The poke fields of the kind.")] = {}
    namespace: Annotated[
        Name | None, about("Namespace of the run's job; the server's default if it is not given.")
    ] = None
    job: Annotated[
        Name | None, about("The job that the run is of; made of the sensor where it is left out.")
    ] = None
    poke_interval: Annotated[
        WaitTime, about("Time between two pokes: seconds, or a text such as 10m.")
    ] = 60.0
    poke_backoff: Annotated[
        float,
        msgspec.Meta(ge=1, le=MOST_BACKOFF),
        about("Factor of the time between pokes after each poke that is not true."),
    ] = 1.0
    max_poke_interval: Annotated[
        WaitTime, about("Longest time between two pokes: seconds, or a text such as 10m.")
    ] = 3600.0
    timeout: Annotated[WaitTime, about("Time of one attempt: seconds, or a text such as 10m.")] = (
        "7d"
    )
    execution_timeout: Annotated[
        float | str | None, about("Time of one attempt as well: the shorter one counts.")
    ] = None
    retries: Annotated[int, msgspec.Meta(ge=0, le=1000), about("Attempts after the first one.")] = 0
    soft_fail: Annotated[bool, about("Whether a timeout ends as skipped, and not as failed.")] = (
        False
    )

    def terms(self) -> WaitTerms:
        """Return the terms of the wait."""
        longest = self.execution_timeout
        terms = WaitTerms(
            poke_interval=_seconds(self.poke_interval, "pokeInterval", SHORTEST_POKE),
            poke_backoff=self.poke_backoff,
            max_poke_interval=_seconds(self.max_poke_interval, "maxPokeInterval", SHORTEST_POKE),
            timeout=_seconds(self.timeout, "timeout", SHORTEST_WAIT),
            execution_timeout=(
                None if longest is None else _seconds(longest, "executionTimeout", SHORTEST_WAIT)
            ),
            retries=self.retries,
            soft_fail=self.soft_fail,
        )
        if terms.total_seconds > LONGEST:
            message = f"with {self.retries} retries all attempts take more than ten years"
            raise RequestRefused(400, message, "retries")
        return terms

    def sensor(self, *, confined: bool) -> Sensor:
        """Return the sensor; raise `InvalidSensor` for one that requests may not name.

        With `confined`, as for a token, the settings must name what it pokes.
        """
        fields = confined_fields(self.kind, self.fields) if confined else self.fields
        sensor = permitted_sensor(self.kind, fields, namespace=self.namespace)
        if sensor.code_only:
            raise InvalidSensor(
                f"kind {self.kind} runs code, which a request must not contain: define it in a "
                "definition file"
            )
        return sensor


class SettleBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """How to end a wait by hand."""

    reason: Annotated[
        str, about("Reason, shown with the wait."), msgspec.Meta(pattern=r"\S", max_length=1000)
    ]
    outcome: Annotated[HandOutcome, about("Outcome of the wait.")] = HandOutcome.SUCCESS
    author: Annotated[Name | None, about("Author of the decision; the caller is recorded too.")] = (
        None
    )


class CursorBody(msgspec.Struct, forbid_unknown_fields=True):
    """The cursor that a sensor is given."""

    cursor: Annotated[
        Any, NOT_NULL, about("Any JSON but null, of at most 160 kB: items behind it are new.")
    ]

    @property
    def text(self) -> str:
        """The cursor as JSON text."""
        return msgspec.json.encode(self.cursor).decode()


def _seconds(given: float | str, name: str, least: float) -> float:
    found = read_duration(given)
    if found is None or found <= 0:
        raise RequestRefused(
            400,
            f"{name} {given!r} must be a duration above 0: seconds, or a text such as 10m",
            name,
        )
    if not least <= found <= LONGEST:
        raise RequestRefused(
            400, f"{name} {given!r} must be between {least:g} seconds and ten years", name
        )
    return found
