"""What Marquez's web UI writes: each answer is JSON, as the UI parses all of them."""

import httpx2 as httpx

from tests.acceptance.marquez.conftest import Teller
from tests.events import run_event

TAGS = [
    "/api/v1/namespaces/default/jobs/j/tags/PII",
    "/api/v1/namespaces/lake/datasets/d/tags/PII",
    "/api/v1/namespaces/lake/datasets/d/fields/id/tags/PII",
]


def test_tags_are_added_and_deleted(client: httpx.Client, tell: Teller) -> None:
    tell_of_a_table(tell)
    added = client.put("/api/v1/tags/PII", json={"description": "about people"})
    assert added.json()["name"] == "PII"
    assert client.get("/api/v1/tags").json()["tags"][0]["description"] == "about people"
    for path in TAGS:
        assert client.post(path).is_success
        assert client.post(path).json()["name"] in ("j", "d")
    dataset = client.get("/api/v1/namespaces/lake/datasets/d").json()
    assert dataset["tags"] == dataset["fields"][0]["tags"] == ["PII"]
    for path in TAGS:
        assert client.delete(path).json()["name"] in ("j", "d")
    assert client.get("/api/v1/namespaces/default/jobs/j").json()["tags"] == []


def test_what_is_deleted_is_answered_once_more_and_then_gone(
    client: httpx.Client, tell: Teller
) -> None:
    tell_of_a_table(tell)
    for path, name in (("default/jobs/j", "j"), ("lake/datasets/d", "d")):
        assert client.delete(f"/api/v1/namespaces/{path}").json()["name"] == name
        assert client.get(f"/api/v1/namespaces/{path}").status_code == 404
    assert client.get("/api/v1/jobs?limit=25&offset=0").json()["jobs"] == []


def tell_of_a_table(tell: Teller) -> None:
    event = run_event("j", outputs=(("lake", "d"),))
    event["outputs"][0]["facets"] = {"schema": {"fields": [{"name": "id", "type": "int"}]}}
    tell.tell(event)
