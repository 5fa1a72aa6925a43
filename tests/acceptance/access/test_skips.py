"""Who may look at the skip list, and who may change it."""

import httpx2 as httpx
import pytest

from lineagegraph.admin.tokens import add_token
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.access import Role
from lineagegraph.reactions.commit import commit
from tests.acceptance.access.conftest import Admit, Serve
from tests.definitions import daily, define
from tests.events import run_event

SKIPS = "/api/v1/skips"
BODY = {"job": "daily", "reason": "broken", "author": "ann"}


@pytest.fixture(autouse=True)
def pipeline(graph: Graph) -> None:
    define(graph, daily())


def test_operators_of_the_namespace_change_and_sign_with_their_token(admit: Admit) -> None:
    client = admit(operate="default", read="default")
    added = client.post(SKIPS, json=BODY).json()
    assert added["author"] == "ann by token ci"
    one = f"{SKIPS}/{added['id']}"
    assert client.get(one).json() == added
    assert client.get(SKIPS, params={"namespace": "default"}).json()["skips"] == [added]
    assert client.get(SKIPS).status_code == 403
    removed = client.delete(one).json()
    assert (removed["state"], removed["removedBy"]) == ("REMOVED", "token ci")
    assert client.delete(one).status_code == 404


def test_readers_look_and_operators_of_other_namespaces_do_nothing(
    admit: Admit, graph: Graph
) -> None:
    reader = admit(read="*")
    assert reader.get(SKIPS).status_code == 200
    assert reader.post(SKIPS, json=BODY).status_code == 403
    other = httpx.Client(base_url=reader.base_url, headers=reader.headers)
    assert other.post(SKIPS, json={**BODY, "namespace": "shop"}).status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"job": "daily"},
        {**BODY, "reason": ""},
        {**BODY, "forSeconds": -1},
        {**BODY, "forSeconds": 1e300},
        {**BODY, "until": "2020-01-01T00:00:00Z"},
        {**BODY, "until": "2990-01-01T00:00:00"},
        {**BODY, "forSeconds": 60, "until": "2990-01-01T00:00:00Z"},
        {**BODY, "for": "3d"},
    ],
)
def test_what_cannot_be_is_refused_in_one_line(admit: Admit, body: object) -> None:
    refused = admit(operate="default").post(SKIPS, json=body)
    assert refused.status_code == 400
    assert "\n" not in refused.json()["error"]


def test_a_job_that_nobody_knows_is_no_entry(admit: Admit) -> None:
    client = admit(operate="default", read="default")
    assert client.post(SKIPS, json={**BODY, "job": "weekly"}).status_code == 404


def test_a_token_of_the_longest_name_signs_for_an_author_of_the_longest_name(
    serve: Serve, graph: Graph
) -> None:
    name, author = "n" * 200, "a" * 100
    token = add_token(graph, name, {Role.OPERATE: frozenset({"*"})})
    client = serve()
    client.headers["Authorization"] = f"Bearer {token}"
    added = client.post(SKIPS, json=BODY | {"author": author})
    assert added.json()["author"] == f"{author} by token {name}"


def test_only_who_may_remove_an_entry_of_a_job_may_add_it(admit: Admit, graph: Graph) -> None:
    parent, child = run_event("flow", "START"), run_event("step", "START", namespace="bank")
    above = {"namespace": "default", "name": "flow"}
    child["run"]["facets"]["parent"] = {"run": {"runId": parent["run"]["runId"]}, "job": above}
    graph.write(commit, extract([parent, child]))
    client = admit(operate="default")
    asked = BODY | {"job": "step", "namespace": "default"}
    assert client.post(SKIPS, json=asked).status_code == 403
