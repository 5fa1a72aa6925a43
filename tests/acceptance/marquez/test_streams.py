"""Runs of streams: they have versions before their end, and a snapshot replaces earlier data."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.model.runs.ids import new_id
from tests.acceptance.marquez.conftest import Teller
from tests.events import run_event

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
V1 = "/api/v1"
FLINK = f"{V1}/namespaces/default/jobs/flink"


def read(client: httpx.Client, path: str) -> Any:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def stream_event(
    kind: str, minute: int, run: str, inputs: str, outputs: str, mode: str = "ACCUMULATIVE"
) -> dict[str, Any]:
    event = run_event("flink", kind, run_id=run, at=NOON + timedelta(minutes=minute))
    pattern = {"eventTrigger": "PERIODIC", "eventContentMode": mode, "windowDuration": 60}
    event["job"]["facets"] = {
        "jobType": {
            "processingType": "STREAMING",
            "integration": "FLINK",
            "jobType": "JOB",
            "emissionPattern": pattern,
        }
    }
    event["inputs"] = [{"namespace": "kafka", "name": name} for name in inputs.split()]
    event["outputs"] = [{"namespace": "kafka", "name": name} for name in outputs.split()]
    return event


def versions(client: httpx.Client, name: str) -> list[str]:
    page = read(client, f"{V1}/namespaces/kafka/datasets/{name}/versions")
    return [version["createdAt"] for version in page["versions"]]


def names(data: list[dict[str, Any]]) -> list[str]:
    return sorted(one["name"] for one in data)


def uses(client: httpx.Client, run: str) -> tuple[list[str], list[str]]:
    found = read(client, f"{V1}/jobs/runs/{run}")
    reads = names([use["datasetVersionId"] for use in found["inputDatasetVersions"]])
    return reads, names([use["datasetVersionId"] for use in found["outputDatasetVersions"]])


def test_a_stream_has_versions_from_its_start_on_and_a_new_one_when_its_data_changes(
    client: httpx.Client, tell: Teller
) -> None:
    run = new_id()
    tell.tell(stream_event("START", 1, run, "clicks", "carts"))
    first = read(client, FLINK)["currentVersion"]
    assert first
    assert versions(client, "carts") == ["2026-03-01T12:01:00Z"]
    assert read(client, f"{V1}/namespaces/kafka/datasets/carts")["currentVersion"]
    tell.tell(stream_event("RUNNING", 2, run, "clicks", "carts"))
    assert read(client, FLINK)["currentVersion"] == first
    tell.tell(stream_event("RUNNING", 3, run, "", "orders"))
    assert read(client, FLINK)["currentVersion"] != first
    assert versions(client, "orders") == ["2026-03-01T12:03:00Z"]
    assert uses(client, run) == (["clicks"], ["carts", "orders"])
    tell.tell(stream_event("ABORT", 4, run, "", ""))
    assert versions(client, "carts") == ["2026-03-01T12:01:00Z"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2, 1, 0)], ids=str)
def test_a_complete_snapshot_replaces_the_inputs_and_outputs_of_a_run_in_any_order(
    client: httpx.Client, tell: Teller, order: tuple[int, ...]
) -> None:
    run, mode = new_id(), "COMPLETE_SNAPSHOT"
    events = [
        stream_event("START", 1, run, "clicks views", "carts", mode),
        stream_event("RUNNING", 2, run, "views", "orders", mode),
        stream_event("RUNNING", 3, run, "", "", mode),
    ]
    for number in order:
        tell.tell(events[number])
    assert uses(client, run) == (["views"], ["orders"])
    job = read(client, FLINK)
    assert (names(job["inputs"]), names(job["outputs"])) == (["views"], ["orders"])
    assert versions(client, "carts") == []
    assert versions(client, "orders") == ["2026-03-01T12:02:00Z"]
    counts = tell.graph.query(
        "MATCH (a)-[f:FEEDS|PRODUCES]-(:Job) WHERE a:Dataset RETURN a.name AS name, f.runs AS runs"
    )
    assert sorted((row["name"], row["runs"]) for row in counts) == [("orders", 1), ("views", 1)]
    assert tell.graph.query("MATCH (v:DatasetVersion) RETURN count(*) AS n")[0]["n"] == 1
