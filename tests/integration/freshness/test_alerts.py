"""What became stale, or fresh again, is told once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from pydantic import SecretStr

from lineagegraph.daemon.freshness import notify_freshness
from lineagegraph.graph import Graph
from lineagegraph.model.outbox.routes import Occasion, Route
from lineagegraph.queries.jobs.outbox import read_notifications
from lineagegraph.settings import Settings
from tests.integration.freshness.test_standings import HOUR, NOON, expect, tell


@pytest.fixture
def watching(settings: Settings) -> Settings:
    route = Route(on=(Occasion.STALE, Occasion.FRESH), to=SecretStr("log:"))
    return settings.model_copy(update={"notify": (route,)})


def told(graph: Graph) -> list[tuple[str, str]]:
    """What was told, the oldest first."""
    return [(one.type, one.job) for one in reversed(read_notifications(graph, 100))]


def test_stale_is_told_once_whoever_looks_and_fresh_again_once_after_it(
    graph: Graph, watching: Settings
) -> None:
    tell(graph, "land", writes="raw", at=NOON)
    tell(graph, "land", at=NOON + HOUR, kind="FAIL")
    expect(graph, "raw")
    assert notify_freshness(graph, watching, NOON + HOUR) == 0
    late = NOON + 2 * HOUR
    with ThreadPoolExecutor(4) as daemons:
        found = daemons.map(lambda _: notify_freshness(graph, watching, late), range(4))
    assert sum(found) == 1
    (one,) = read_notifications(graph, 10)
    assert (one.type, one.job, one.namespace) == ("dataset.stale", "raw", "lake")
    assert one.message == (
        "last success at 2026-01-05T12:00:00Z, terms: max age 1h; land is FAILED: raw ← land"
    )
    tell(graph, "land", writes="raw", at=late)
    later = late + timedelta(minutes=1)
    assert notify_freshness(graph, watching, later) == 1
    assert notify_freshness(graph, watching, later) == 0
    assert told(graph) == [("dataset.stale", "raw"), ("dataset.fresh", "raw")]
    assert notify_freshness(graph, watching, late + 2 * HOUR) == 1


def test_a_daemon_without_a_route_leaves_the_news_to_the_others(
    graph: Graph, settings: Settings, watching: Settings
) -> None:
    tell(graph, "load", at=NOON)
    expect(graph, "load")
    late = NOON + 2 * HOUR
    failures = Route(on=(Occasion.FAILED,), to=SecretStr("log:"))
    for other in (settings, settings.model_copy(update={"notify": (failures,)})):
        assert notify_freshness(graph, other, late) == 0
    assert notify_freshness(graph, watching, late) == 1
    assert told(graph) == [("job.stale", "load")]


def routed(settings: Settings, **route: Any) -> Settings:
    return settings.model_copy(update={"notify": (Route(to=SecretStr("log:"), **route),)})


def test_a_daemon_leaves_the_news_of_jobs_that_its_routes_leave_out_to_the_others(
    graph: Graph, settings: Settings
) -> None:
    for job in ("load", "report"):
        tell(graph, job, at=NOON)
        expect(graph, job)
    late = NOON + 2 * HOUR
    taken = [
        notify_freshness(graph, routed(settings, on=(Occasion.STALE,), **only), late)
        for only in (
            {"namespaces": ("prod",)},
            {"owners": ("team:*",)},
            {"jobs": ("load",)},
            {"jobs": ("*",)},
        )
    ]
    assert taken == [0, 0, 1, 1]
    assert told(graph) == [("job.stale", "load"), ("job.stale", "report")]


def test_a_daemon_that_tells_only_what_is_fresh_again_leaves_what_is_stale_to_the_others(
    graph: Graph, settings: Settings
) -> None:
    tell(graph, "load", at=NOON)
    expect(graph, "load")
    stale, fresh = (routed(settings, on=(one,)) for one in (Occasion.STALE, Occasion.FRESH))
    for hours in (2, 5):
        for watching in (fresh, fresh, stale, fresh, stale):
            notify_freshness(graph, watching, NOON + hours * HOUR)
        tell(graph, "load", at=NOON + (hours + 1) * HOUR)
        for watching in (stale, fresh, fresh):
            notify_freshness(graph, watching, NOON + (hours + 1) * HOUR)
    assert told(graph) == [("job.stale", "load"), ("job.fresh", "load")] * 2


def test_what_is_fresh_again_is_told_also_by_a_daemon_that_tells_nothing_else(
    graph: Graph, settings: Settings
) -> None:
    tell(graph, "load", at=NOON)
    expect(graph, "load")
    fresh = routed(settings, on=(Occasion.FRESH,))
    notify_freshness(graph, fresh, NOON + 2 * HOUR)
    tell(graph, "load", at=NOON + 3 * HOUR)
    for _ in range(2):
        notify_freshness(graph, fresh, NOON + 3 * HOUR)
    assert told(graph) == [("job.fresh", "load")]


def test_a_clock_that_goes_back_and_forth_tells_nothing_twice(
    graph: Graph, watching: Settings
) -> None:
    tell(graph, "load", at=NOON)
    expect(graph, "load")
    for hours in (2, 0, 3, 1, 2):
        notify_freshness(graph, watching, NOON + hours * HOUR)
    assert told(graph) == [("job.stale", "load")]


def test_a_success_that_nobody_saw_between_two_lapses_makes_the_second_news(
    graph: Graph, watching: Settings
) -> None:
    tell(graph, "load", at=NOON)
    expect(graph, "load", grace=0)
    notify_freshness(graph, watching, NOON + 2 * HOUR)
    tell(graph, "load", at=NOON + 3 * HOUR)
    notify_freshness(graph, watching, NOON + 4 * HOUR + timedelta(seconds=1))
    assert told(graph) == [("job.stale", "load")] * 2


def test_what_never_succeeded_is_stale_after_its_grace_and_told_once(
    graph: Graph, watching: Settings
) -> None:
    tell(graph, "load", kind="FAIL")
    expect(graph, "load", now=NOON)
    assert notify_freshness(graph, watching, NOON + timedelta(minutes=29)) == 0
    for hours in (1, 2, 3):
        notify_freshness(graph, watching, NOON + hours * HOUR)
    (one,) = read_notifications(graph, 10)
    assert (one.type, one.job) == ("job.stale", "load")
    assert one.message.startswith("never succeeded, terms: max age 1h; its latest run is FAILED")
    tell(graph, "load", at=NOON + 4 * HOUR)
    notify_freshness(graph, watching, NOON + 4 * HOUR)
    notify_freshness(graph, watching, NOON + 6 * HOUR)
    assert [kind for kind, _ in told(graph)] == ["job.stale", "job.fresh", "job.stale"]
