"""Datasets with several names in Marquez's API."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx

from lineagegraph.http.ingest.facet_check import FacetCheck
from lineagegraph.http.ingest.received import receive
from tests.acceptance.marquez.conftest import Teller
from tests.acceptance.marquez.test_lineage import lineage
from tests.events import run_event

PATH = "/api/v1/namespaces/lake/datasets/wh%2Ft"
TABLE = "/api/v1/namespaces/hive:%2F%2Fm/datasets/db.t"
NOON, HOUR = datetime(2026, 3, 1, 12, tzinfo=UTC), timedelta(hours=1)
SCHEMA = {"schema": {"fields": [{"name": "a", "type": "int"}]}}


def symlinks(*names: str) -> dict[str, Any]:
    found = [{"namespace": "hive://m", "name": name, "type": "TABLE"} for name in names]
    return {"symlinks": {"identifiers": found}}


def write(facets: dict[str, Any]) -> dict[str, Any]:
    event = run_event("write", outputs=(("lake", "wh/t"),))
    event["outputs"][0]["facets"] = facets
    return event


def test_a_symlink_answers_as_the_dataset_that_it_names(client: httpx.Client, tell: Teller) -> None:
    tell.tell(write(SCHEMA | symlinks("db.t")))
    tell.tell(run_event("read", inputs=(("hive://m", "db.t"),)))
    found, by_path = client.get(TABLE).json(), client.get(PATH).json()
    assert found == by_path
    assert (found["name"], [one["name"] for one in found["fields"]]) == ("wh/t", ["a"])
    assert found["otherNames"] == [{"namespace": "hive://m", "name": "db.t"}]
    (version,) = client.get(f"{TABLE}/versions").json()["versions"]
    assert version["version"] == found["currentVersion"]
    assert client.get(f"{TABLE}/versions/{version['version']}").json() == version
    names = {
        hit["name"] for hit in client.get("/api/v1/search", params={"q": "t"}).json()["results"]
    }
    assert names >= {"wh/t", "db.t"}
    nodes = lineage(client, "dataset:hive://m:db.t")
    assert nodes == lineage(client, "dataset:lake:wh/t")
    assert set(nodes) == {"dataset:lake:wh/t", "job:default:read", "job:default:write"}
    assert nodes["job:default:read"]["data"]["inputs"] == [{"namespace": "lake", "name": "wh/t"}]
    latest = lineage(client, "dataset:hive://m:db.t", runs="latest")
    assert set(latest) == set(nodes)
    column = {"nodeId": "datasetField:hive://m:db.t:a"}
    (field,) = client.get("/api/v1/column-lineage", params=column).json()["graph"]
    assert field["id"] == "datasetField:lake:wh/t:a"
    assert client.delete(TABLE).status_code == 200
    assert [client.get(path).status_code for path in (TABLE, PATH)] == [404, 404]


def test_tags_belong_to_all_names(client: httpx.Client, tell: Teller) -> None:
    tell.tell(run_event("read", inputs=(("hive://m", "db.t"),)))
    client.post(f"{TABLE}/tags/GOLD").raise_for_status()
    tell.tell(write(SCHEMA | symlinks("db.t")))
    assert client.get(PATH).json()["tags"] == ["GOLD"]
    for filters in ({"tag": "GOLD"}, {"tag": "GOLD", "limit": "5"}):
        found = client.get("/api/v1/datasets", params=filters).json()["datasets"]
        assert {one["name"] for one in found} == {"wh/t", "db.t"}
    assert client.delete(f"{TABLE}/tags/GOLD").json()["tags"] == []


def test_owners_under_one_name_are_found_by_all(client: httpx.Client, tell: Teller) -> None:
    owned = {"ownership": {"owners": [{"name": "team:sales"}]}}
    tell.tell(write(symlinks("db.t")))
    event = run_event("own", outputs=(("hive://m", "db.t"),))
    event["outputs"][0]["facets"] = owned
    tell.tell(event)
    found = client.get("/api/v1/datasets", params={"owner": "team:sales"}).json()["datasets"]
    assert {one["name"] for one in found} == {"wh/t", "db.t"}


def test_a_column_that_only_another_name_has_takes_tags(client: httpx.Client, tell: Teller) -> None:
    tell.tell(write(symlinks("db.t")))
    event = run_event("table", outputs=(("hive://m", "db.t"),))
    event["outputs"][0]["facets"] = SCHEMA
    tell.tell(event)
    (field,) = client.post(f"{PATH}/fields/a/tags/PII").json()["fields"]
    assert field["tags"] == ["PII"]
    (field,) = client.delete(f"{PATH}/fields/a/tags/PII").json()["fields"]
    assert field["tags"] == []


def test_lineage_of_a_run_a_version_and_a_time_takes_any_name(
    client: httpx.Client, tell: Teller
) -> None:
    event = run_event("table", at=NOON, outputs=(("hive://m", "db.t"),))
    event["run"]["facets"]["lineagegraph"] = {"partition": {"region": "UK"}}
    event["outputs"][0]["facets"] = SCHEMA
    tell.tell(event)
    (version,) = client.get(f"{TABLE}/versions").json()["versions"]
    tell.tell(write(symlinks("db.t")) | {"eventTime": (NOON + HOUR).isoformat()})
    grouped = lineage(client, "dataset:lake:wh/t", groupBy="region")
    partitions = grouped["dataset:lake:wh/t"]["data"]["partitions"]
    assert [one["value"] for one in partitions] == ["UK"]
    named = [
        lineage(client, f"{node}#{version['version']}")
        for node in ("dataset:lake:wh/t", "dataset:hive://m:db.t")
    ]
    assert named[0] == named[1]
    for node in ("dataset:lake:wh/t", "dataset:hive://m:db.t"):
        before = {"nodeId": node, "at": (NOON - HOUR).isoformat()}
        assert client.get("/api/v1/lineage", params=before).status_code == 404


def test_a_facet_with_too_many_symlinks_is_a_fault_and_joins_nothing() -> None:
    received = receive(write(symlinks(*(f"t{n}" for n in range(10_000)))), FacetCheck())
    assert received.reports[0] == (
        "$.outputs[0].facets.symlinks.identifiers",
        "10000 symlinks, more than 20: none of them is followed",
    )
    assert len(received.batch.datasets) == 1
