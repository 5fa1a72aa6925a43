"""Marquez's own writers, from before OpenLineage: each becomes events like all others."""

import gzip
from typing import Any

import httpx2 as httpx
import pytest

from tests.acceptance.marquez.conftest import Serve, Teller

V1 = "/api/v1"
SPACE = f"{V1}/namespaces/shop"
TABLE = f"{SPACE}/datasets/orders"
JOB = f"{SPACE}/jobs/etl"
TABLE_BODY: dict[str, Any] = {
    "type": "DB_TABLE",
    "physicalName": "public.orders",
    "sourceName": "db",
    "description": "All orders",
    "tags": ["gold"],
    "fields": [
        {"name": "id", "type": "int"},
        {"name": "email", "type": "text", "tags": ["PII"], "description": "Whose it is"},
    ],
}
JOB_BODY: dict[str, Any] = {
    "type": "BATCH",
    "inputs": [],
    "outputs": [{"namespace": "shop", "name": "orders"}],
    "location": "https://git.example.org/etl.py",
    "description": "Loads orders",
    "context": {"SQL": "SELECT 1"},
}


@pytest.fixture
def shop(client: httpx.Client) -> httpx.Client:
    """A client whose server has a namespace and a source."""
    source = {"type": "POSTGRESQL", "connectionUrl": "jdbc:postgresql://db/shop"}
    assert client.put(SPACE, json={"ownerName": "me"}).status_code == 200
    assert client.put(f"{V1}/sources/db", json=source).status_code == 200
    return client


def put(client: httpx.Client, path: str, body: dict[str, Any], **more: Any) -> Any:
    answer = client.put(path, json=body | more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_password_of_a_source_is_not_kept(client: httpx.Client) -> None:
    source = {"type": "POSTGRESQL", "connectionUrl": "postgresql://u:hidden@db/shop"}
    made = put(client, f"{V1}/sources/private", source)
    assert made["connectionUrl"] == "postgresql://***@db/shop"


def test_a_dataset_has_what_it_was_created_with(shop: httpx.Client) -> None:
    made = put(shop, TABLE, TABLE_BODY)
    assert made == shop.get(TABLE).json()
    for name in ("type", "physicalName", "sourceName", "description", "tags"):
        assert made[name] == TABLE_BODY[name]
    assert made["fields"] == [
        {"name": "id", "type": "int", "tags": [], "description": None},
        {"name": "email", "type": "text", "tags": ["PII"], "description": "Whose it is"},
    ]
    (event,) = shop.get(f"{V1}/events/lineage").json()["events"]
    assert event["dataset"]["facets"]["dataSource"]["uri"] == "jdbc:postgresql://db/shop"


def test_a_stream_says_where_its_schema_is(shop: httpx.Client) -> None:
    made = put(shop, TABLE, TABLE_BODY, type="STREAM", schemaLocation="https://schemas/orders")
    assert (made["type"], made["schemaLocation"]) == ("STREAM", "https://schemas/orders")


def test_a_job_has_what_it_was_created_with(shop: httpx.Client) -> None:
    put(shop, TABLE, TABLE_BODY)
    made = put(shop, JOB, JOB_BODY, tags=["nightly"])
    assert made == shop.get(JOB).json()
    for name in ("type", "location", "description", "outputs"):
        assert made[name] == JOB_BODY[name]
    assert (made["tags"], made["latestRun"]) == (["nightly"], None)
    assert made["facets"]["sql"]["query"] == "SELECT 1"
    again = put(shop, JOB, JOB_BODY, type="SERVICE", description="Serves")
    assert (again["type"], again["description"]) == ("SERVICE", "Serves")
    assert shop.get(f"{V1}/jobs").json()["totalCount"] == 1


def test_a_run_is_new_until_it_starts_and_then_goes_as_it_is_told(shop: httpx.Client) -> None:
    put(shop, JOB, JOB_BODY, outputs=[])
    times = {"nominalStartTime": "2026-03-02T10:00:00Z", "nominalEndTime": "2026-03-02T11:00:00Z"}
    created = shop.post(f"{JOB}/runs", json={"args": {"region": "UK"}, **times})
    run = created.json()
    assert created.status_code == 201
    assert created.headers["location"] == f"{V1}/jobs/runs/{run['id']}"
    assert (run["state"], run["startedAt"], run["args"]) == ("NEW", None, {"region": "UK"})
    assert {name: run[name] for name in times} == times
    path = created.headers["location"]
    started = shop.post(f"{path}/start?at=2026-03-02T12:00:00.000000Z").json()
    assert (started["state"], started["startedAt"]) == ("RUNNING", "2026-03-02T12:00:00Z")
    ended = shop.post(f"{path}/complete?at=2026-03-02T12:00:30%2B00:00").json()
    assert (ended["state"], ended["durationMs"]) == ("COMPLETED", 30_000)
    assert shop.get(JOB).json()["latestRun"]["id"] == run["id"]


@pytest.mark.parametrize(("mark", "state"), [("fail", "FAILED"), ("abort", "ABORTED")])
def test_a_run_can_end_badly(shop: httpx.Client, mark: str, state: str) -> None:
    put(shop, JOB, JOB_BODY, outputs=[])
    path = shop.post(f"{JOB}/runs", json={}).headers["location"]
    assert shop.post(f"{path}/{mark}").json()["state"] == state


def test_what_a_run_wrote_is_an_output_of_it_and_of_its_job(shop: httpx.Client) -> None:
    put(shop, JOB, JOB_BODY, outputs=[])
    path = shop.post(f"{JOB}/runs", json={}).headers["location"]
    put(shop, TABLE, TABLE_BODY, runId=path.rpartition("/")[2])
    run = shop.post(f"{path}/complete").json()
    (written,) = run["outputDatasetVersions"]
    assert written["datasetVersionId"]["name"] == "orders"
    assert shop.get(JOB).json()["outputs"] == JOB_BODY["outputs"]


def test_inputs_and_outputs_of_a_job_can_be_those_of_a_run(shop: httpx.Client) -> None:
    put(shop, TABLE, TABLE_BODY)
    put(shop, JOB, JOB_BODY, outputs=[])
    run = shop.post(f"{JOB}/runs", json={}).json()["id"]
    put(shop, JOB, JOB_BODY, outputs=[], inputs=JOB_BODY["outputs"], runId=run)
    (read,) = shop.get(f"{V1}/jobs/runs/{run}").json()["inputDatasetVersions"]
    assert read["datasetVersionId"]["name"] == "orders"


def test_a_run_id_is_used_once(shop: httpx.Client) -> None:
    put(shop, JOB, JOB_BODY, outputs=[])
    body = {"id": "01998a3e-0000-7000-8000-000000000001"}
    assert shop.post(f"{JOB}/runs", json=body).json()["id"] == body["id"]
    again = shop.post(f"{JOB}/runs", json=body)
    assert (again.status_code, again.json()["path"]) == (409, "id")


def test_what_does_not_exist_is_not_written_to(shop: httpx.Client) -> None:
    missing = "01998a3e-0000-7000-8000-000000000002"
    nowhere = f"{V1}/namespaces/nowhere"
    refused = [
        shop.put(f"{nowhere}/datasets/orders", json=TABLE_BODY),
        shop.put(f"{nowhere}/jobs/etl", json=JOB_BODY | {"outputs": []}),
        shop.put(TABLE, json=TABLE_BODY | {"sourceName": "none"}),
        shop.put(TABLE, json=TABLE_BODY | {"runId": missing}),
        shop.put(JOB, json=JOB_BODY),
        shop.put(JOB, json=JOB_BODY | {"outputs": [], "runId": missing}),
        shop.post(f"{JOB}/runs", json={}),
        shop.post(f"{V1}/jobs/runs/{missing}/start"),
    ]
    assert [answer.status_code for answer in refused] == [404] * len(refused)
    assert shop.get(f"{V1}/events").json()["totalCount"] == 0


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (TABLE, {"type": "DB_TABLE"}),
        (TABLE, TABLE_BODY | {"type": "VIEW"}),
        (TABLE, TABLE_BODY | {"fields": [{"type": "int"}]}),
        (TABLE, TABLE_BODY | {"tags": ["x" * 501]}),
        (TABLE, TABLE_BODY | {"fields": [{"name": "id", "tags": [""]}]}),
        (JOB, JOB_BODY | {"type": "ODD"}),
        (JOB, JOB_BODY | {"inputs": [{"name": "x"}]}),
        (JOB.replace("etl", "x" * 2001), JOB_BODY),
        (f"{V1}/sources/db", {"type": "KAFKA"}),
    ],
)
def test_bodies_that_do_not_fit_are_refused(
    shop: httpx.Client, path: str, body: dict[str, Any]
) -> None:
    assert shop.put(path, json=body).status_code == 400


def test_a_body_is_as_long_and_packed_as_those_of_events_are(serve: Serve) -> None:
    client = serve(max_body_bytes=100)
    assert client.put(SPACE, json={"ownerName": "x" * 100}).status_code == 413
    packed = client.put(SPACE, content=b"{}", headers={"Content-Encoding": "br"})
    assert packed.status_code == 415
    unpacked = gzip.compress(b'{"ownerName": "me"}')
    encoded = {"Content-Encoding": "gzip"}
    assert client.put(SPACE, content=unpacked, headers=encoded).status_code == 200


def test_a_time_that_is_none_is_refused(shop: httpx.Client) -> None:
    put(shop, JOB, JOB_BODY, outputs=[])
    path = shop.post(f"{JOB}/runs", json={}).headers["location"]
    for at in ("now", "2026-13-01", "0001-01-01T00:00:00%2B14:00"):
        assert shop.post(f"{path}/start?at={at}").status_code == 400
    assert shop.get(path).json()["state"] == "NEW"


def test_a_run_below_another_job_is_written_under_its_own_name(
    shop: httpx.Client, tell: Teller
) -> None:
    dag = tell.run("dag", namespace="shop")
    child = tell.run("app", namespace="spark", under=dag, event_type="START")
    ended = shop.post(f"{V1}/jobs/runs/{child[0]}/complete").json()
    assert (ended["job"], ended["parentRunId"]) == (
        {"namespace": "shop", "name": "dag.app"},
        dag[0],
    )
    path = f"{SPACE}/jobs/dag.app/runs"
    led = shop.post(f"{V1}/namespaces/spark/jobs/app/runs", json={})
    assert (led.status_code, led.headers["location"]) == (308, path)
    assert shop.post(path, json={}).json()["job"]["name"] == "dag.app"
    assert shop.get(path).json()["totalCount"] == 2


def test_a_run_of_a_job_that_is_served_under_its_own_namespace(serve: Serve, tell: Teller) -> None:
    tell.run("app", namespace="spark", under=tell.run("dag", namespace="shop"))
    client = serve(inherit_namespace=False)
    made = client.post(f"{V1}/namespaces/spark/jobs/dag.app/runs", json={})
    assert made.json()["job"] == {"namespace": "spark", "name": "dag.app"}


def test_sources_are_those_that_were_created_and_those_that_datasets_name(
    shop: httpx.Client, tell: Teller
) -> None:
    tell.run("job", outputs=("plain",))
    for uri, at in (("s3://old", "2026-03-01"), ("s3://new", "2026-03-02")):
        tell.tell(
            {
                "eventTime": f"{at}T00:00:00Z",
                "run": {"runId": "01998a3e-0000-7000-8000-00000000000" + at[-1]},
                "job": {"namespace": "default", "name": "job"},
                "outputs": [
                    {
                        "namespace": "lake",
                        "name": uri,
                        "facets": {"dataSource": {"name": "lake", "uri": uri}},
                    }
                ],
            }
        )
    page = shop.get(f"{V1}/sources").json()
    said = [(one["name"], one["type"], one["connectionUrl"]) for one in page["sources"]]
    assert said == [
        ("db", "POSTGRESQL", "jdbc:postgresql://db/shop"),
        ("default", "UNKNOWN", ""),
        ("lake", "S3", "s3://new"),
    ]
    assert page["totalCount"] == 3
    lake = shop.get(f"{V1}/sources/lake").json()
    assert lake["createdAt"] == "2026-03-01T00:00:00Z"
    assert shop.get(f"{V1}/sources?limit=1&offset=1").json()["sources"][0]["name"] == "default"
    assert shop.get(f"{V1}/sources/none").status_code == 404


def test_events_are_listed_by_namespace(shop: httpx.Client, tell: Teller) -> None:
    tell.run("a", namespace="one", outputs=("x",))
    tell.run("b", namespace="two")
    assert shop.get(f"{V1}/events").json()["totalCount"] == 2
    (event,) = shop.get(f"{V1}/events/one?limit=5").json()["events"]
    assert event["job"]["name"] == "a"
    assert shop.get(f"{V1}/events/lake").json()["totalCount"] == 1
    assert shop.get(f"{V1}/events/on").json()["totalCount"] == 0
