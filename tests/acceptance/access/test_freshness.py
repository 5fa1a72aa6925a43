"""Who may look at freshness, and who may set terms."""

import pytest

from lineagegraph.graph import Graph
from tests.acceptance.access.conftest import Admit
from tests.integration.freshness.test_standings import NOON, expect, tell

ONE = "/api/v1/freshness/dataset:lake:gold"
BODY = {"maxAge": 3600}


@pytest.fixture(autouse=True)
def late(graph: Graph) -> None:
    tell(graph, "kpi", reads="raw", writes="gold", at=NOON)
    tell(graph, "kpi", at=NOON, kind="FAIL")
    expect(graph, "gold")


def test_operators_of_the_namespace_set_terms_and_sign_with_their_token(admit: Admit) -> None:
    client = admit(operate="lake", read="lake")
    put = client.put(ONE, json={"since": "day", "zone": "Asia/Dubai", "grace": 60}).json()
    assert (put["terms"]["setBy"], put["terms"]["grace"]) == ("token ci", 60)
    assert client.get(ONE).json()["state"] == "stale"
    assert client.get("/api/v1/freshness", params={"namespace": "lake"}).status_code == 200
    assert client.get("/api/v1/freshness").status_code == 403
    assert client.delete(ONE).status_code == 204
    assert client.get(ONE).status_code == 404
    assert client.delete(ONE).status_code == 404


def test_readers_see_only_causes_that_they_may_read(admit: Admit) -> None:
    assert admit(read="lake").get(ONE).json()["path"] == []


def test_readers_of_all_see_the_path_and_change_nothing(admit: Admit) -> None:
    client = admit(read="*")
    page = client.get("/api/v1/freshness", params={"state": ["stale", "due"]}).json()
    assert page["totalCount"] == 1
    assert [step["node"] for step in page["freshness"][0]["path"]] == [
        "dataset:lake:gold",
        "job:default:kpi",
    ]
    assert client.get("/api/v1/freshness", params={"state": "fresh"}).json()["totalCount"] == 0
    assert client.get("/api/v1/freshness", params={"state": "ripe"}).status_code == 400
    assert client.get("/api/v1/freshness/nothing").status_code == 404
    assert client.put(ONE, json=BODY).status_code == 403
    assert client.delete(ONE).status_code == 403


@pytest.mark.parametrize(
    "body",
    [{}, {"maxAge": 0}, {"maxAge": 1e300}, {"maxAge": "24h"}, {"since": "x"}, {"hours": 3}, []],
)
def test_what_judges_nothing_is_refused_in_one_line(admit: Admit, body: object) -> None:
    refused = admit(operate="lake").put(ONE, json=body)
    assert refused.status_code == 400
    assert "\n" not in refused.json()["error"]
