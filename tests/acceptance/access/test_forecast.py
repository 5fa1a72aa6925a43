"""Who sees the forecast over HTTP, and how far it goes."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from tests.acceptance.access.conftest import Admit
from tests.project import Project

FLOWS = """
from lineagegraph import on

lg.pipeline("hourly", tasks=[lg.command("a", ["true"])], trigger=on.cron("0 * * * *", zone="UTC"))
lg.pipeline("after", tasks=[lg.command("a", ["true"])], trigger=on.success("hourly"))
lg.pipeline("busy", tasks=[lg.command("a", ["true"])], trigger=on.every("1s"))
"""


@pytest.fixture(autouse=True)
def flows(graph: Graph, tmp_path: Path) -> None:
    Project(tmp_path / "project", graph, tmp_path / "home").state(FLOWS)


def test_readers_of_all_see_what_comes(admit: Admit) -> None:
    client = admit(read="*")
    until = datetime.now(UTC) + timedelta(hours=2)
    found = client.get("/api/v1/forecast", params={"until": until.isoformat()}).json()
    runs = [run for run in found["runs"] if run["job"] != "busy"]
    assert [run["job"] for run in runs] == ["hourly", "after"] * 2
    assert all(run["trouble"] is None for run in runs)
    assert client.get("/api/v1/forecast", params={"until": "soon"}).status_code == 400
    far = (datetime.now(UTC) + timedelta(days=40)).isoformat()
    assert client.get("/api/v1/forecast", params={"until": far}).status_code in (400, 422)


def test_a_schedule_of_each_second_does_not_hold_up_the_forecast(admit: Admit) -> None:
    far = (datetime.now(UTC) + timedelta(days=30)).isoformat()
    found = admit(read="*").get("/api/v1/forecast", params={"until": far}).json()
    assert [run["job"] for run in found["runs"]].count("busy") == 100
    assert found["total"] > 2 * len(found["runs"])


def test_readers_of_one_namespace_do_not(admit: Admit) -> None:
    assert admit(read="default").get("/api/v1/forecast").status_code == 403
