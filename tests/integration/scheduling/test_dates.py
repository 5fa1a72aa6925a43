"""A pipeline is scheduled from its start date to its end date, and backfilled nowhere else."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.backfills.start import preview_backfill
from lineagegraph.errors import BackfillRefused
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.triggers.backfill import Span, TimeRange
from lineagegraph.model.triggers.condition import AnyCondition, OnCron, OnInterval
from lineagegraph.model.triggers.trigger import CatchUp, Trigger
from lineagegraph.queries.triggers.schedules import list_next, list_previous
from lineagegraph.triggers.of_definition import write_definition
from lineagegraph.triggers.react import react_to_times
from tests.definitions import NOTHING, daily, define

FIRST = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
NIGHTLY = OnCron(cron="0 2 * * *", zone="UTC")
NIGHTS = [datetime(2026, 3, day, 2, tzinfo=UTC) for day in (3, 4, 5)]
START, END = NIGHTS[0], NIGHTS[2]


def schedule(graph: Graph, when: AnyCondition, **dates: datetime | None) -> str:
    rule = Trigger(when=when, catch_up=CatchUp.ALL)
    stated = Pipeline(name="p", namespace="default", tasks=(NOTHING,), triggers=(rule,), **dates)
    key = define(graph, stated)
    graph.write(write_definition, stated, starts=key, now=FIRST)
    return key


def fired(graph: Graph, *times: datetime) -> list[int]:
    return [len(graph.write(react_to_times, now=time)) for time in times]


def days(number: int) -> list[datetime]:
    return [FIRST + n * DAY + timedelta(minutes=1) for n in range(1, number + 1)]


def test_a_schedule_fires_from_the_start_date_to_the_end_date(graph: Graph) -> None:
    schedule(graph, NIGHTLY, start_date=START, end_date=END)
    assert fired(graph, *days(6)) == [0, 1, 1, 1, 0, 0]


def test_an_interval_does_so_too(graph: Graph) -> None:
    schedule(graph, OnInterval(seconds=86400), start_date=START, end_date=END)
    assert fired(graph, *days(6)) == [0, 1, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("policy", "made_up"), [(CatchUp.ALL, 3), (CatchUp.LAST, 1), (CatchUp.NONE, 0)]
)
def test_times_that_are_made_up_for_lie_between_the_dates(
    graph: Graph, policy: CatchUp, made_up: int
) -> None:
    rule = Trigger(when=NIGHTLY, catch_up=policy)
    stated = Pipeline(
        name="p",
        namespace="default",
        tasks=(NOTHING,),
        triggers=(rule,),
        start_date=START,
        end_date=END,
    )
    graph.write(write_definition, stated, starts=define(graph, stated), now=FIRST)
    assert fired(graph, FIRST + 9 * DAY) == [made_up]


def test_dates_that_are_changed_hold_at_once(graph: Graph) -> None:
    schedule(graph, NIGHTLY, start_date=END)
    assert fired(graph, *days(2)) == [0, 0]
    schedule(graph, NIGHTLY, start_date=START)
    assert fired(graph, *days(4)[2:]) == [1, 1]
    schedule(graph, NIGHTLY, end_date=END)
    assert fired(graph, *days(6)[4:]) == [0, 0]


def test_the_next_time_lies_between_the_dates(graph: Graph) -> None:
    key = schedule(graph, NIGHTLY, start_date=START + timedelta(hours=1), end_date=END)
    assert list_next(graph, key) == [("p", NIGHTS[1])]
    assert list_previous(graph, key) == []
    fired(graph, *days(9))
    assert list_next(graph, key) == []
    assert list_previous(graph, key) == [("p", NIGHTS[2])]


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("2026-01-09", "2026-01-12", "2026-01-09 is before the start_date of daily, 2026-01-10"),
        ("2026-01-12", "2026-01-21", "2026-01-21 is after the end_date of daily, 2026-01-20"),
    ],
)
def test_a_backfill_outside_the_dates_is_refused(
    graph: Graph, first: str, last: str, said: str
) -> None:
    with pytest.raises(BackfillRefused, match=said):
        preview(graph, first, last)


def test_a_backfill_between_the_dates_is_not(graph: Graph) -> None:
    assert len(preview(graph, "2026-01-10", "2026-01-20")) == 11


def preview(graph: Graph, first: str, last: str) -> list[Any]:
    start = datetime.fromisoformat("2026-01-10T00:00:00+04:00")
    end = datetime.fromisoformat("2026-01-20T23:59:59.999999+04:00")
    stated = daily()
    key = define(
        graph,
        type(stated)(
            **{n: getattr(stated, n) for n in stated.__struct_fields__}
            | {"start_date": start, "end_date": end}
        ),
    )
    return preview_backfill(graph, key, Span(times=TimeRange(first, last)))
