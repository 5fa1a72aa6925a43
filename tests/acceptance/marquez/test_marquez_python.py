"""A whole scenario, driven by the client that Marquez itself publishes (marquez-python 0.50.0)."""

from typing import Any

import httpx2 as httpx
import pytest
from marquez_client import MarquezClient
from marquez_client.errors import APIError
from marquez_client.models import DatasetId, DatasetType, JobType

from tests.acceptance.marquez.conftest import Teller
from tests.events import run_event

pytestmark = pytest.mark.filterwarnings("ignore::deprecation.DeprecatedWarning")
SPACE = "shop & co"
FIELDS = [{"name": "id", "type": "INTEGER"}, {"name": "email", "type": "VARCHAR", "tags": ["PII"]}]


@pytest.fixture
def marquez(client: httpx.Client) -> Any:
    return MarquezClient(str(client.base_url).rstrip("/"), timeout_ms=60_000)


def make_table(marquez: Any, name: str, **more: Any) -> Any:
    return marquez.create_dataset(
        namespace_name=SPACE,
        dataset_name=name,
        dataset_type=DatasetType.DB_TABLE,
        dataset_physical_name=name,
        source_name="my/source",
        **more,
    )


@pytest.fixture
def shop(marquez: Any) -> Any:
    """The client, after it created a namespace, a source, two tables and a job between these."""
    marquez.create_namespace(SPACE, "me", "Everything that we sell")
    marquez.create_source("my/source", "postgresql", "jdbc:postgresql://localhost/shop", "Ours")
    make_table(marquez, "public.raw", fields=FIELDS, description="As it came", tags=["raw"])
    make_table(marquez, "public.gold")
    marquez.create_job(
        SPACE,
        "etl",
        JobType.BATCH,
        location="https://git.example.org/etl.py",
        inputs=[DatasetId(SPACE, "public.raw")],
        outputs=[DatasetId(SPACE, "public.gold")],
        description="Cleans up",
        context={"SQL": "SELECT 1"},
    )
    return marquez


def test_namespaces_and_sources(shop: Any) -> None:
    assert shop.get_namespace(SPACE)["ownerName"] == "me"
    assert [one["name"] for one in shop.list_namespaces()["namespaces"]] == [SPACE]
    assert shop.get_source("my/source")["type"] == "POSTGRESQL"
    assert [one["name"] for one in shop.list_sources(limit=1)["sources"]] == ["my/source"]


def test_datasets_with_columns_and_tags(shop: Any) -> None:
    table = shop.get_dataset(SPACE, "public.raw")
    assert (table["description"], table["tags"], table["sourceName"]) == (
        "As it came",
        ["raw"],
        "my/source",
    )
    assert [field["tags"] for field in table["fields"]] == [[], ["PII"]]
    names = [one["name"] for one in shop.list_datasets(SPACE)["datasets"]]
    assert names == ["public.gold", "public.raw"]


def test_tags(shop: Any) -> None:
    assert shop.create_tag("PII", "Holds personal data")["description"] == "Holds personal data"
    assert shop.tag_dataset(SPACE, "public.raw", "EU")["tags"] == ["EU", "raw"]
    tagged = shop.tag_dataset_field(SPACE, "public.raw", "id", "KEY")
    assert tagged["fields"][0]["tags"] == ["KEY"]
    assert [tag["name"] for tag in shop.list_tags()["tags"]] == ["EU", "KEY", "PII", "raw"]


def test_jobs(shop: Any) -> None:
    job = shop.get_job(SPACE, "etl")
    assert (job["type"], job["location"]) == ("BATCH", "https://git.example.org/etl.py")
    assert job["inputs"] == [{"namespace": SPACE, "name": "public.raw"}]
    assert [one["name"] for one in shop.list_jobs(SPACE)["jobs"]] == ["etl"]


def test_runs_from_their_creation_to_their_end(shop: Any) -> None:
    new = shop.create_job_run(
        SPACE,
        "etl",
        nominal_start_time="2026-03-02T10:00:00Z",
        nominal_end_time="2026-03-02T11:00:00Z",
        run_args={"region": "UK"},
    )
    assert (new["state"], new["args"]) == ("NEW", {"region": "UK"})
    assert shop.mark_job_run_as_started(new["id"])["state"] == "RUNNING"
    make_table(shop, "public.gold", fields=FIELDS, run_id=new["id"])
    assert shop.mark_job_run_as_completed(new["id"])["state"] == "COMPLETED"
    failed = shop.create_job_run(SPACE, "etl", mark_as_running=True)["id"]
    at = "2036-03-02T10:00:00+01:00"
    assert shop.mark_job_run_as_failed(failed, at)["endedAt"] == "2036-03-02T09:00:00Z"
    aborted = shop.create_job_run(SPACE, "etl", mark_as_running=True)["id"]
    assert shop.mark_job_run_as_aborted(aborted)["state"] == "ABORTED"
    runs = shop.list_job_runs(SPACE, "etl")["runs"]
    assert [run["id"] for run in runs] == [aborted, failed, new["id"]]
    done = shop.get_job_run(new["id"])
    (written,) = done["outputDatasetVersions"]
    assert written["datasetVersionId"]["name"] == "public.gold"


def test_events(shop: Any) -> None:
    assert shop.list_events()["totalCount"] == 3
    assert len(shop.list_events(namespace="shop%20%26%20co", limit=2)["events"]) == 2


def test_a_child_job_is_written_to_under_the_name_that_its_producer_gives_it(
    shop: Any, tell: Teller
) -> None:
    dag = tell.run("dag", namespace=SPACE)
    tell.run("app", namespace="spark", under=dag)
    run = shop.create_job_run("spark", "app", mark_as_running=True)
    assert run["job"] == {"namespace": SPACE, "name": "dag.app"}
    assert len(shop.list_job_runs("spark", "app")["runs"]) == 2


def test_openlineage_is_read_back_as_what_was_created_is(shop: Any, client: httpx.Client) -> None:
    event = run_event("etl", namespace=SPACE, outputs=((SPACE, "public.gold"),))
    assert httpx.post(str(client.base_url.join("/api/v1/lineage")), json=event).status_code == 201
    assert shop.get_job(SPACE, "etl")["latestRun"]["id"] == event["run"]["runId"]


def test_versions_and_the_lineage_of_columns(shop: Any, tell: Teller) -> None:
    event = run_event("etl", namespace=SPACE, outputs=((SPACE, "public.gold"),))
    email = {"namespace": SPACE, "name": "public.raw", "field": "email"}
    event["inputs"] = [{"namespace": SPACE, "name": "public.raw"}]
    event["outputs"][0]["facets"] = {
        "schema": {"fields": [{"name": "domain", "type": "VARCHAR"}]},
        "columnLineage": {"fields": {"domain": {"inputFields": [email]}}},
    }
    tell.tell(event)
    versions = shop.list_dataset_versions(SPACE, "public.gold")["versions"]
    assert len(versions) == 2, "the other one is of the dataset as it was created"
    (listed,) = (one for one in versions if one["createdByRun"])
    version = shop.get_dataset_version(SPACE, "public.gold", listed["version"])
    assert version["createdByRun"]["id"] == event["run"]["runId"]
    domain, raw = (f"datasetField:{SPACE}:public.{end}" for end in ("gold:domain", "raw:email"))
    for graph in (
        shop.get_column_lineage_by_dataset(SPACE, "public.gold"),
        shop.get_column_lineage_by_dataset_field(SPACE, "public.gold", "domain", depth=1),
        shop.get_column_lineage_by_dataset_field(
            SPACE, "public.gold", "domain", version=listed["version"]
        ),
        shop.get_column_lineage_by_job(SPACE, "etl"),
        shop.get_column_lineage_by_dataset_field(
            SPACE, "public.raw", "email", with_downstream=True
        ),
    ):
        assert {node["id"].partition("#")[0] for node in graph["graph"]} == {domain, raw}


def test_what_is_missing_is_an_error_of_the_client(shop: Any) -> None:
    with pytest.raises(APIError):
        shop.get_job(SPACE, "none")
    with pytest.raises(APIError):
        shop.create_job_run(SPACE, "none")
