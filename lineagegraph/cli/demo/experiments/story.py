"""The scenario of the demo: which hours each region has, and which go wrong."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

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


_CUSTOMERS = 80
_CLICKS = 400
_PAGES = (*SHOP.values(), "/help")
_COLUMNS = ("customer_id", "page", "latency_ms", "clicked_at")


def write_experiments(website: Path) -> None:
    """Write the list of experiments; one has ended."""
    rows = [[name, f"a new {name}", page, "true"] for name, page in SHOP.items()]
    rows.append([OVER[0], f"a new {OVER[0]}", OVER[1], "false"])
    _write(website / "experiments.csv", ("experiment", "title", "page", "is_running"), rows)


def write_clicks(website: Path, hour: Hour, *, broken: bool = False) -> None:
    """Write the clicks of an hour; the same hour always gets the same clicks."""
    start = in_utc(hour)
    rows = list(_clicks(hour, start))
    if broken:
        rows[-1][2] = "n/a"
    _write(website / hour.region / f"{start:%Y-%m-%dT%H}.csv", _COLUMNS, rows)


def in_utc(hour: Hour) -> datetime:
    """Return the start of a local hour in UTC."""
    local = datetime.fromisoformat(f"{DAY}T{hour.name}:00")
    return local.replace(tzinfo=ZoneInfo(ZONES[hour.region])).astimezone(UTC)


def _clicks(hour: Hour, start: datetime) -> Iterator[list[str]]:
    chance = Random(f"{hour.region} {hour.name}")
    for number in range(_CLICKS):
        # A few browsers whose clocks are fast say that it is the next hour.
        seconds = 3600 + number if number < 5 else chance.randrange(3600)
        yield [
            f"{hour.region}-{chance.randrange(_CUSTOMERS):03}",
            chance.choice(_PAGES),
            str(chance.randrange(40, 900)),
            (start + timedelta(seconds=seconds)).isoformat(),
        ]


def _write(path: Path, columns: tuple[str, ...], rows: list[list[str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)
