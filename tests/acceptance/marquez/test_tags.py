"""Tags that are made, attached to jobs, datasets and columns, and taken off again."""

from typing import Any

import httpx2 as httpx

from tests.acceptance.marquez.conftest import Teller
from tests.events import run_event

V1 = "/api/v1"
JOB = f"{V1}/namespaces/default/jobs/etl"
TABLE = f"{V1}/namespaces/lake/datasets/orders"


def tell_of_a_table(tell: Teller, **facets: Any) -> None:
    event = run_event("etl", outputs=(("lake", "orders"),))
    fields = [{"name": "email", "type": "text"}, {"name": "amount", "type": "int"}]
    event["outputs"][0]["facets"] = {"schema": {"fields": fields}, **facets}
    tell.tell(event)


def tags_of_columns(dataset: dict[str, Any]) -> dict[str, list[str]]:
    return {field["name"]: field["tags"] for field in dataset["fields"]}


def test_a_tag_is_made_described_and_listed_by_name(client: httpx.Client) -> None:
    for name in ("b", "a/c", "B"):
        made = client.put(f"{V1}/tags/{name.replace('/', '%2F')}", json={"description": f"{name}?"})
        assert made.json() == {"name": name, "description": f"{name}?"}
    assert client.put(f"{V1}/tags/b").json() == {"name": "b", "description": "b?"}
    assert client.put(f"{V1}/tags/b", json={"description": "new"}).status_code == 200
    page = client.get(f"{V1}/tags?limit=2&offset=1").json()
    assert [tag["name"] for tag in page["tags"]] == ["a/c", "b"]
    assert (page["tags"][1]["description"], page["totalCount"]) == ("new", 3)


def test_descriptions_of_tags_and_namespaces_have_no_logins(client: httpx.Client) -> None:
    said = "see https://me:hunter2@wiki.example.org/x"
    for path in ("tags/gold", "namespaces/shop"):
        made = client.put(f"{V1}/{path}", json={"ownerName": "me", "description": said})
        if made.status_code == 400:
            made = client.put(f"{V1}/{path}", json={"description": said})
        assert "hunter2" not in made.text
        assert "wiki.example.org" in made.text


def test_attaching_a_tag_makes_it_and_shows_wherever_the_thing_does(
    client: httpx.Client, tell: Teller
) -> None:
    tell_of_a_table(tell)
    assert client.post(f"{JOB}/tags/gold").json()["tags"] == ["gold"]
    assert client.post(f"{TABLE}/tags/gold").json()["tags"] == ["gold"]
    assert client.post(f"{TABLE}/tags/EU").json()["tags"] == ["EU", "gold"]
    tagged = client.post(f"{TABLE}/fields/email/tags/PII").json()
    assert tags_of_columns(tagged) == {"email": ["PII"], "amount": []}
    assert client.get(f"{V1}/jobs").json()["jobs"][0]["tags"] == ["gold"]
    (listed,) = client.get(f"{V1}/namespaces/lake/datasets").json()["datasets"]
    assert (listed["tags"], tags_of_columns(listed)["email"]) == (["EU", "gold"], ["PII"])
    nodes = client.get(f"{V1}/lineage?nodeId=job:default:etl").json()["graph"]
    assert {node["id"]: node["data"]["tags"] for node in nodes} == {
        "job:default:etl": ["gold"],
        "dataset:lake:orders": ["EU", "gold"],
    }
    made = [tag["name"] for tag in client.get(f"{V1}/tags").json()["tags"]]
    assert made == ["EU", "PII", "gold"]


def test_taking_a_tag_off_leaves_the_tag_and_does_no_harm_twice(
    client: httpx.Client, tell: Teller
) -> None:
    tell_of_a_table(tell)
    for path in (JOB, TABLE, f"{TABLE}/fields/email"):
        client.post(f"{path}/tags/x")
        for _ in range(2):
            assert client.delete(f"{path}/tags/x").json()["tags"] == []
    assert tags_of_columns(client.get(TABLE).json()) == {"email": [], "amount": []}
    assert client.get(f"{V1}/tags").json()["totalCount"] == 1


def test_only_what_there_is_takes_tags(client: httpx.Client, tell: Teller) -> None:
    tell_of_a_table(tell)
    for path in (f"{JOB}x", f"{TABLE}x", f"{TABLE}/fields/phone"):
        assert client.post(f"{path}/tags/x").status_code == 404
        assert client.delete(f"{path}/tags/x").status_code == 404
    assert client.post(f"{TABLE}/tags/{'x' * 2001}").status_code == 400
    assert client.put(f"{V1}/tags/x", json=[]).status_code == 400
    assert client.get(f"{V1}/tags").json()["totalCount"] == 0


def test_what_facets_say_is_shown_beside_what_was_attached(
    client: httpx.Client, tell: Teller
) -> None:
    said = [{"key": "team", "value": "growth"}, {"key": "gold", "value": "true"}]
    column = {"key": "PII", "value": "true", "field": "email"}
    tell_of_a_table(tell, tags={"tags": [*said, column]})
    table = client.post(f"{TABLE}/tags/EU").json()
    assert table["tags"] == ["EU", "gold", "team:growth"]
    assert tags_of_columns(table) == {"email": ["PII"], "amount": []}
    # What an event says, only an event takes back.
    assert client.delete(f"{TABLE}/tags/gold").json()["tags"] == ["EU", "gold", "team:growth"]


def test_a_job_is_tagged_under_all_its_names(client: httpx.Client, tell: Teller) -> None:
    tell.run("app", namespace="spark", under=tell.run("dag", namespace="airflow"))
    led = client.post(f"{V1}/namespaces/spark/jobs/app/tags/a%2Fb")
    assert led.status_code == 308
    assert led.headers["location"] == f"{V1}/namespaces/airflow/jobs/dag.app/tags/a%2Fb"
    assert client.post(led.headers["location"]).json()["tags"] == ["a/b"]


def test_tags_follow_the_runs_of_a_job_to_where_a_late_parent_puts_them(
    client: httpx.Client, tell: Teller
) -> None:
    app = tell.run("app", namespace="spark")
    assert client.post(f"{V1}/namespaces/spark/jobs/app/tags/gold").status_code == 200
    dag = tell.run("dag", namespace="airflow")
    tell.run("app", namespace="spark", under=dag, run_id=app[0])
    moved = client.get(f"{V1}/namespaces/airflow/jobs/dag.app").json()
    assert moved["tags"] == ["gold"]
    assert client.get(f"{V1}/jobs").json()["totalCount"] == 2


def derive(tell: Teller, job: str, out: str, *sources: tuple[str, str, str, bool]) -> None:
    """Report a job that makes column `c` of a table from columns of tables."""
    event = run_event(job, outputs=(("lake", out),))
    inputs = [
        {
            "namespace": "lake",
            "name": table,
            "field": field,
            "transformations": [{"type": kind, "subtype": "X", "masking": masking}],
        }
        for table, field, kind, masking in sources
    ]
    event["outputs"][0]["facets"] = {
        "schema": {"fields": [{"name": "c", "type": "text"}]},
        "columnLineage": {"fields": {"c": {"inputFields": inputs}}},
    }
    tell.tell(event)


def test_tagged_values_flow_to_columns_up_to_masking_and_around_cycles(
    client: httpx.Client, tell: Teller
) -> None:
    tell_of_a_table(tell)
    derive(tell, "near", "near", ("orders", "email", "DIRECT", False))
    derive(tell, "far", "far", ("near", "c", "DIRECT", False), ("far", "c", "DIRECT", False))
    derive(tell, "back", "near", ("far", "c", "DIRECT", False))
    derive(tell, "hash", "hashed", ("near", "c", "DIRECT", True))
    derive(tell, "join", "joined", ("near", "c", "INDIRECT", False))
    derive(tell, "clean", "clean", ("orders", "amount", "DIRECT", False))
    client.post(f"{TABLE}/fields/email/tags/PII")
    found = client.get(f"{V1}/tags/PII/flow").json()
    assert (found["tag"], found["cut"]) == ("PII", False)
    steps = [
        {"id": "datasetField:lake:orders:email", "job": None},
        {"id": "datasetField:lake:near:c", "job": "default:near"},
        {"id": "datasetField:lake:far:c", "job": "default:far"},
    ]
    assert [one["path"] for one in found["columns"]] == [steps[:2], steps]
    client.post(f"{TABLE}/tags/all")
    whole = client.get(f"{V1}/tags/all/flow").json()["columns"]
    assert [one["dataset"] for one in whole] == ["clean", "near", "far"]
    assert client.get(f"{V1}/tags/unknown/flow").status_code == 404


def test_the_tag_of_a_column_that_is_gone_is_taken_off(client: httpx.Client, tell: Teller) -> None:
    tell_of_a_table(tell)
    client.post(f"{TABLE}/fields/email/tags/PII")
    tagged = f"{V1}/datasets?tag=PII"
    assert client.get(tagged).json()["totalCount"] == 1
    tell_of_a_table(tell, schema={"fields": [{"name": "amount", "type": "int"}]})
    assert client.get(tagged).json()["totalCount"] == 0
    assert client.post(f"{TABLE}/fields/email/tags/PII").status_code == 404
    assert client.delete(f"{TABLE}/fields/email/tags/PII").status_code == 200
    tell_of_a_table(tell)
    assert tags_of_columns(client.get(TABLE).json()) == {"email": [], "amount": []}
