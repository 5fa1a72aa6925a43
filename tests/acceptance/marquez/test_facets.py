"""Facets of inputs, outputs, jobs and datasets: the latest of each name is served."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.model.runs.ids import new_id
from tests.acceptance.marquez.conftest import Teller
from tests.acceptance.marquez.test_parameters import read
from tests.events import job_event, run_event

NOW = datetime(2026, 3, 1, tzinfo=UTC)
V1 = "/api/v1"
TABLE = f"{V1}/namespaces/lake/datasets/orders"
JOB = f"{V1}/namespaces/default/jobs/etl"
COMMIT = {"snapshotId": 7, "operation": "append", "commitMetrics": {"addedRecords": 3}}
GOOD = {"assertions": [{"assertion": "not_null", "success": True, "column": "id"}]}
BAD = {"assertions": [{"assertion": "not_null", "success": False, "column": "id"}]}


def write(tell: Teller, hour: int, **facets: Any) -> str:
    run = new_id()
    event = run_event("load", run_id=run, at=at(hour), outputs=(("lake", "orders"),))
    event["outputs"][0]["outputFacets"] = facets
    tell.tell(event)
    return run


def check(tell: Teller, hour: int, job: str = "checks", **facets: Any) -> str:
    run = new_id()
    event = run_event(job, run_id=run, at=at(hour), inputs=(("lake", "orders"),))
    event["inputs"][0]["inputFacets"] = facets
    tell.tell(event)
    return run


def at(hour: int) -> datetime:
    return NOW + timedelta(hours=hour)


def test_a_dataset_has_the_input_and_output_facets_of_its_last_version(
    client: httpx.Client, tell: Teller
) -> None:
    write(tell, 0, icebergCommitReport=COMMIT | {"snapshotId": 6}, old={})
    check(tell, 1, dataQualityAssertions=BAD, dataQualityMetrics={"rowCount": 2})
    write(tell, 2, icebergCommitReport=COMMIT)
    check(tell, 3, dataQualityAssertions=BAD)
    check(tell, 4, dataQualityAssertions=GOOD, inputStatistics={"rowCount": 9})
    check(tell, 5, "report")
    facets = {"icebergCommitReport": COMMIT, "dataQualityAssertions": GOOD}
    assert read(client, TABLE)["facets"] == facets
    (listed,) = read(client, f"{V1}/namespaces/lake/datasets")["datasets"]
    assert listed["facets"] == facets
    check(tell, 6, dataQualityAssertions={"_deleted": True})
    assert read(client, TABLE)["facets"] == {"icebergCommitReport": COMMIT}


def test_a_run_has_the_facets_of_its_inputs_and_outputs(client: httpx.Client, tell: Teller) -> None:
    written = write(tell, 0, icebergCommitReport=COMMIT, outputStatistics={"rowCount": 3})
    tested = check(tell, 1, dataQualityAssertions=GOOD, inputStatistics={"rowCount": 3, "x": "y"})
    plain = check(tell, 2)
    (output,) = read(client, f"{V1}/jobs/runs/{written}")["outputDatasetVersions"]
    assert output["facets"] == {"icebergCommitReport": COMMIT, "outputStatistics": {"rowCount": 3}}
    (run,) = read(client, f"{V1}/namespaces/default/jobs/checks/runs?offset=1")["runs"]
    assert run["id"] == tested
    (source,) = run["inputDatasetVersions"]
    assert source["facets"] == {
        "dataQualityAssertions": GOOD,
        "inputStatistics": {"rowCount": 3, "x": "y"},
    }
    (source,) = read(client, f"{V1}/jobs/runs/{plain}")["inputDatasetVersions"]
    assert source["facets"] == {}


def test_a_run_that_only_began_hides_no_facets_of_its_job_or_dataset(
    client: httpx.Client, tell: Teller
) -> None:
    full = run_event("etl", at=at(0), outputs=(("lake", "orders"),))
    ownership = {"owners": [{"name": "team:orders"}]}
    full["job"]["facets"] = {
        "sql": {"query": "SELECT 1"},
        "documentation": {"description": "Loads orders."},
        "ownership": ownership,
    }
    full["outputs"][0]["facets"] = {"documentation": {"description": "Orders."}}
    tell.tell(full)
    second = run_event("etl", "FAIL", at=at(1))
    second["job"]["facets"] = {"sql": {"query": "SELECT 2"}}
    tell.tell(second)
    for hour in range(2, 5):
        tell.tell(run_event("etl", "START", at=at(hour), outputs=(("lake", "orders"),)))
    job = read(client, JOB)
    assert job["description"] == "Loads orders."
    assert job["facets"]["ownership"] == ownership
    assert read(client, TABLE)["description"] == "Orders."
    tell.tell(second | {"eventTime": at(20).isoformat()})
    assert read(client, JOB)["latestRun"]["facets"] == {}


def test_of_a_job_event_and_a_run_the_later_facet_is_served(
    client: httpx.Client, tell: Teller
) -> None:
    def declare(hour: int, text: str) -> dict[str, Any]:
        event = job_event("etl", job_type="JOB") | {"eventTime": at(hour).isoformat()}
        event["job"]["facets"]["documentation"] = {"description": text}
        return event

    told = run_event("etl", at=at(2))
    told["job"]["facets"] = {"documentation": {"description": "by the run"}}
    tell.tell(declare(1, "declared before"))
    tell.tell(told)
    assert read(client, JOB)["description"] == "by the run"
    tell.tell(declare(3, "declared after"))
    assert read(client, JOB)["description"] == "declared after"


def test_the_facets_of_a_dataset_contain_its_column_lineage(
    client: httpx.Client, tell: Teller
) -> None:
    source = {"namespace": "lake", "name": "raw", "field": "price"}
    event = run_event("priced")
    lineage = {"fields": {"total": {"inputFields": [source]}}}
    event["outputs"] = [
        {"namespace": "lake", "name": "priced", "facets": {"columnLineage": lineage}}
    ]
    tell.tell(event)
    found = client.get("/api/v1/namespaces/lake/datasets/priced").json()
    assert found["facets"]["columnLineage"]["fields"] == lineage["fields"]


@pytest.mark.parametrize("order", ["as it happened", "the other way", "mixed"])
def test_the_facets_of_a_job_are_the_latest_of_all_its_runs_in_any_order_of_arrival(
    client: httpx.Client, tell: Teller, order: str
) -> None:
    def run(hour: int, **facets: Any) -> dict[str, Any]:
        event = run_event("etl", "START", at=at(hour))
        event["job"]["facets"] = facets
        return event

    events = [
        run(0, sql={"query": "SELECT 1"}, documentation={"description": "Old."}),
        run(1, documentation={"description": "New."}, sourceCode={"language": "sql"}),
        run(2, sourceCode={"_deleted": True}, tags={"tags": [{"key": "gold"}]}),
        *(run(hour, jobType={"jobType": "TASK"}) for hour in range(3, 23)),
    ]
    if order != "as it happened":
        events.reverse()
    if order == "mixed":
        events = [*events[::2], *events[1::2], *events[:3]]
    for event in events:
        tell.tell(event)
    job = read(client, JOB)
    assert job["facets"] == {
        "sql": {"query": "SELECT 1"},
        "documentation": {"description": "New."},
        "tags": {"tags": [{"key": "gold"}]},
        "jobType": {"jobType": "TASK"},
    }
    assert job["description"] == "New."
    assert read(client, f"{V1}/jobs?tag=gold")["totalCount"] == 1


def test_forwarded_facets_of_a_parent_and_root_count_unless_their_job_said_it_later(
    client: httpx.Client, tell: Teller
) -> None:
    root, parent = new_id(), new_id()

    def reference(run: str, name: str, text: str) -> dict[str, Any]:
        facets = {
            "documentation": {"description": text},
            "ownership": {"owners": [{"name": text}]},
        }
        nominal = {"nominalTime": {"nominalStartTime": "2026-03-01T00:00:00Z"}}
        return {
            "run": {"runId": run, "facets": nominal},
            "job": {"namespace": "default", "name": name, "facets": facets},
        }

    def child(hour: int) -> dict[str, Any]:
        event = run_event("app", at=at(hour))
        text = f"forwarded at {hour}"
        above = reference(root, "dag", text)
        event["run"]["facets"]["parent"] = reference(parent, "dag.task", text) | {"root": above}
        return event

    def own(hour: int) -> dict[str, Any]:
        event = run_event("dag", "START", run_id=root, at=at(hour))
        event["job"]["facets"] = {"documentation": {"description": f"own at {hour}"}}
        return event

    for event in (own(4), child(2), child(1)):
        tell.tell(event)
    dag = read(client, f"{V1}/namespaces/default/jobs/dag")
    assert dag["description"] == "own at 4"
    assert dag["facets"]["ownership"] == {"owners": [{"name": "forwarded at 2"}]}
    task = read(client, f"{V1}/namespaces/default/jobs/dag.task")
    assert task["description"] == "forwarded at 2"
    assert task["latestRun"]["nominalStartTime"] == "2026-03-01T00:00:00Z"
    tell.tell(child(6))
    assert read(client, f"{V1}/namespaces/default/jobs/dag")["description"] == "forwarded at 6"


def test_a_run_states_why_its_lineage_is_incomplete(client: httpx.Client, tell: Teller) -> None:
    whole, partial = run_event("etl"), run_event("etl")
    error = {"totalTasks": 3, "failedTasks": 1, "errors": [{"errorMessage": "no parser"}]}
    partial["run"]["facets"]["extractionError"] = error
    for event in (whole, partial):
        tell.tell(event)
    reasons = [
        read(client, f"{V1}/jobs/runs/{event['run']['runId']}")["lineageIncomplete"]
        for event in (whole, partial)
    ]
    assert reasons == [None, "incomplete: 1 of 3 tasks could not be read: no parser"]
