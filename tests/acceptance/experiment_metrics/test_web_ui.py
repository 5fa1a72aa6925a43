"""Every read that Marquez's web UI sends is answered with what its pages take for granted."""

from typing import Any
from urllib.parse import quote

import httpx2 as httpx
import msgspec
import pytest

from tests.acceptance.marquez import web_types as ui

JOB = "daily_experiment_metrics_workflow.calculate_aggregate_experiment_metrics"
ACTION = f"{JOB}.experiment_metrics_job.execute_insert_into_datasource"
RUN = "4200d9e6-f5e4-5c94-b4d4-25432c2cdc85"
LAKE = quote("s3://experiments", safe="")
TABLE = "aggregate_experiment_metrics"
# As a fresh page asks: the dashboard, the lists, and then what is opened from them.
READS: list[tuple[str, Any]] = [
    ("v1/tags", ui.Tags),
    ("v1/namespaces", ui.Namespaces),
    ("v1/jobs?limit=25&offset=0", ui.Jobs),
    ("v1/jobs?limit=10&offset=0&lastRunStates=FAILED", ui.Jobs),
    ("v1/stats/lineage-events?period=DAY&timezone=Asia/Tokyo", list[ui.EventCount]),
    ("v1/stats/lineage-events?period=WEEK&timezone=America/New_York", list[ui.EventCount]),
    ("v1/stats/jobs?period=DAY&timezone=Europe/London", list[ui.Count]),
    ("v1/stats/datasets?period=WEEK&timezone=UTC", list[ui.Count]),
    ("v1/stats/sources?period=DAY&timezone=Etc/GMT+5", list[ui.Count]),
    ("v1/namespaces/experimentation/jobs?limit=20&offset=0", ui.Jobs),
    (f"v1/namespaces/experimentation/jobs/{JOB}", ui.ListedJob),
    (f"v1/namespaces/experimentation/jobs/{JOB}/runs?limit=14&offset=0", ui.Runs),
    (f"v1/namespaces/experimentation/jobs/{ACTION}/runs?limit=10&offset=0", ui.Runs),
    (f"v1/jobs/runs/{RUN}/facets?type=run", ui.Facets),
    (f"v1/jobs/runs/{RUN}/facets?type=job", ui.Facets),
    (f"v1/namespaces/{LAKE}/datasets?limit=20&offset=0", ui.Datasets),
    (f"v1/namespaces/{LAKE}/datasets/{TABLE}", ui.ListedDataset),
    (f"v1/namespaces/{LAKE}/datasets/{TABLE}/versions?limit=5&offset=0", ui.DatasetVersions),
    ("v1/events/lineage?limit=100&before=&after=&offset=0&sortDirection=desc", ui.Events),
    (
        "v1/events/lineage?limit=20&before=2026-10-25T23:59:59.000Z"
        "&after=2026-10-25T00:00:00.000Z&offset=0&sortDirection=asc",
        ui.Events,
    ),
    (f"v1/lineage?nodeId=job:experimentation:{ACTION}&depth=2", ui.Lineage),
    (f"v1/lineage?nodeId=dataset:{LAKE}:{TABLE}&depth=2", ui.Lineage),
    (
        f"v1/column-lineage?nodeId=dataset:{LAKE}:{TABLE}&depth=2&withDownstream=true",
        ui.ColumnLineage,
    ),
    ("v1/search?q=experiment&sort=NAME&limit=100", ui.Search),
    ("v1/search?q=experiment metrics&sort=UPDATE_AT&limit=100&filter=JOB", ui.Search),
    ("v1/search?q=%&sort=NAME&limit=100&filter=DATASET", ui.Search),
    ("v2beta/search/jobs?q=experiment", ui.JobHits),
    ("v2beta/search/datasets?q=experiment", ui.DatasetHits),
]


@pytest.mark.parametrize(("url", "kind"), READS, ids=[url for url, _ in READS])
def test_a_read_has_what_the_page_takes_for_granted(
    client: httpx.Client, url: str, kind: Any
) -> None:
    answer = client.get(f"/api/{url}")
    assert answer.status_code == 200, answer.text
    msgspec.json.decode(answer.content, type=kind)


def test_lists_say_how_many_there_are_in_all(client: httpx.Client) -> None:
    jobs = client.get("/api/v1/jobs?limit=10&offset=0").json()
    assert (len(jobs["jobs"]), jobs["totalCount"]) == (10, 17)
    failed = client.get("/api/v1/jobs?limit=10&offset=0&lastRunStates=FAILED").json()
    assert failed["totalCount"] == len(failed["jobs"]) == 0
    events = client.get("/api/v1/events/lineage?limit=1&before=&after=&offset=0").json()
    assert events["totalCount"] == 2964


def test_what_a_search_finds_is_the_node_of_a_lineage_graph(client: httpx.Client) -> None:
    results = client.get("/api/v1/search?q=aggregate&sort=NAME&limit=100").json()["results"]
    assert len(results) == 4
    for found in results:
        lineage = client.get("/api/v1/lineage", params={"nodeId": found["nodeId"], "depth": 1})
        assert found["nodeId"] in [node["id"] for node in lineage.json()["graph"]]
