"""Times that come by themselves."""

from datetime import UTC, datetime, timedelta
from typing import ClassVar, Self
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from lineagegraph.errors import InvalidRule, InvalidSensor
from lineagegraph.model.temporary import in_utc
from lineagegraph.model.triggers.cron import check_cron, check_zone, next_time
from lineagegraph.sensors.context import PokeContext
from lineagegraph.sensors.sensor import Sensor
from lineagegraph.settings import load_settings
from lineagegraph.text import read_duration

_LONGEST = 10 * 366 * 86_400


class TimeSensor(Sensor, frozen=True, kw_only=True, omit_defaults=True):
    """A time has come: `at`, or a `delay` after the wait began, or the next of a cron expression.

    A wait turns the latter two into `at` when it begins, so waits for the same time share one
    sensor. The graph's clock decides.
    """

    kind: ClassVar[str] = "time"
    from_graph: ClassVar[bool] = True

    at: datetime | None = None
    delay: float | str | None = None
    cron: str | None = None
    zone: str | None = None

    def checked(self) -> Self:
        """Return it in its one spelling: times in UTC, delays in seconds."""
        given = [one for one in (self.at, self.delay, self.cron) if one is not None]
        if len(given) != 1:
            raise InvalidSensor("a sensor of kind time needs one of `at`, `delay` and `cron`")
        zone = self.zone or load_settings().zone
        _check(zone, self.cron)
        if self.at is not None:
            at = self.at if self.at.tzinfo else self.at.replace(tzinfo=ZoneInfo(zone))
            return replace(self, at=in_utc(at, InvalidSensor), zone=None)
        if self.delay is not None:
            return replace(self, delay=_seconds(self.delay), zone=None)
        return replace(self, cron=" ".join((self.cron or "").split()), zone=zone)

    def begun(self, now: datetime) -> Self:
        """Return the time that a wait is for which begins now."""
        said = self.checked()
        if said.cron is not None:
            at = next_time(said.cron, said.zone or "UTC", now)
        elif said.delay is not None:
            at = _whole(now.astimezone(UTC) + timedelta(seconds=float(said.delay)))
        else:
            return said
        return replace(said, at=at, delay=None, cron=None, zone=None)

    async def poke(self, context: PokeContext) -> bool:
        """Return whether the time has come by the clock of this machine."""
        return self.at is not None and datetime.now(UTC) >= self.at

    def __str__(self) -> str:
        if self.at is not None:
            return f"time {self.at.isoformat()}"
        return f"time {self.cron} {self.zone}" if self.cron else f"time in {self.delay}"


def _check(zone: str, cron: str | None) -> None:
    try:
        check_zone(zone)
        if cron is not None:
            check_cron(cron, zone)
    except InvalidRule as error:
        raise InvalidSensor(f"a sensor of kind time: {error}") from None


def _whole(time: datetime) -> datetime:
    """Return the next whole second, so that waits that began together share a sensor."""
    return time.replace(microsecond=0) + timedelta(seconds=time.microsecond > 0)


def _seconds(delay: float | str) -> float:
    seconds = read_duration(delay)
    if seconds is None:
        raise InvalidSensor(f"delay {delay!r} is not a duration: write it as '30s', '10m' or '2h'")
    if seconds > _LONGEST:
        raise InvalidSensor(f"delay {delay!r}: use at most ten years")
    return seconds
