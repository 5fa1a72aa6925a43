"""Who runs inside whom, what feeds what, and how each marketplace does: answers written by hand."""

import httpx2 as httpx
import pytest

from tests.acceptance.experiment_metrics.asking import lineage, path, read, runs_of

HOURLY = "hourly_experiment_metrics_workflow"
CUSTOMER = f"{HOURLY}.calculate_current_hourly_customer_experiment_metrics"
HOURLY_TASK = f"{HOURLY}.calculate_hourly_experiment_metrics"
DAILY = "daily_experiment_metrics_workflow"
DAILY_TASK = f"{DAILY}.calculate_aggregate_experiment_metrics"
LONG = (
    "hourly_experiment_metrics_workflow.calculate_current_hourly_customer_experiment_metrics"
    ".customer_experiment_metrics_job.execute_insert_into_datasource"
)
JOBS = [
    "daily_experiment_metrics_workflow",
    "daily_experiment_metrics_workflow.calculate_aggregate_experiment_metrics",
    "daily_experiment_metrics_workflow.calculate_aggregate_experiment_metrics"
    ".experiment_metrics_job",
    "daily_experiment_metrics_workflow.calculate_aggregate_experiment_metrics"
    ".experiment_metrics_job.execute_insert_into_datasource",
    "daily_experiment_metrics_workflow.calculate_daily_customer_metrics",
    "daily_experiment_metrics_workflow.calculate_daily_customer_metrics.daily_customer_metrics_job",
    "daily_experiment_metrics_workflow.calculate_daily_customer_metrics.daily_customer_metrics_job"
    ".execute_insert_into_datasource",
    "hourly_experiment_metrics_workflow",
    "hourly_experiment_metrics_workflow.calculate_current_hourly_customer_experiment_metrics",
    "hourly_experiment_metrics_workflow.calculate_current_hourly_customer_experiment_metrics"
    ".customer_experiment_metrics_job",
    LONG,
    "hourly_experiment_metrics_workflow.calculate_hourly_experiment_metrics",
    "hourly_experiment_metrics_workflow.calculate_hourly_experiment_metrics.experiment_metrics_job",
    "hourly_experiment_metrics_workflow.calculate_hourly_experiment_metrics.experiment_metrics_job"
    ".execute_insert_into_datasource",
    "hourly_experiment_metrics_workflow.collect_clickstream",
    "hourly_experiment_metrics_workflow.determine_experiment_samples",
    "hourly_experiment_metrics_workflow.determine_experiment_samples.experiment_samples_job",
]
# By the simple names of tasks; each is done by the innermost job below its task.
FLOWS = {
    ("page_views", "collect_clickstream"),
    ("collect_clickstream", "clickstream"),
    ("clickstream", "determine_experiment_samples"),
    ("determine_experiment_samples", "experiment_samples"),
    ("clickstream", "calculate_current_hourly_customer_experiment_metrics"),
    ("experiment_samples", "calculate_current_hourly_customer_experiment_metrics"),
    ("calculate_current_hourly_customer_experiment_metrics", "hourly_customer_metrics"),
    ("hourly_customer_metrics", "calculate_hourly_experiment_metrics"),
    ("calculate_hourly_experiment_metrics", "hourly_experiment_metrics"),
    ("hourly_customer_metrics", "calculate_daily_customer_metrics"),
    ("calculate_daily_customer_metrics", "daily_customer_metrics"),
    ("daily_customer_metrics", "calculate_aggregate_experiment_metrics"),
    ("calculate_aggregate_experiment_metrics", "aggregate_experiment_metrics"),
}
# The first and the last hour of a local day, in UTC, and how many it has.
LOCAL_DAYS = {
    ("US", "2026-03-08"): ("2026-03-08T05:00:00Z", "2026-03-09T03:00:00Z", 23),
    ("UK", "2026-03-08"): ("2026-03-08T00:00:00Z", "2026-03-08T23:00:00Z", 24),
    ("JP", "2026-03-08"): ("2026-03-07T15:00:00Z", "2026-03-08T14:00:00Z", 24),
    ("US", "2026-10-25"): ("2026-10-25T04:00:00Z", "2026-10-26T03:00:00Z", 24),
    ("UK", "2026-10-25"): ("2026-10-24T23:00:00Z", "2026-10-25T23:00:00Z", 25),
    ("JP", "2026-10-25"): ("2026-10-24T15:00:00Z", "2026-10-25T14:00:00Z", 24),
}


def test_every_job_is_served_once_under_its_workflow(client: httpx.Client) -> None:
    page = read(client, "/api/v1/namespaces/experimentation/jobs")
    assert [job["name"] for job in page["jobs"]] == JOBS
    assert page["totalCount"] == 17
    assert read(client, "/api/v1/jobs")["totalCount"] == 17


def test_the_long_name_is_made_of_its_ancestors_names(client: httpx.Client) -> None:
    job = read(client, path(LONG))
    assert job["name"] == LONG
    assert job["simpleName"] == "execute_insert_into_datasource"
    assert job["parentJobName"] == f"{CUSTOMER}.customer_experiment_metrics_job"
    assert job["parentHierarchy"] == [
        "hourly_experiment_metrics_workflow",
        "calculate_current_hourly_customer_experiment_metrics",
        "customer_experiment_metrics_job",
    ]
    assert job["own"] == {
        "namespace": "spark",
        "name": "customer_experiment_metrics_job.execute_insert_into_datasource",
    }


def test_a_simple_name_leads_to_its_job(client: httpx.Client) -> None:
    for namespace in ("experimentation", "spark"):
        answer = client.get(path("customer_experiment_metrics_job", namespace=namespace))
        assert answer.status_code == 301
        assert answer.headers["location"] == path(f"{CUSTOMER}.customer_experiment_metrics_job")


def test_the_same_code_under_two_workflows_is_two_jobs(client: httpx.Client) -> None:
    answer = client.get(path("experiment_metrics_job", namespace="spark"))
    assert answer.status_code == 300
    urls = answer.json()["jobs"]
    assert [read(client, url)["name"] for url in urls] == [
        f"{DAILY_TASK}.experiment_metrics_job",
        f"{HOURLY_TASK}.experiment_metrics_job",
    ]
    assert len({read(client, url)["location"] for url in urls}) == 1
    actions = client.get(path("execute_insert_into_datasource"))
    assert actions.status_code == 300
    assert [url.rpartition("/")[2] for url in actions.json()["jobs"]] == [
        name for name in JOBS if name.endswith(".execute_insert_into_datasource")
    ]


def test_the_same_code_reads_and_writes_other_data_under_each_workflow(
    client: httpx.Client,
) -> None:
    assert lineage(client, f"job:experimentation:{HOURLY_TASK}", depth=0) == {
        ("hourly_customer_metrics", "calculate_hourly_experiment_metrics"),
        ("calculate_hourly_experiment_metrics", "hourly_experiment_metrics"),
    }
    assert lineage(client, f"job:experimentation:{DAILY_TASK}", depth=0) == {
        ("daily_customer_metrics", "calculate_aggregate_experiment_metrics"),
        ("calculate_aggregate_experiment_metrics", "aggregate_experiment_metrics"),
    }


def test_the_daily_aggregates_come_from_the_clicks_of_the_website(client: httpx.Client) -> None:
    node = "dataset:s3://experiments:aggregate_experiment_metrics"
    assert lineage(client, node) == FLOWS - {
        ("hourly_customer_metrics", "calculate_hourly_experiment_metrics"),
        ("calculate_hourly_experiment_metrics", "hourly_experiment_metrics"),
    }
    assert lineage(client, node, direction="upstream") == lineage(client, node)
    assert lineage(client, node, direction="downstream") == set()


def test_three_marketplaces_are_one_graph(client: httpx.Client) -> None:
    node = "dataset:kafka://clicks.example.com:9092:page_views"
    assert lineage(client, node, direction="downstream") == FLOWS
    body = read(client, "/api/v1/lineage", nodeId=node)
    assert len(body["graph"]) == 6 + 7


def test_a_workflow_as_a_group_hides_what_stays_inside(client: httpx.Client) -> None:
    node = f"job:experimentation:{DAILY}"
    assert lineage(client, node, depth=0, view="group") == {
        ("hourly_customer_metrics", DAILY),
        (DAILY, "aggregate_experiment_metrics"),
    }


def test_only_the_last_run_in_japan_failed(client: httpx.Client) -> None:
    for job in (DAILY, DAILY_TASK, f"{DAILY_TASK}.experiment_metrics_job"):
        page = read(client, path(job, "/partitions"))
        assert page["totalCount"] == 3
        states = {one["partition"]["region"]: one["state"] for one in page["partitions"]}
        assert states == {"JP": "FAILED", "UK": "COMPLETED", "US": "COMPLETED"}


def test_it_failed_in_the_aggregates_of_the_last_day(client: httpx.Client) -> None:
    for job in (HOURLY, HOURLY_TASK, f"{DAILY}.calculate_daily_customer_metrics"):
        page = read(client, path(job, "/partitions"))
        assert [one["state"] for one in page["partitions"]] == ["COMPLETED"] * 3
    failed = [run for run in runs_of(client, DAILY_TASK) if run["state"] == "FAILED"]
    (run,) = failed
    assert run["partition"] == {"region": "JP"}
    assert run["nominalStartTime"] == "2026-10-24T15:00:00Z"
    assert run["nominalEndTime"] == "2026-10-25T15:00:00Z"
    facets = read(client, f"/api/v1/jobs/runs/{run['id']}/facets", type="run")["facets"]
    assert facets["errorMessage"]["message"].endswith("No space left on device")
    whole = read(client, f"/api/v1/jobs/runs/{run['parentRunId']}")
    assert (whole["job"]["name"], whole["state"]) == (DAILY, "FAILED")


@pytest.mark.parametrize(("region", "day"), LOCAL_DAYS)
def test_a_local_day_has_the_hours_that_it_has_there(
    client: httpx.Client, region: str, day: str
) -> None:
    first, last, count = LOCAL_DAYS[region, day]
    (whole,) = [
        run
        for run in runs_of(client, DAILY)
        if run["partition"] == {"region": region} and run["nominalStartTime"] == first
    ]
    hours = sorted(
        run["nominalStartTime"]
        for run in runs_of(client, HOURLY)
        if run["partition"] == {"region": region}
        and first <= run["nominalStartTime"] < whole["nominalEndTime"]
    )
    assert (hours[0], hours[-1], len(hours)) == (first, last, count)


def test_every_hour_ran_once(client: httpx.Client) -> None:
    assert len(runs_of(client, HOURLY)) == 23 + 24 + 24 + 24 + 25 + 24
    assert len(runs_of(client, DAILY)) == 6


def test_a_run_of_the_daily_workflow_has_its_tasks_applications_and_actions_below(
    client: httpx.Client,
) -> None:
    run = runs_of(client, DAILY)[0]
    page = read(client, f"/api/v1/jobs/runs/{run['id']}/descendants")
    assert sorted(one["job"]["name"] for one in page["runs"]) == JOBS[1:7]
    assert {tuple(one["partition"].items()) for one in page["runs"]} == {(("region", "US"),)}


def test_one_graph_tells_the_regions_apart(client: httpx.Client) -> None:
    asked = {"nodeId": f"job:experimentation:{DAILY}", "view": "group", "groupBy": "region"}
    nodes = read(client, "/api/v1/lineage", **asked)["graph"]
    states = {
        node["data"]["name"]: [
            (part["value"], part["state"]) for part in node["data"]["partitions"]
        ]
        for node in nodes
        if node["type"] == "JOB"
    }
    assert states[DAILY] == [("JP", "FAILED"), ("UK", "COMPLETED"), ("US", "COMPLETED")]
    assert states[f"{HOURLY}.collect_clickstream"] == [
        *(("JP", "COMPLETED"), ("UK", "COMPLETED"), ("US", "COMPLETED"))
    ]
    assert len(nodes) == len(
        read(client, "/api/v1/lineage", **asked | {"partition": "region=JP"})["graph"]
    )
