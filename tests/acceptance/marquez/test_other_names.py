"""Datasets with several names in Marquez's API."""

from typing import Any

import httpx2 as httpx

from lineagegraph.http.ingest.facet_check import FacetCheck
from lineagegraph.http.ingest.received import receive
from tests.acceptance.marquez.conftest import Teller
from tests.acceptance.marquez.test_lineage import lineage
from tests.events import run_event

PATH = "/api/v1/namespaces/lake/datasets/wh%2Ft"
TABLE = "/api/v1/namespaces/hive:%2F%2Fm/datasets/db.t"
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


def test_a_facet_with_too_many_symlinks_is_a_fault_and_joins_nothing() -> None:
    received = receive(write(symlinks(*(f"t{n}" for n in range(10_000)))), FacetCheck())
    assert received.reports[0] == (
        "$.outputs[0].facets.symlinks.identifiers",
        "10000 symlinks, more than 20: none of them is followed",
    )
    assert len(received.batch.datasets) == 1
