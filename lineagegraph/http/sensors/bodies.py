"""The body of a request to wait."""

from typing import Annotated, Any

import msgspec

from lineagegraph.errors import InvalidSensor
from lineagegraph.http.plumbing.answers import about
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.waits import LONGEST, SHORTEST_POKE, WaitTerms
from lineagegraph.sensors import Sensor, confined_fields, permitted_sensor
from lineagegraph.text import read_duration

WaitTime = Annotated[float | str, about("Seconds, or a text such as 10m.")]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class WaitBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A sensor to wait for, how long and how often; times are seconds, or texts such as 10m."""

    kind: str
    fields: Annotated[dict[str, Any], about("The poke fields of the kind.")] = {}
    namespace: Name | None = None
    job: Annotated[
        Name | None, about("The job that the run is of; made of the sensor where it is left out.")
    ] = None
    poke_interval: WaitTime = 60.0
    timeout: WaitTime = "7d"
    execution_timeout: float | str | None = None
    retries: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    soft_fail: bool = False

    def terms(self) -> WaitTerms:
        """Return the terms of the wait."""
        longest = self.execution_timeout
        terms = WaitTerms(
            poke_interval=_seconds(self.poke_interval, "pokeInterval", SHORTEST_POKE),
            timeout=_seconds(self.timeout, "timeout"),
            execution_timeout=None if longest is None else _seconds(longest, "executionTimeout"),
            retries=self.retries,
            soft_fail=self.soft_fail,
        )
        if terms.total_seconds > LONGEST:
            said = f"with {self.retries} retries all attempts take more than ten years"
            raise RequestRefused(400, said, "retries")
        return terms

    def sensor(self, *, confined: bool) -> Sensor:
        """Return the sensor; raise `InvalidSensor` for one that requests may not name.

        With `confined`, as for a token, the settings must name what it pokes.
        """
        fields = confined_fields(self.kind, self.fields) if confined else self.fields
        sensor = permitted_sensor(self.kind, fields, namespace=self.namespace)
        if sensor.code_only:
            raise InvalidSensor(
                f"kind {self.kind} runs code of its own, which requests may not send: state it in "
                "a definition file"
            )
        return sensor


def _seconds(said: float | str, name: str, least: float = 0.0) -> float:
    found = read_duration(said)
    if found is None or found <= 0:
        raise RequestRefused(
            400, f"{name} {said!r} must be a time above 0: seconds, or a text such as 10m", name
        )
    if not least <= found <= LONGEST:
        raise RequestRefused(
            400, f"{name} {said!r} must lie between {least:g} seconds and ten years", name
        )
    return found
