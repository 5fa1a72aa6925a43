"""Versions: what runs wrote of datasets and read of them, and which version of its job each ran."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2 as httpx

from tests.acceptance.marquez.conftest import Teller
from tests.events import run_event

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
V1 = "/api/v1"
ORDERS = f"{V1}/namespaces/lake/datasets/orders"
ETL = f"{V1}/namespaces/default/jobs/etl"


def at(minute: int) -> datetime:
    return NOON + timedelta(minutes=minute)


def read(client: httpx.Client, path: str) -> Any:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def schema(*columns: str) -> dict[str, Any]:
    return {
        "schema": {"fields": [dict(zip(("name", "type"), c.split(), strict=True)) for c in columns]}
    }


def write(tell: Teller, minute: int, *columns: str, job: str = "etl", **facets: Any) -> str:
    """Tell of a run that wrote orders with columns; return its id."""
    event = run_event(job, at=at(minute))
    known = schema(*columns) | facets
    event["outputs"] = [{"namespace": "lake", "name": "orders", "facets": known}]
    tell.tell(event)
    run_id: str = event["run"]["runId"]
    return run_id


def version_read(client: httpx.Client, run: str) -> str | None:
    (use,) = read(client, f"{V1}/jobs/runs/{run}")["inputDatasetVersions"]
    found: str | None = use["datasetVersionId"]["version"]
    return found


def version_written(client: httpx.Client, run: str) -> str:
    (use,) = read(client, f"{V1}/jobs/runs/{run}")["outputDatasetVersions"]
    found: str = use["datasetVersionId"]["version"]
    return found


def test_each_version_has_its_own_columns_facets_and_run_the_newest_first(
    client: httpx.Client, tell: Teller
) -> None:
    first = write(tell, 1, "id int", documentation={"description": "All orders."})
    second = write(tell, 2, "id bigint", "price int", lifecycleStateChange=_state("OVERWRITE"))
    page = read(client, f"{ORDERS}/versions")
    assert page["totalCount"] == 2
    new, old = page["versions"]
    assert [v["createdByRun"]["id"] for v in (new, old)] == [second, first]
    assert [(f["name"], f["type"]) for f in new["fields"]] == [("id", "bigint"), ("price", "int")]
    assert [(f["name"], f["type"]) for f in old["fields"]] == [("id", "int")]
    assert (new["lifecycleState"], old["lifecycleState"]) == ("OVERWRITE", None)
    assert (new["description"], old["description"]) == (None, "All orders.")
    assert new["createdAt"] == "2026-03-01T12:02:00Z"
    assert new["facets"].keys() == {"schema", "lifecycleStateChange"}
    assert read(client, f"{ORDERS}/versions/{old['version']}") == old
    assert read(client, f"{ORDERS}/versions?limit=1&offset=1")["versions"] == [old]
    assert read(client, ORDERS)["currentVersion"] == new["version"]
    (listed,) = read(client, f"{V1}/namespaces/lake/datasets")["datasets"]
    assert listed["currentVersion"] == new["version"] == version_written(client, second)


def _state(change: str) -> dict[str, str]:
    return {"lifecycleStateChange": change}


def test_a_version_of_another_dataset_or_of_nothing_is_not_found(
    client: httpx.Client, tell: Teller
) -> None:
    version = version_written(client, write(tell, 1, "id int"))
    tell.run("other", outputs=("visits",))
    visits = f"{V1}/namespaces/lake/datasets/visits/versions"
    assert client.get(f"{visits}/{version}").status_code == 404
    assert client.get(f"{visits}/{UUID(int=0)}").status_code == 404
    assert client.get(f"{visits}/first").status_code == 400
    assert client.get(f"{V1}/namespaces/lake/datasets/none/versions").status_code == 404


def test_a_run_read_the_latest_version_of_the_time_at_which_it_named_its_input(
    client: httpx.Client, tell: Teller
) -> None:
    late = tell.run("report", inputs=("orders",), at=at(5))[0]
    early = tell.run("report", inputs=("orders",), at=at(3))[0]
    assert version_read(client, late) is None
    second, first = (write(tell, minute, "id int") for minute in (4, 2))
    assert version_read(client, late) == version_written(client, second)
    assert version_read(client, early) == version_written(client, first)


def test_the_version_that_a_run_names_counts_more_than_the_time(
    client: httpx.Client, tell: Teller
) -> None:
    first = write(tell, 1, "id int", version={"datasetVersion": "41"})
    write(tell, 2, "id int", version={"datasetVersion": "42"})
    event = run_event("report", at=at(3))
    named = {"version": {"datasetVersion": "41"}}
    event["inputs"] = [{"namespace": "lake", "name": "orders", "facets": named}]
    tell.tell(event)
    assert version_read(client, event["run"]["runId"]) == version_written(client, first)


def test_a_run_that_updates_a_dataset_read_the_version_before_its_own(
    client: httpx.Client, tell: Teller
) -> None:
    first = write(tell, 1, "id int")
    merge = tell.run("merge", inputs=("orders",), outputs=("orders",), at=at(2))[0]
    assert version_read(client, merge) == version_written(client, first)


def test_a_job_has_a_version_for_each_code_and_data_that_it_ran_with(
    client: httpx.Client, tell: Teller
) -> None:
    old = [tell.run("etl", outputs=("orders",), at=at(minute))[0] for minute in (1, 2)]
    new = tell.run("etl", inputs=("visits",), outputs=("orders",), at=at(3))[0]
    page = read(client, f"{ETL}/versions")
    assert page["totalCount"] == 2
    latest, first = page["versions"]
    assert latest["inputs"] == [{"namespace": "lake", "name": "visits"}]
    assert latest["outputs"] == first["outputs"] == [{"namespace": "lake", "name": "orders"}]
    assert (latest["latestRun"]["id"], first["latestRun"]["id"]) == (new, old[1])
    assert first["createdAt"] == "2026-03-01T12:01:00Z"
    assert read(client, f"{ETL}/versions/{first['version']}") == first
    assert read(client, ETL)["currentVersion"] == latest["version"]
    assert read(client, f"{V1}/jobs/runs/{old[0]}")["jobVersion"] == first["id"]
    assert client.get(f"{ETL}/versions/{UUID(int=0)}").status_code == 404


def test_other_names_of_a_job_lead_to_its_versions(client: httpx.Client, tell: Teller) -> None:
    dag = tell.run("dag")
    tell.run("step", under=dag, at=at(1))
    (version,) = read(client, f"{V1}/namespaces/default/jobs/dag.step/versions")["versions"]
    moved = client.get(f"{V1}/namespaces/default/jobs/step/versions/{version['version']}")
    assert moved.status_code == 301
    assert moved.headers["Location"].endswith(f"/jobs/dag.step/versions/{version['version']}")
    assert read(client, moved.headers["Location"]) == version


def test_a_run_s_facets_have_the_parent_that_it_named(client: httpx.Client, tell: Teller) -> None:
    dag = tell.run("dag", namespace="airflow")
    step = tell.run("dag.step", under=dag)[0]
    parent = read(client, f"{V1}/jobs/runs/{step}")["facets"]["parent"]
    assert parent["run"] == {"runId": dag[0]}
    assert parent["job"] == {"namespace": "airflow", "name": "dag"}
    facets = read(client, f"{V1}/jobs/runs/{step}/facets?type=run")["facets"]
    assert facets["parent"] == parent
    assert "parent" not in read(client, f"{V1}/jobs/runs/{dag[0]}")["facets"]
