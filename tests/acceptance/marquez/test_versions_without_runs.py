"""Versions of datasets and jobs that no run makes: of readers, dataset events and job events."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx

from lineagegraph.model.runs.ids import new_id
from tests.acceptance.marquez.conftest import Teller
from tests.acceptance.marquez.test_parameters import read
from tests.acceptance.marquez.test_streams import FLINK, stream_event
from tests.events import job_event, run_event

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
V1 = "/api/v1"
TABLE = f"{V1}/namespaces/lake/datasets/orders"


def schema(*columns: str) -> dict[str, Any]:
    return {"schema": {"fields": [{"name": name, "type": "int"} for name in columns]}}


def at(minute: int) -> datetime:
    return NOON + timedelta(minutes=minute)


def used(side: str, minute: int, *columns: str) -> dict[str, Any]:
    event = run_event("etl", at=at(minute), **{side: (("lake", "orders"),)})
    event[side][0]["facets"] = schema(*columns)
    return event


def dataset_event(minute: int, *columns: str) -> dict[str, Any]:
    return {
        "eventTime": at(minute).isoformat(),
        "producer": "https://example.org/test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
        "dataset": {"namespace": "lake", "name": "orders", "facets": schema(*columns)},
    }


def columns(client: httpx.Client) -> list[tuple[str, list[str]]]:
    page = read(client, f"{TABLE}/versions")
    assert page["totalCount"] == len(page["versions"])
    for version in page["versions"]:
        assert read(client, f"{TABLE}/versions/{version['version']}") == version
    return [
        (one["createdAt"][14:16], [field["name"] for field in one["fields"]])
        for one in page["versions"]
    ]


def test_a_dataset_that_is_only_read_or_described_by_events_has_versions(
    client: httpx.Client, tell: Teller
) -> None:
    for event in (used("inputs", 2, "a"), used("inputs", 1, "a"), run_event("other")):
        tell.tell(event)
    assert columns(client) == [("01", ["a"])]
    for event in (dataset_event(5, "a", "b"), dataset_event(3, "a"), dataset_event(6, "a", "b")):
        tell.tell(event)
    assert columns(client) == [("05", ["a", "b"]), ("03", ["a"])]
    tell.tell(used("outputs", 4, "c"))
    assert columns(client) == [("05", ["a", "b"]), ("04", ["c"]), ("03", ["a"])]
    (second,) = read(client, f"{TABLE}/versions?limit=1&offset=1")["versions"]
    assert second["fields"][0]["name"] == "c"


def test_job_events_with_other_data_or_facets_make_versions_of_the_job(
    client: httpx.Client, tell: Teller
) -> None:
    def declare(minute: int, query: str, *inputs: str) -> None:
        event = job_event("etl", job_type="JOB") | {"eventTime": at(minute).isoformat()}
        event["job"]["facets"] = {"sql": {"query": query}}
        event["inputs"] = [{"namespace": "lake", "name": name} for name in inputs]
        tell.tell(event)

    declare(3, "SELECT 2", "orders")
    declare(1, "SELECT 1", "orders")
    declare(2, "SELECT 1", "orders")
    declare(4, "SELECT 2", "orders", "prices")
    job = f"{V1}/namespaces/default/jobs/etl"
    page = read(client, f"{job}/versions")
    assert [one["createdAt"][14:16] for one in page["versions"]] == ["04", "03", "01"]
    assert page["totalCount"] == 3
    first = page["versions"][-1]
    assert read(client, f"{job}/versions/{first['version']}") == first


def test_the_earlier_versions_of_a_stream_stay_listed_in_any_order_of_arrival(
    client: httpx.Client, tell: Teller
) -> None:
    for mode in ("ACCUMULATIVE", "COMPLETE_SNAPSHOT"):
        tell.graph.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)
        run = new_id()
        start = stream_event("START", 1, run, "clicks", "carts", mode)
        tell.tell(start)
        first = read(client, FLINK)["currentVersion"]
        tell.tell(stream_event("RUNNING", 5, run, "clicks views orders", "carts", mode))
        tell.tell(stream_event("RUNNING", 3, run, "clicks views", "carts", mode))
        tell.tell(start)
        page = read(client, f"{FLINK}/versions")
        assert [one["createdAt"][14:16] for one in page["versions"]] == ["05", "03", "01"]
        assert page["totalCount"] == 3
        assert page["versions"][-1]["version"] == first
        assert page["versions"][0]["version"] == read(client, FLINK)["currentVersion"]
