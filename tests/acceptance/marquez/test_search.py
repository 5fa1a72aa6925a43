"""Jobs and datasets found by a part of a name."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx
import pytest

from tests.acceptance.marquez.conftest import Serve, Teller
from tests.events import run_event

SEARCH = "/api/v1/search"


@pytest.fixture(autouse=True)
def told(tell: Teller) -> None:
    """A workflow with a Spark job below it, and another job; the first writes orders, long ago."""
    dag = tell.run("Nightly", namespace="airflow")
    tell.run("load_orders", namespace="spark", under=dag)
    tell.run("report", inputs=("Orders",), at=datetime(2020, 1, 1, tzinfo=UTC))


def found(client: httpx.Client, query: str) -> list[str]:
    answer = client.get(f"{SEARCH}?{query}")
    assert answer.status_code == 200, answer.text
    return [one["nodeId"] for one in answer.json()["results"]]


def test_a_part_of_a_name_finds_jobs_and_datasets_whatever_its_case(client: httpx.Client) -> None:
    job, dataset = "job:airflow:Nightly.load_orders", "dataset:lake:Orders"
    assert found(client, "q=ORDERS") == [job, dataset]
    assert found(client, "q=orders&filter=JOB") == [job]
    assert found(client, "q=orders&filter=dataset") == [dataset]
    assert found(client, "q=orders&namespace=lake") == [dataset]
    assert found(client, "q=orders&namespace=spark") == []
    assert found(client, "q=nightly.load") == [job]
    assert found(client, "q=100%25") == []


def test_results_are_by_name_or_the_last_changed_first_and_counted_whole(
    client: httpx.Client,
) -> None:
    assert found(client, "q=r&sort=UPDATE_AT")[-1] == "dataset:lake:Orders"
    page = client.get(f"{SEARCH}?q=r&limit=1").json()
    assert (len(page["results"]), page["totalCount"]) == (1, 3)
    assert page["results"][0]["type"] == "JOB"


def test_results_are_of_the_days_between(client: httpx.Client) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date()
    assert found(client, "q=orders&before=2021-01-01") == ["dataset:lake:Orders"]
    after = f"q=orders&after=2021-01-01&before={tomorrow}"
    assert found(client, after) == ["job:airflow:Nightly.load_orders"]


def test_jobs_that_share_an_address_are_told_apart(client: httpx.Client, tell: Teller) -> None:
    for namespace in ("dbt", "spark"):
        tell.run("model", namespace=namespace, under=tell.run("dag", namespace="airflow"))
    twins = found(client, "q=dag.model")
    assert len(set(twins)) == 2
    asked = [client.get("/api/v1/lineage", params={"nodeId": twin}) for twin in twins]
    assert [answer.status_code for answer in asked] == [200, 200]


def test_a_job_is_found_in_the_namespace_that_it_is_served_in(serve: Serve) -> None:
    own = serve(inherit_namespace=False)
    assert found(own, "q=load_o") == ["job:spark:Nightly.load_orders"]


@pytest.mark.parametrize(
    "query", ["", "q=", "q=%20", "q=x&sort=age", "q=x&filter=RUN", "q=x&before=now", "q=x&limit=-1"]
)
def test_what_means_nothing_is_refused(client: httpx.Client, query: str) -> None:
    assert client.get(f"{SEARCH}?{query}").status_code == 400


def test_what_is_deleted_is_not_found(client: httpx.Client) -> None:
    client.delete("/api/v1/namespaces/lake/datasets/Orders")
    client.delete("/api/v1/namespaces/airflow/jobs/Nightly.load_orders")
    assert found(client, "q=orders") == []


def beta(client: httpx.Client, query: str) -> Any:
    return client.get(f"/api/v2beta/search/{query}").json()


def test_the_web_ui_s_search_has_facets_and_marks_what_was_found(
    client: httpx.Client, tell: Teller
) -> None:
    event = run_event("bill", "FAIL", outputs=(("lake", "bills"),))
    event["run"]["facets"]["processing_engine"] = {"version": "3.5", "name": "spark"}
    event["job"]["facets"]["sql"] = {"query": "SELECT 1"}
    schema = {"fields": [{"name": "amount_billed", "type": "int"}]}
    event["outputs"][0]["facets"] = {"schema": schema}
    tell.tell(event)
    jobs = beta(client, "jobs?q=BILL")
    (hit,) = jobs["hits"]
    assert (hit["eventType"], hit["type"], hit["run_id"]) == (
        "FAIL",
        "BATCH",
        event["run"]["runId"],
    )
    assert hit["facets"]["sql"]["query"] == "SELECT 1"
    assert hit["runFacets"]["processing_engine"]["name"] == "spark"
    assert jobs["highlights"] == [{"name": ["<em>bill</em>"]}]
    datasets = beta(client, "datasets?q=amount_")
    assert [one["name"] for one in datasets["hits"]] == ["bills"]
    marked = {"facets.schema.fields.name": ["<em>amount_</em>billed"]}
    assert datasets["highlights"] == [marked]
    assert client.get("/api/v2beta/search/jobs?q=").status_code == 400


def test_words_about_jobs_and_datasets_find_them(client: httpx.Client, tell: Teller) -> None:
    event = run_event("etl.sales", namespace="dbt", outputs=(("lake", "gold.sales"),))
    event["job"]["facets"] = {
        "sql": {"query": 'SELECT sum(amount) FROM raw.Payments_2024 -- it\'s "quoted"'},
        "ownership": {"owners": [{"name": "team:Finance"}]},
        "documentation": {"description": "Daily revenue of all shops. 毎日の売上高です"},
    }
    event["outputs"][0]["facets"] = {
        "schema": {"fields": [{"name": "net_amount", "description": "without tax"}]},
        "tags": {"tags": [{"key": "sensitivity", "value": "PII", "field": "net_amount"}]},
        "ownership": {"owners": [{"name": "team:Lake"}]},
    }
    tell.tell(event)
    job, dataset = "job:dbt:etl.sales", "dataset:lake:gold.sales"
    assert found(client, "q=payments_2024") == [job]
    assert found(client, "q=sum amount") == [job]
    assert found(client, "q=finance") == [job]
    assert found(client, "q=revenue shops") == [job]
    assert found(client, "q=売上高") == [job]
    assert found(client, "q=net_amo") == [dataset]
    assert found(client, "q=TAX") == [dataset]
    assert found(client, "q=pii") == [dataset]
    owned = client.get("/api/v1/namespaces/lake/datasets?owner=team:Lake").json()
    assert [one["name"] for one in owned["datasets"]] == ["gold.sales"]
    for tag, name in (("GOLD", "gold.sales"), ("OLD", "Orders")):
        client.post(f"/api/v1/namespaces/lake/datasets/{name}/tags/{tag}").raise_for_status()
    marked = client.get("/api/v1/datasets?owner=team:Lake&tag=GOLD").json()
    assert [one["name"] for one in marked["datasets"]] == ["gold.sales"]
    assert marked["totalCount"] == 1
    for other in ("owner=team:Finance", "owner=team:Lake&tag=OLD", "owner=*"):
        assert client.get(f"/api/v1/datasets?{other}").json()["totalCount"] == 0
    pages = [client.get(f"/api/v1/datasets?limit=1&offset={n}").json() for n in (0, 1)]
    assert [one["datasets"][0]["name"] for one in pages] == ["Orders", "gold.sales"]
    assert {one["totalCount"] for one in pages} == {2}
    (hit,) = client.get(f"{SEARCH}?q=revenue").json()["results"]
    assert hit["foundIn"] == ["documentation"]
    for path in ("/api/v1/jobs", "/api/v1/namespaces/dbt/jobs"):
        listed = client.get(path, params={"owner": "team:Finance"}).json()
        assert ([one["name"] for one in listed["jobs"]], listed["totalCount"]) == (["etl.sales"], 1)
    assert client.get("/api/v1/jobs?owner=team").json()["totalCount"] == 0
    client.post("/api/v1/namespaces/dbt/jobs/etl.sales/tags/Golden").raise_for_status()
    assert found(client, "q=golden") == [job]
    client.delete("/api/v1/namespaces/dbt/jobs/etl.sales").raise_for_status()
    assert found(client, "q=golden") == found(client, "q=revenue") == []


@pytest.mark.parametrize(
    "text",
    [
        "*",
        '"',
        "AND (",
        "a OR",
        "\\",
        "/.*/",
        "words:*",
        "~1^4",
        "[a TO b]",
        "?" * 50,
        "x" * 10_000,
    ],
)
def test_no_text_is_read_as_the_syntax_of_an_index(client: httpx.Client, text: str) -> None:
    answer = client.get(SEARCH, params={"q": text})
    assert (answer.status_code, answer.json()["results"]) == (200, [])
