"""What single runs read, wrote and changed: answers written by hand."""

import httpx2 as httpx
import pytest

from tests.acceptance.experiment_metrics.asking import path, read, runs_of

INSERT = "execute_insert_into_datasource"
DAILY = "daily_experiment_metrics_workflow"
DAILY_CUSTOMERS = f"{DAILY}.calculate_daily_customer_metrics.daily_customer_metrics_job.{INSERT}"
AGGREGATES = f"{DAILY}.calculate_aggregate_experiment_metrics.experiment_metrics_job.{INSERT}"
# The first and the last hour of which a day's metrics are made, in UTC, and how many there are.
HOURS = {
    ("US", "2026-03-08T05:00:00Z"): ("2026-03-08T05:00:00Z", "2026-03-09T03:00:00Z", 23),
    ("UK", "2026-10-24T23:00:00Z"): ("2026-10-24T23:00:00Z", "2026-10-25T23:00:00Z", 25),
    ("JP", "2026-10-24T15:00:00Z"): ("2026-10-24T15:00:00Z", "2026-10-25T14:00:00Z", 24),
}


def run_of(client: httpx.Client, job: str, region: str, start: str) -> str:
    (run,) = [
        run["id"]
        for run in runs_of(client, job)
        if (run["partition"], run["nominalStartTime"]) == ({"region": region}, start)
    ]
    return str(run)


@pytest.mark.parametrize(("region", "start"), HOURS)
def test_a_day_is_made_of_the_hours_of_its_own_region(
    client: httpx.Client, region: str, start: str
) -> None:
    run = run_of(client, DAILY_CUSTOMERS, region, start)
    node = {"nodeId": f"run:{run}", "direction": "upstream", "depth": 1}
    nodes = read(client, "/api/v1/lineage", **node)["graph"]
    made = [node["data"] for node in nodes if node["type"] == "RUN" and node["data"]["id"] != run]
    assert {one["partition"]["region"] for one in made} == {region}
    hours = sorted(one["nominalStartTime"] for one in made)
    assert (hours[0], hours[-1], len(hours)) == HOURS[region, start]


def test_the_aggregates_of_the_second_day_are_made_of_both(client: httpx.Client) -> None:
    read_by = {
        start: read(client, f"/api/v1/jobs/runs/{run_of(client, AGGREGATES, 'US', start)}")
        for start in ("2026-03-08T05:00:00Z", "2026-10-25T04:00:00Z")
    }
    assert [len(run["inputDatasetVersions"]) for run in read_by.values()] == [1, 2]


def test_between_the_two_days_the_code_learned_to_count_customers(client: httpx.Client) -> None:
    first, second = (
        run_of(client, AGGREGATES, "US", start)
        for start in ("2026-03-08T05:00:00Z", "2026-10-25T04:00:00Z")
    )
    difference = read(client, f"/api/v1/jobs/runs/{first}/diff/{second}")
    (output,) = difference["outputs"]
    assert output["name"] == "aggregate_experiment_metrics"
    assert output["columns"] == [
        {"name": "customers", "change": "ADDED", "before": None, "after": "bigint"}
    ]


def test_the_failed_run_wrote_nothing(client: httpx.Client) -> None:
    run = read(
        client, f"/api/v1/jobs/runs/{run_of(client, AGGREGATES, 'JP', '2026-10-24T15:00:00Z')}"
    )
    assert run["state"] == "FAILED"
    assert run["outputDatasetVersions"] == []


def test_before_the_first_day_ended_there_were_no_daily_metrics(client: httpx.Client) -> None:
    asked = {"nodeId": "dataset:s3://experiments:hourly_customer_metrics"}
    evening = read(client, "/api/v1/lineage", at="2026-03-08T15:00:00Z", **asked)["graph"]
    names = {node["data"]["name"] for node in evening if node["type"] == "DATASET"}
    assert names == {
        *("page_views", "clickstream", "experiment_samples"),
        *("hourly_customer_metrics", "hourly_experiment_metrics"),
    }
    later = read(client, "/api/v1/lineage", at="2026-03-08T16:10:00Z", **asked)["graph"]
    names = {node["data"]["name"] for node in later if node["type"] == "DATASET"} - names
    assert names == {"daily_customer_metrics", "aggregate_experiment_metrics"}


def test_a_failure_was_no_failure_before_it_happened(client: httpx.Client) -> None:
    job = f"job:experimentation:{AGGREGATES}"
    states = {
        at: latest_state(client, job, at)
        for at in ("2026-10-25T16:00:00Z", "2026-10-25T16:09:54Z", "2026-10-26T06:00:00Z")
    }
    assert list(states.values()) == ["RUNNING", "FAILED", "COMPLETED"]


def latest_state(client: httpx.Client, job: str, at: str) -> str:
    nodes = read(client, "/api/v1/lineage", nodeId=job, at=at, depth=0)["graph"]
    (found,) = [node for node in nodes if node["id"] == job]
    return str(found["data"]["latestRun"]["state"])


def test_a_table_has_a_version_for_each_run_that_wrote_it(client: httpx.Client) -> None:
    counts = {
        table: read(
            client, f"/api/v1/namespaces/s3%3A%2F%2Fexperiments/datasets/{table}/versions", limit=1
        )["totalCount"]
        for table in ("hourly_customer_metrics", "daily_customer_metrics")
    }
    assert counts == {"hourly_customer_metrics": 144, "daily_customer_metrics": 6}
    runs = read(client, path(AGGREGATES, "/runs"))
    assert runs["totalCount"] == 6
