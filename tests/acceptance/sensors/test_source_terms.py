"""A table of another team: the daemon's sensor process asks it when it was last new."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared, until
from tests.integration.freshness.test_standings import tell

ALERTS = '[{"on": ["stale", "fresh"], "to": "log:"}]'


@pytest.fixture
def erp(tmp_path: Path) -> Path:
    path = tmp_path / "erp.db"
    insert(path, datetime.now(UTC) - timedelta(hours=5), create=True)
    return path


def insert(path: Path, at: datetime, *, create: bool = False) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        if create:
            database.execute("CREATE TABLE orders (ts TEXT)")
        database.execute("INSERT INTO orders VALUES (?)", [f"{at:%F %T}"])


def test_a_table_that_nobody_reports_is_judged_by_its_newest_row(
    server: ServerAddress, graph: Graph, tmp_path: Path, erp: Path
) -> None:
    lineagegraph = Commands(
        tmp_path, shared(server, tmp_path / "home") | {"LINEAGEGRAPH_NOTIFY": ALERTS}
    )
    tell(graph, "kpi", reads="erp.orders", at=datetime.now(UTC))
    stated = {
        "kind": "sql",
        "name": "orders_max",
        "url": f"sqlite:///{erp}",
        "query": "SELECT max(ts) FROM orders",
        "pokeInterval": "0.5s",
    }
    words = ("freshness", "set", "erp.orders", "--max-age", "2h", "--sensor", json.dumps(stated))
    assert lineagegraph(*words).stdout == (
        "dataset:lake:erp.orders: max age 2h by sensor orders_max\n"
    )

    def shown() -> dict[str, Any]:
        (one,) = json.loads(lineagegraph("freshness", "--json").stdout)
        found: dict[str, Any] = one
        return found

    def told() -> list[str]:
        rows = graph.query("MATCH (n:Notification) RETURN n.type AS type ORDER BY n.created_at")
        return [row["type"] for row in rows]

    assert shown()["state"] == "unknown"
    up = lineagegraph.start("up", "--only", "daemon")
    try:
        until(lambda: shown()["state"] == "stale", 60)
        assert 5 * 3600 <= shown()["age_seconds"] < 5 * 3600 + 300
        assert "by sensor orders_max" in lineagegraph("freshness").stdout
        until(lambda: told() == ["dataset.stale"], 60)
        insert(erp, datetime.now(UTC))
        until(lambda: shown()["state"] == "fresh", 60)
        until(lambda: told() == ["dataset.stale", "dataset.fresh"], 60)
        erp.unlink()
        until(lambda: shown()["state"] == "unknown", 60)
        assert "sensor orders_max fails since" in shown()["why"]
    finally:
        up.terminate()
        up.wait(30)
