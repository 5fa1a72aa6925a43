"""What is deleted is hidden from all reads until an event names it."""

import httpx2 as httpx
import pytest

from tests.acceptance.marquez.conftest import Serve, Teller

V1 = "/api/v1"


def total(client: httpx.Client, path: str) -> int:
    count = client.get(V1 + path).json()["totalCount"]
    assert isinstance(count, int)
    return count


@pytest.fixture(autouse=True)
def told(tell: Teller) -> None:
    """A workflow in airflow with a Spark job below it that writes a dataset of the lake."""
    dag = tell.run("dag", namespace="airflow")
    tell.run("app", namespace="spark", under=dag, inputs=("raw",), outputs=("gold",))


def test_a_deleted_job_is_answered_once_more_and_then_gone_until_a_run_names_it(
    client: httpx.Client, tell: Teller
) -> None:
    path = f"{V1}/namespaces/airflow/jobs/dag.app"
    deleted = client.delete(path)
    assert (deleted.status_code, deleted.json()["name"]) == (200, "dag.app")
    for gone in (path, f"{path}/runs", f"{V1}/namespaces/spark/jobs/app"):
        assert client.get(gone).status_code == 404
    assert client.delete(path).status_code == 404
    assert (total(client, "/jobs"), total(client, "/namespaces/airflow/jobs")) == (1, 1)
    assert total(client, "/namespaces/airflow/jobs/dag/children") == 0
    assert total(client, "/namespaces/airflow/jobs/dag/descendants") == 0
    tell.run("app", namespace="spark", under=tell.run("dag", namespace="airflow"))
    assert client.get(path).status_code == 200
    assert total(client, f"{path.removeprefix(V1)}/runs") == 2


def test_a_deleted_job_leaves_those_below_it(client: httpx.Client) -> None:
    assert client.delete(f"{V1}/namespaces/airflow/jobs/dag").status_code == 200
    assert client.get(f"{V1}/namespaces/airflow/jobs/dag").status_code == 404
    child = client.get(f"{V1}/namespaces/airflow/jobs/dag.app")
    assert child.json()["parentHierarchy"] == ["dag"]


def test_a_simple_name_means_the_one_job_that_is_not_deleted(
    client: httpx.Client, tell: Teller
) -> None:
    tell.run("app", namespace="spark", under=tell.run("other", namespace="airflow"))
    assert client.get(f"{V1}/namespaces/spark/jobs/app").status_code == 300
    client.delete(f"{V1}/namespaces/airflow/jobs/other.app")
    assert client.get(f"{V1}/namespaces/spark/jobs/app").status_code == 301


def test_a_deleted_dataset_is_gone_until_an_event_names_it(
    client: httpx.Client, tell: Teller
) -> None:
    path = f"{V1}/namespaces/lake/datasets/gold"
    deleted = client.delete(path)
    assert (deleted.status_code, deleted.json()["name"]) == (200, "gold")
    assert [client.get(path).status_code, client.delete(path).status_code] == [404, 404]
    assert client.get(f"{V1}/lineage?nodeId=dataset:lake:gold").status_code == 404
    graph = client.get(f"{V1}/lineage?nodeId=job:airflow:dag.app").json()["graph"]
    assert [node["id"] for node in graph] == ["dataset:lake:raw", "job:airflow:dag.app"]
    assert total(client, "/namespaces/lake/datasets") == 1
    job = client.get(f"{V1}/namespaces/airflow/jobs/dag.app").json()
    assert (len(job["inputs"]), job["outputs"]) == (1, [])
    tell.run("reader", inputs=("gold",))
    assert client.get(path).status_code == 200
    assert total(client, "/namespaces/lake/datasets") == 2


def test_a_deleted_namespace_takes_what_is_served_in_it_along(
    client: httpx.Client, tell: Teller
) -> None:
    deleted = client.delete(f"{V1}/namespaces/airflow").json()
    assert (deleted["name"], deleted["isHidden"]) == ("airflow", True)
    assert client.get(f"{V1}/namespaces/airflow").status_code == 404
    assert client.get(f"{V1}/namespaces/airflow/jobs").status_code == 404
    assert total(client, "/jobs") == 0
    names = [one["name"] for one in client.get(f"{V1}/namespaces").json()["namespaces"]]
    assert names == ["lake"]
    tell.run("dag", namespace="airflow")
    assert client.get(f"{V1}/namespaces/airflow").json()["isHidden"] is False
    assert total(client, "/namespaces/airflow/jobs") == 1


def test_a_deleted_namespace_of_datasets_takes_these_along(client: httpx.Client) -> None:
    assert client.delete(f"{V1}/namespaces/lake").status_code == 200
    assert client.get(f"{V1}/namespaces/lake/datasets/gold").status_code == 404
    assert client.delete(f"{V1}/namespaces/lake").status_code == 404
    assert total(client, "/jobs") == 2


def test_without_inheritance_a_deleted_namespace_leaves_jobs_below_its_own(
    serve: Serve,
) -> None:
    client = serve(inherit_namespace=False)
    assert client.delete(f"{V1}/namespaces/airflow").status_code == 200
    assert client.get(f"{V1}/namespaces/spark/jobs/dag.app").status_code == 200


def test_a_namespace_is_created_said_anew_and_back_after_its_deletion(
    client: httpx.Client,
) -> None:
    path = f"{V1}/namespaces/s3%3A%2F%2Fnew"
    made = client.put(path, json={"ownerName": "me", "description": "mine"})
    assert made.status_code == 200
    assert made.json() == client.get(path).json()
    assert made.json() | {"createdAt": "", "updatedAt": ""} == {
        "name": "s3://new",
        "createdAt": "",
        "updatedAt": "",
        "ownerName": "me",
        "description": "mine",
        "isHidden": False,
    }
    assert total(client, "/namespaces") == 4
    assert client.get(f"{path}/jobs").json() == {"jobs": [], "totalCount": 0}
    assert client.put(path, json={"ownerName": "you"}).json()["description"] == "mine"
    assert client.delete(path).status_code == 200
    assert client.get(path).status_code == 404
    assert client.put(path, json={"ownerName": "you"}).json()["ownerName"] == "you"
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"{", b'{"ownerName": 1}', b"\xff"])
def test_a_namespace_takes_no_other_body(client: httpx.Client, body: bytes) -> None:
    answer = client.put(f"{V1}/namespaces/new", content=body)
    assert (answer.status_code, list(answer.json())) == (400, ["error"])
    assert client.get(f"{V1}/namespaces/new").status_code == 404
