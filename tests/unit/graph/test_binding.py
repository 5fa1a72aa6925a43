"""Statements that go over a list, or as many steps as asked for."""

from datetime import UTC, datetime, time, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lineagegraph.graph.binding import sendable
from lineagegraph.store.jobs import jobs
from lineagegraph.store.lineage import lineage
from lineagegraph.store.runs import facets


class NoTransaction:
    """Refuses every statement."""

    def run(self, query: Any, parameters: Any = None) -> Any:
        raise AssertionError(f"sent: {query}")


def test_a_statement_over_an_empty_list_is_not_sent() -> None:
    assert jobs.merge_jobs(NoTransaction(), rows=[]) == []
    assert facets.list_bodies(NoTransaction(), hashes=[]) == []
    assert jobs.delete_empty(NoTransaction(), keys=[]) == []


class NotedParameters:
    """Notes the parameters of the last statement, which finds nothing."""

    def run(self, query: Any, parameters: Any = None) -> Any:
        self.parameters = parameters
        return []


def test_the_driver_gets_parameters_whose_text_for_its_log_costs_nothing() -> None:
    noted = NotedParameters()
    facets.list_bodies(noted, hashes=["secret"] * 3)
    assert noted.parameters == {"given": {"hashes": ["secret"] * 3}}
    assert "secret" not in repr(noted.parameters)


@pytest.mark.parametrize("walk", [lineage.walk_upstream, lineage.walk_downstream])
@pytest.mark.parametrize(("depth", "most"), [(0, 0), (3, 3), (20, 20), (21, 1_000_000)])
def test_a_walk_goes_no_further_than_asked_for(walk: Any, depth: int, most: int) -> None:
    with pytest.raises(AssertionError, match=rf"SAME_AS\*0\.\.{most}\]"):
        walk(NoTransaction(), key="k", depth=depth, limit=9, at=None)


def test_no_zone_of_python_is_sent_as_the_driver_may_crash_on_it() -> None:
    berlin = datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZoneInfo("Europe/Berlin"))
    fixed = datetime(2026, 10, 25, 2, 30, tzinfo=timezone(timedelta(hours=1)))
    naive = datetime(2026, 10, 25)  # noqa: DTZ001

    sent = sendable({"at": berlin, "rows": [{"at": (berlin, "x")}], "fixed": fixed, "naive": naive})

    in_utc = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    assert sent == {"at": in_utc, "rows": [{"at": [in_utc, "x"]}], "fixed": fixed, "naive": naive}
    assert sent["at"].tzinfo is sent["rows"][0]["at"][0].tzinfo is UTC
    assert sent["fixed"].utcoffset() == timedelta(hours=1)


def test_a_time_of_a_zone_without_a_date_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="08:30:00 in Europe/Berlin has no offset without a date"):
        sendable({"at": time(8, 30, tzinfo=ZoneInfo("Europe/Berlin"))})
    fixed = time(8, 30, tzinfo=UTC)
    assert sendable([fixed, time(8, 30)]) == [fixed, time(8, 30)]
