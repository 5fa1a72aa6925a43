"""The freshness board: terms per region, and of a source that nothing reports."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import lineagegraph as lg
from lineagegraph.errors import InvalidFreshness
from lineagegraph.graph import Graph
from lineagegraph.notebook.session import Session
from lineagegraph.notebook.widgets.freshness_board import FreshnessBoard
from lineagegraph.settings import Settings
from tests.integration.freshness.test_parts import write
from tests.integration.freshness.test_standings import tell

QUERY = {"url": "sqlite:////data/erp.db", "query": "SELECT max(ts) FROM orders"}


def newest_order() -> dict[str, str]:
    return {"at": "2026-03-01T12:00:00Z"}


@pytest.fixture
def board(graph: Graph, settings: Settings) -> FreshnessBoard:
    now = datetime.now(UTC)
    write(graph, "sales", now, {"region": "us"})
    write(graph, "sales", now - timedelta(hours=3, minutes=1), {"region": "eu"})
    tell(graph, "kpi", reads="orders", at=now)
    return Session(graph, settings).freshness()


def row(board: FreshnessBoard) -> dict[str, Any]:
    (found,) = board.view.answer_board()
    return found


def test_each_region_is_in_the_row_of_its_table(board: FreshnessBoard) -> None:
    board.expect("sales", lg.freshness("1h"), per="region", expected=["jp"])
    assert row(board)["state"] == "stale"
    assert row(board)["terms"] == "max age 1h per region"
    assert row(board)["why"].startswith("eu: 3h ")
    assert "ago, jp: never, us fresh; " in row(board)["why"]
    assert "jp: never" in board.picture()["text/html"]
    board.forget("sales")
    assert board.view.answer_board() == []


@pytest.mark.parametrize(
    ("kind", "fields", "name"),
    [("sql", QUERY, "orders_max"), (newest_order, {}, "newest")],
)
def test_a_sensor_of_a_query_or_a_function_is_named(
    board: FreshnessBoard, graph: Graph, kind: Any, fields: dict[str, Any], name: str
) -> None:
    sensor = lg.sensor(kind, name, poke_interval="10m", **fields)
    board.expect("orders", lg.freshness("1h"), sensor=sensor)
    assert row(board)["terms"] == f"max age 1h by sensor {name}"
    assert row(board)["why"] == f"sensor {name} has not answered yet"
    assert graph.query("MATCH (s:Sensor) RETURN s.interval AS s") == [{"s": 600}]


def test_a_sensor_that_answers_no_time_is_refused(board: FreshnessBoard) -> None:
    with pytest.raises(InvalidFreshness):
        board.expect("orders", lg.freshness("1h"), sensor=lg.sensor("file", path="/data/x"))
