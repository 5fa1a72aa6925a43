"""The scenario of the demo: which hours each region has, and which go wrong."""

from dataclasses import dataclass

DAY = "2026-03-08"
ZONES = {"US": "America/New_York", "UK": "Europe/London", "JP": "Asia/Tokyo"}
LATE, BROKEN = "UK", "JP"
SHOP = {"checkout": "/checkout", "search": "/search", "banner": "/"}
OVER = ("logo", "/")


@dataclass(frozen=True)
class Hour:
    """An hour of the day in a region; `name` is the local hour."""

    region: str
    name: str

    @property
    def params(self) -> dict[str, str]:
        """Return the parameters of its run."""
        return {"region": self.region, "day": DAY, "hour": self.name}


def hours_of_day(count: int) -> list[str]:
    """Return the last `count` hours before midnight."""
    return [f"{hour:02}" for hour in range(24 - count, 24)]


def hours_in_time(count: int) -> list[Hour]:
    """Return the hours whose clicks arrive on time, for all regions, hour by hour."""
    found = [Hour(region, name) for name in hours_of_day(count) for region in ZONES]
    return [hour for hour in found if hour != late_hour(count)]


def late_hour(count: int) -> Hour:
    """Return the hour whose clicks arrive last."""
    return Hour(LATE, hours_of_day(count)[-1])


def broken_hour(count: int) -> Hour:
    """Return the hour whose clicks cannot be read."""
    return Hour(BROKEN, hours_of_day(count)[-1])
