"""Column lineage in Marquez's shape, of versions too, and what depends on a column."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.model.runs.ids import new_id
from tests.acceptance.marquez.conftest import Teller
from tests.events import run_event

Made = dict[str, list[tuple[str, str] | tuple[str, str, str]]]
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def write(tell: Teller, job: str, output: str, made: Made, hours: int = 0) -> None:
    """Tell of a run that makes columns from columns: (dataset, column) or with INDIRECT."""
    tell.tell(made_from(job, output, made, hours))


def made_from(job: str, output: str, made: Made, hours: int = 0) -> dict[str, Any]:
    event = run_event(job, run_id=new_id(), at=NOON + timedelta(hours=hours))
    sources = sorted({source[0] for all_of in made.values() for source in all_of})
    event["inputs"] = [{"namespace": "lake", "name": name} for name in sources]
    facets = {
        "schema": {"fields": [{"name": name, "type": "BIGINT"} for name in made]},
        "columnLineage": {
            "fields": {name: {"inputFields": list(map(source_of, m))} for name, m in made.items()}
        },
    }
    event["outputs"] = [{"namespace": "lake", "name": output, "facets": facets}]
    return event


def source_of(said: tuple[str, ...]) -> dict[str, Any]:
    how = {"type": said[2] if len(said) > 2 else "DIRECT", "subtype": "", "description": "sum"}
    return {"namespace": "lake", "name": said[0], "field": said[1], "transformations": [how]}


@pytest.fixture
def told(tell: Teller) -> Teller:
    """Three jobs in a line: raw, clean, gold, report."""
    write(tell, "clean", "clean", {"id": [("raw", "id")], "price": [("raw", "amount")]})
    gold: Made = {"total": [("clean", "price"), ("clean", "id", "INDIRECT")]}
    write(tell, "sum", "gold", gold, hours=1)
    write(tell, "tell", "report", {"line": [("gold", "total")]}, hours=2)
    return tell


def columns(client: httpx.Client, node: str, **more: Any) -> dict[str, dict[str, Any]]:
    answer = client.get("/api/v1/column-lineage", params={"nodeId": node, **more})
    assert answer.status_code == 200, answer.text
    return {node["id"].removeprefix("datasetField:lake:"): node for node in answer.json()["graph"]}


def test_a_column_is_told_with_what_it_is_made_from(client: httpx.Client, told: Teller) -> None:
    found = columns(client, "datasetField:lake:gold:total")
    assert sorted(found) == ["clean:id", "clean:price", "gold:total", "raw:amount", "raw:id"]
    data = found["gold:total"]["data"]
    assert (data["dataset"], data["field"], data["fieldType"]) == ("gold", "total", "BIGINT")
    assert [(one["field"], one["transformationType"]) for one in data["inputFields"]] == [
        *(("id", "INDIRECT"), ("price", "DIRECT"))
    ]
    prefix = "datasetField:lake:"
    # Marquez's own way round: clients find a column's sources at the destinations.
    assert {edge["destination"] for edge in found["gold:total"]["inEdges"]} == {
        *(f"{prefix}clean:id", f"{prefix}clean:price")
    }
    assert found["clean:id"]["outEdges"] == [
        {"origin": f"{prefix}clean:id", "destination": f"{prefix}gold:total"}
    ]


def test_depth_and_downstream_and_all_kinds_of_nodes(client: httpx.Client, told: Teller) -> None:
    near = columns(client, "dataset:lake:gold", depth=1)
    assert sorted(near) == ["clean:id", "clean:price", "gold:total"]
    both = columns(client, "job:default:sum", depth=1, withDownstream="True")
    assert sorted(both) == ["clean:id", "clean:price", "gold:total", "report:line"]
    assert columns(client, "datasetField:lake:raw:id").keys() == {"raw:id"}
    for unknown in ("datasetField:lake:gold:none", "dataset:lake:none", "job:default:none"):
        answer = client.get("/api/v1/column-lineage", params={"nodeId": unknown})
        assert answer.status_code == 404


def test_a_version_is_told_as_the_run_that_wrote_it_did(client: httpx.Client, told: Teller) -> None:
    first = client.get("/api/v1/namespaces/lake/datasets/gold").json()["currentVersion"]
    write(told, "sum", "gold", {"total": [("clean", "id")]}, hours=5)
    now = columns(client, "dataset:lake:gold", depth=1)["gold:total"]["data"]
    assert {one["field"] for one in now["inputFields"]} == {"id", "price"}
    node = f"dataset:lake:gold#{first}"
    then = columns(client, node)
    assert sorted(name.partition("#")[0] for name in then) == [
        *("clean:id", "clean:price", "gold:total", "raw:amount", "raw:id")
    ]
    latest = client.get("/api/v1/namespaces/lake/datasets/gold").json()["currentVersion"]
    newer = columns(client, f"datasetField:lake:gold:total#{latest}", depth=1)
    assert sorted(name.partition("#")[0] for name in newer) == ["clean:id", "gold:total"]
    assert newer[f"gold:total#{latest}"]["data"]["datasetVersion"] == latest
    at = (NOON + timedelta(hours=4)).isoformat()
    assert columns(client, "dataset:lake:gold", at=at).keys() == then.keys()
    bad = {"nodeId": node, "withDownstream": "true"}
    assert client.get("/api/v1/column-lineage", params=bad).status_code == 400


def test_a_version_is_made_from_each_of_the_versions_that_its_run_read(
    client: httpx.Client, tell: Teller
) -> None:
    for hour in range(2):
        write_part(tell, "hourly", hour)
    write_part(tell, "others", 2, "UK")
    event = made_from("daily", "daily", {"total": [("clicks", "n")]}, hours=3)
    parts = {"type": "partition", "partitions": [dimensions("JP", hour) for hour in range(2)]}
    event["inputs"][0]["inputFacets"] = {"subset": {"inputCondition": parts}}
    tell.tell(event)
    version = client.get("/api/v1/namespaces/lake/datasets/daily").json()["currentVersion"]
    found = columns(client, f"dataset:lake:daily#{version}", depth=1)
    inputs = found[f"daily:total#{version}"]["data"]["inputFields"]
    listed = client.get("/api/v1/namespaces/lake/datasets/clicks/versions").json()["versions"]
    assert {one["datasetVersion"] for one in inputs} == {one["version"] for one in listed[1:]}
    assert len(found) == 3


def test_a_source_that_has_another_name_in_the_facet_is_found_at_its_version(
    client: httpx.Client, told: Teller
) -> None:
    named = {"identifiers": [{"namespace": "lake", "name": "db.gold", "type": "TABLE"}]}
    again = run_event("sum", at=NOON + timedelta(hours=3), outputs=(("lake", "gold"),))
    again["outputs"][0]["facets"] = {"symlinks": named}
    told.tell(again)
    event = made_from("show", "end", {"x": [("db.gold", "total")]}, hours=4)
    event["inputs"] = [{"namespace": "lake", "name": "gold"}]
    told.tell(event)
    gold, end = (
        client.get(f"/api/v1/namespaces/lake/datasets/{name}").json()["currentVersion"]
        for name in ("gold", "end")
    )
    found = columns(client, f"dataset:lake:end#{end}", depth=1)
    assert sorted(found) == sorted([f"end:x#{end}", f"gold:total#{gold}"])


def test_a_version_has_the_columns_of_then(client: httpx.Client, tell: Teller) -> None:
    write(tell, "sum", "gold", {"a": [("raw", "a")], "old": [("raw", "x")]})
    gold = "/api/v1/namespaces/lake/datasets/gold"
    first = client.get(gold).json()["currentVersion"]
    write(tell, "sum", "gold", {"a": [("raw", "a")], "new": [("raw", "y")]}, hours=5)
    at = (NOON + timedelta(hours=4)).isoformat()
    for found in (
        columns(client, f"dataset:lake:gold#{first}"),
        columns(client, "dataset:lake:gold", at=at),
    ):
        assert found.keys() == {f"gold:a#{first}", f"gold:old#{first}", "raw:a", "raw:x"}
    both = columns(client, "dataset:lake:gold", at=(NOON + timedelta(hours=6)).isoformat())
    assert {name.partition("#")[0] for name in both} == {"gold:a", "gold:new", "raw:a", "raw:y"}


def test_a_version_of_a_pipeline_has_the_columns_that_its_tasks_wrote(
    client: httpx.Client, tell: Teller
) -> None:
    # The newest run has written nothing yet.
    dag, _ = (tell.run("dag", at=NOON + timedelta(hours=hour)) for hour in range(2))
    task = made_from("dag.task", "gold", {"a": [("raw", "a")]})
    job = {"namespace": dag[1], "name": dag[2]}
    task["run"]["facets"]["parent"] = {"run": {"runId": dag[0]}, "job": job}
    tell.tell(task)
    (version,) = client.get("/api/v1/namespaces/default/jobs/dag/versions").json()["versions"]
    found = columns(client, f"job:default:dag#{version['version']}")
    assert {name.partition("#")[0] for name in found} == {"gold:a", "raw:a"}


def write_part(tell: Teller, job: str, hour: int, region: str = "JP") -> None:
    event = made_from(job, "clicks", {"n": []}, hours=hour)
    parts = {"type": "partition", "partitions": [dimensions(region, hour)]}
    event["outputs"][0]["outputFacets"] = {"subset": {"outputCondition": parts}}
    tell.tell(event)


def dimensions(region: str, hour: int) -> dict[str, Any]:
    return {"dimensions": {"region": region, "hour": str(hour)}}


def test_columns_come_as_drawings(client: httpx.Client, told: Teller) -> None:
    node = {"nodeId": "dataset:lake:gold", "format": "dot"}
    dot = client.get("/api/v1/column-lineage", params=node).text
    assert '"dataset:lake:clean#price" -> "dataset:lake:gold#total";' in dot


def test_a_hidden_dataset_is_not_walked_through(client: httpx.Client, told: Teller) -> None:
    assert client.delete("/api/v1/namespaces/lake/datasets/clean").status_code == 200
    assert columns(client, "dataset:lake:gold").keys() == {"gold:total"}


def test_impact_tells_what_depends_on_a_column_and_how(client: httpx.Client, told: Teller) -> None:
    node = {"nodeId": "datasetField:lake:raw:id"}
    impact = client.get("/api/v1/column-lineage/impact", params=node).json()
    told_of = [
        (one["dataset"], one["field"], one["distance"], one["direct"], one["path"])
        for one in impact["columns"]
    ]
    clean, total, tell = (f"job:default:{name}" for name in ("clean", "sum", "tell"))
    assert told_of == [
        ("clean", "id", 1, True, [clean]),
        ("gold", "total", 2, False, [clean, total]),
        ("report", "line", 3, False, [clean, total, tell]),
    ]
    assert [(one["name"], one["direct"]) for one in impact["datasets"]] == [
        *(("clean", True), ("gold", False), ("report", False))
    ]
    assert [(one["id"], one["distance"]) for one in impact["jobs"]] == [
        *((clean, 1), (total, 2), (tell, 3))
    ]
    assert not impact["truncated"]


def test_a_dataset_has_the_column_lineage_that_the_web_page_shows(
    client: httpx.Client, told: Teller
) -> None:
    gold = client.get("/api/v1/namespaces/lake/datasets/gold").json()
    (total,) = gold["columnLineage"]
    assert total["name"] == "total"
    assert [(one["dataset"], one["field"]) for one in total["inputFields"]] == [
        *(("clean", "id"), ("clean", "price"))
    ]
    listed = client.get("/api/v1/namespaces/lake/datasets").json()["datasets"]
    by_name = {one["name"]: one["columnLineage"] for one in listed}
    assert by_name["gold"] == gold["columnLineage"]
    assert by_name["raw"] == []
