"""How many events, jobs, datasets and sources there were, an hour or a day at a time."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx2 as httpx
import pytest

from lineagegraph.queries.jobs.stats import last_day, last_week
from tests.acceptance.marquez.conftest import Teller

STATS = "/api/v1/stats"
DAY = "?period=DAY"
WEEK = "?period=week&timezone=Asia/Tokyo"


def read(client: httpx.Client, path: str) -> Any:
    answer = client.get(STATS + path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_day_has_24_hours_and_a_week_seven_days(client: httpx.Client, tell: Teller) -> None:
    now = datetime.now(UTC)
    for event_type, ago in (("START", 0), ("COMPLETE", 0), ("FAIL", 25), ("ABORT", 24 * 30)):
        at = now - timedelta(hours=ago)
        tell.run("job", event_type=event_type, at=at, outputs=(f"d{ago}",))
    day, week = read(client, f"/lineage-events{DAY}"), read(client, f"/lineage-events{WEEK}")
    assert (len(day), len(week)) == (24, 7)
    for spans in (day, week):
        ends = [span["endInterval"] for span in spans]
        assert ends[:-1] == [span["startInterval"] for span in spans[1:]]
    totals = [
        {kind: sum(span[kind] for span in spans) for kind in ("start", "complete", "fail", "abort")}
        for spans in (day, week)
    ]
    assert totals[0] == {"start": 1, "complete": 1, "fail": 0, "abort": 0}
    assert totals[1] == {"start": 1, "complete": 1, "fail": 1, "abort": 0}


def test_jobs_datasets_and_sources_add_up(client: httpx.Client, tell: Teller) -> None:
    now = datetime.now(UTC)
    tell.run("old", at=now - timedelta(days=3), outputs=("a",))
    tell.run("new", at=now, outputs=("b",))
    for what in ("jobs", "datasets"):
        counts = [span["count"] for span in read(client, f"/{what}{WEEK}")]
        assert (counts[0], counts[-1], sorted(counts)) == (0, 2, counts)
        counts = [span["count"] for span in read(client, f"/{what}{DAY}")]
        assert (counts[0], counts[-1]) == (1, 2)
    assert [span["count"] for span in read(client, f"/sources{DAY}")] == [1] * 24


@pytest.mark.parametrize("what", ["lineage-events", "jobs", "datasets", "sources"])
@pytest.mark.parametrize(
    "query",
    [
        "",
        "?period=YEAR",
        "?period=WEEK",
        "?period=WEEK&timezone=",
        "?period=WEEK&timezone=Mars/Base",
        "?period=WEEK&timezone=../etc",
        "?period=WEEK&timezone=America",
        "?period=WEEK&timezone=%00",
        "?period=DAY&timezone=" + "x" * 5000,
    ],
)
def test_no_period_and_no_zone_is_guessed(client: httpx.Client, what: str, query: str) -> None:
    assert client.get(f"{STATS}/{what}{query}").status_code == 400


def test_days_begin_at_midnight_where_one_is_also_when_the_clocks_change() -> None:
    week = last_week(datetime(2026, 3, 31, 12, tzinfo=UTC), ZoneInfo("Europe/London"))
    assert week[0].begin == datetime(2026, 3, 25, tzinfo=UTC)
    assert week[-1].end == datetime(2026, 3, 31, 23, tzinfo=UTC)
    hours = [(span.end - span.begin) / timedelta(hours=1) for span in week]
    assert hours == [24, 24, 24, 24, 23, 24, 24]


def test_the_last_hour_is_the_current_one() -> None:
    now = datetime(2026, 3, 31, 12, 30, tzinfo=UTC)
    assert last_day(now)[-1].begin == datetime(2026, 3, 31, 12, tzinfo=UTC)
    assert last_day(now)[0].begin == datetime(2026, 3, 30, 13, tzinfo=UTC)
