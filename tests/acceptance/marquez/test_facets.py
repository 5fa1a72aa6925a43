"""Facets of inputs, outputs, jobs and datasets: the latest of each name is served."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx

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
