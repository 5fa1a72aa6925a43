"""The trend of a job over HTTP: its change points, and who may read it."""

from datetime import timedelta

import pytest

from lineagegraph.graph import Graph
from tests.acceptance.access.conftest import Admit
from tests.integration.explore.diary import MONDAY, Diary


@pytest.fixture(autouse=True)
def days(graph: Graph) -> None:
    diary = Diary(graph)
    for day, minutes in enumerate([10] * 6 + [20] * 6):
        end = {"writes": ["lake"], "rows": 5, "day": MONDAY + timedelta(days=day)}
        diary.ran("load", 0, minutes, **end)  # type: ignore[arg-type]


def test_a_reader_of_the_namespace_sees_levels_and_change_points(admit: Admit) -> None:
    client = admit(read="default")
    found = client.get("/api/v1/trends/job:default:load").json()
    assert [level["middle"] for level in found["levels"]] == [600, 1200]
    (change,) = found["changes"]
    assert change["at"].startswith("2026-03-08T00:00:00")
    assert (change["before"], change["after"], change["factor"]) == (600, 1200, 2)
    assert change["run"] == found["points"][6]["run"]
    rows = client.get("/api/v1/trends/load", params={"measure": "rows"}).json()
    assert ({point["value"] for point in rows["points"]}, rows["changes"]) == ({5}, [])


def test_what_has_no_trend_is_refused(admit: Admit) -> None:
    client = admit(read="*")
    measure = {"measure": "money"}
    assert client.get("/api/v1/trends/load", params=measure).status_code == 400
    assert client.get("/api/v1/trends/dataset:lake:lake").status_code == 404
    assert client.get("/api/v1/trends/job:default:gone").status_code == 404


def test_a_reader_of_another_namespace_sees_no_trend(admit: Admit) -> None:
    assert admit(read="other").get("/api/v1/trends/load").status_code == 403
