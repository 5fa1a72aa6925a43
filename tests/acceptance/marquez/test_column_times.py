"""Column lineage of a time and of the newest runs, with each transformation of each input."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.queries.analysis import find_unused_columns
from tests.acceptance.marquez.conftest import Serve, Teller
from tests.events import job_event, run_event

JANUARY = datetime(2026, 1, 5, tzinfo=UTC)
MARCH = datetime(2026, 3, 5, tzinfo=UTC)
BEFORE_MARCH = {"since": "2026-03-01T00:00:00Z"}
GOLD = {"nodeId": "dataset:lake:gold"}


def source(field: str, *how: tuple[str, str, str, bool], dataset: str = "raw") -> dict[str, Any]:
    said = [dict(zip(("type", "subtype", "description", "masking"), h, strict=True)) for h in how]
    return {"namespace": "lake", "name": dataset, "field": field, "transformations": said}


DIRECT = ("DIRECT", "IDENTITY", "", False)


def output(name: str, **made: list[dict[str, Any]]) -> dict[str, Any]:
    fields = {column: {"inputFields": sources} for column, sources in made.items()}
    schema = {"fields": [{"name": column} for column in made]}
    facets = {"columnLineage": {"fields": fields}, "schema": schema}
    return {"namespace": "lake", "name": name, "facets": facets}


def tell_run(tell: Teller, job: str, at: datetime, *outputs: dict[str, Any], **said: Any) -> None:
    tell.tell(run_event(job, at=at, **said) | {"outputs": list(outputs)})


@pytest.fixture
def told(tell: Teller) -> Teller:
    """A job that dropped a source after January, and one that reads its result."""
    both = output("gold", total=[source("price", DIRECT), source("old", DIRECT)])
    tell_run(tell, "sum", JANUARY, both)
    tell_run(tell, "sum", JANUARY + timedelta(days=1), both)
    tell_run(tell, "sum", MARCH, output("gold", total=[source("price", DIRECT)]))
    # It failed before it wrote anything: the run before is the one that states the columns.
    tell_run(tell, "sum", MARCH + timedelta(days=1), event_type="FAIL")
    tell_run(tell, "show", MARCH, output("end", x=[source("total", DIRECT, dataset="gold")]))
    return tell


def sources(client: httpx.Client, **asked: Any) -> set[str]:
    graph = client.get("/api/v1/column-lineage", params=GOLD | asked).json()["graph"]
    (total,) = (node for node in graph if node["data"]["field"] == "total")
    return {one["field"] for one in total["data"]["inputFields"]}


def impact(client: httpx.Client, column: str, **asked: Any) -> set[str]:
    params = {"nodeId": f"datasetField:lake:raw:{column}", **asked}
    found = client.get("/api/v1/column-lineage/impact", params=params).json()
    return {one["field"] for one in found["columns"]}


def origins(client: httpx.Client) -> list[dict[str, Any]]:
    gold = client.get("/api/v1/namespaces/lake/datasets/gold").json()
    (total,) = gold["columnLineage"]
    (listed,) = (
        one["columnLineage"]
        for one in client.get("/api/v1/namespaces/lake/datasets").json()["datasets"]
        if one["name"] == "gold"
    )
    assert listed == gold["columnLineage"]
    return list(total["inputFields"])


def test_a_dropped_source_is_left_out_by_latest_runs_and_by_since(
    client: httpx.Client, told: Teller, serve: Serve
) -> None:
    assert sources(client) == {"price", "old"}
    for chosen in ({"runs": "latest"}, BEFORE_MARCH, {"runs": "latest", **BEFORE_MARCH}):
        assert sources(client, **chosen, withDownstream="true") == {"price"}
        assert impact(client, "price", **chosen) == {"total", "x"}
        assert impact(client, "old", **chosen) == set()
    assert impact(client, "old") == {"total", "x"}
    assert sources(client, since="2026-01-06T00:00:00Z") == {"price", "old"}
    for bad in ({"at": "2026-02-01T00:00:00Z", "runs": "latest"}, {"runs": "newest"}):
        assert client.get("/api/v1/column-lineage", params=GOLD | bad).status_code == 400
    current = serve(column_lineage_runs="latest")
    assert (sources(current), impact(current, "old")) == ({"price"}, set())
    assert sources(current, at="2026-02-01T00:00:00Z") == {"price", "old"}
    assert sources(current, runs="all") == {"price", "old"}
    assert [one["field"] for one in origins(current)] == ["price"]
    assert [one["field"] for one in origins(client)] == ["old", "price"]


def test_a_declared_source_is_current_without_any_run(client: httpx.Client, tell: Teller) -> None:
    for at, fields in ((MARCH, ("price",)), (JANUARY, ("price", "old"))):
        declared = job_event("sum", job_type="QUERY") | {"eventTime": at.isoformat()}
        made = output("gold", total=[source(field, DIRECT) for field in fields])
        tell.tell(declared | {"outputs": [made]})
    assert sources(client) == {"price", "old"}
    assert sources(client, runs="latest") == {"price"}


def test_unused_column_lineage_is_listed_by_its_last_report(
    client: httpx.Client, told: Teller
) -> None:
    asked = {"since": "2026-03-01T00:00:00Z"}
    found = client.get("/api/v1/column-lineage/unused", params=asked).json()
    assert found["totalCount"] == 1
    (old,) = found["columnLineage"]
    assert (old["id"], old["origin"], old["job"]) == (
        *("datasetField:lake:gold:total", "datasetField:lake:raw:old", "sum"),
    )
    assert (old["firstSeen"], old["lastSeen"]) == ("2026-01-05T00:00:00Z", "2026-01-06T00:00:00Z")
    assert client.get("/api/v1/column-lineage/unused").status_code == 400
    days = (datetime.now(UTC) - MARCH).days
    assert [one.source_field for one in find_unused_columns(told.graph, days + 2)] == ["old"]


def test_each_transformation_is_kept_and_the_strongest_names_the_column(
    client: httpx.Client, tell: Teller
) -> None:
    how = (
        *(("INDIRECT", "CONDITIONAL", "case", True), ("DIRECT", "AGGREGATION", "hash", True)),
        *(("INDIRECT", "FILTER", "a filter", False),),
    )
    made = [source("a", ("INDIRECT", "JOIN", "a join", False)), source("b", *how)]
    tell_run(tell, "sum", MARCH, output("gold", total=made))
    graph = client.get("/api/v1/column-lineage", params=GOLD).json()["graph"]
    (data,) = (node["data"] for node in graph if node["data"]["dataset"] == "gold")
    dataset = client.get("/api/v1/namespaces/lake/datasets/gold").json()["columnLineage"][0]
    version = client.get("/api/v1/namespaces/lake/datasets/gold").json()["currentVersion"]
    versioned = client.get(
        "/api/v1/column-lineage", params={"nodeId": f"dataset:lake:gold#{version}"}
    ).json()["graph"]
    (then,) = (node["data"] for node in versioned if node["data"]["dataset"] == "gold")
    for one in (data, dataset, then):
        strongest = (one["transformationType"], one["transformationDescription"])
        assert strongest == ("AGGREGATION", "hash")
        a, b = one["inputFields"]
        assert (a["field"], a["transformationType"]) == ("a", "JOIN")
        assert (b["field"], b["transformationType"]) == ("b", "AGGREGATION")
        assert [
            (t["type"], t["subtype"], t["description"], t["masking"]) for t in b["transformations"]
        ] == [how[1], how[0], how[2]]
    assert b["transformations"][0]["lastSeen"] is None
    assert data["inputFields"][1]["transformations"][0]["lastSeen"] == "2026-03-05T00:00:00Z"
