"""Who may look at freshness, and who may set terms."""

import pytest

from lineagegraph.graph import Graph
from tests.acceptance.access.conftest import Admit
from tests.integration.freshness.test_parts import write
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


def test_each_region_is_answered(admit: Admit, graph: Graph) -> None:
    write(graph, "gold", NOON, {"region": "eu"})
    client = admit(operate="lake", read="lake")
    put = client.put(ONE, json=BODY | {"per": "region", "expected": ["us"]}).json()
    assert (put["terms"]["per"], put["terms"]["expected"]) == ("region", ["us"])
    assert [(part["part"], part["state"]) for part in put["parts"]] == [
        ("eu", "stale"),
        ("us", "stale"),
    ]
    assert client.put(ONE, json=BODY | {"expected": ["us"]}).status_code == 400
    assert client.put(ONE, json=BODY | {"per": ""}).status_code == 400


def test_a_token_names_only_sensors_that_the_settings_permit(admit: Admit) -> None:
    client = admit(operate="lake", read="lake")

    def put(kind: str, **fields: object) -> tuple[int, str]:
        sensor = {"kind": kind, "fields": fields}
        found = client.put(ONE, json=BODY | {"sensor": sensor})
        return found.status_code, found.json().get("error", "")

    query = {"query": "SELECT max(ts) FROM orders"}
    assert put("sql", url="sqlite:////etc/orders.db", **query)[0] == 400
    assert put("sql", url="postgresql://db.example.com/erp", **query)[0] == 400
    assert put("file", path="/etc/passwd")[0] == 400
    status, why = put("python", function="os:getcwd")
    assert (status, "code" in why or "HTTP" in why) == (400, True)
    assert client.put(ONE, json=BODY | {"sensor": {"kind": "sql", "speed": 3}}).status_code == 400
    assert client.get(ONE).json()["terms"]["sensor"] is None
