"""The shop's website: its experiments, and its click files named by UTC hour."""

import csv
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from lineagegraph.cli.demo.experiments.story import DAY, OVER, SHOP, ZONES, Hour

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
