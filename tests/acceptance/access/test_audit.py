"""The audit log over HTTP: only admins read it, nothing changes it, and refusals leave no entry."""

import json

import pytest

from lineagegraph.admin.audit import AuditFilter, list_entries
from lineagegraph.graph import Graph
from tests.acceptance.access.conftest import Admit, Serve
from tests.acceptance.marquez.operations import list_operations

AUDIT = "/api/v1/audit"
MANY = """
UNWIND range(1, 2500) AS number
CREATE (:AuditEntry {
  id: toString(randomUUID()), key: 'k', name: 'n', thing: 'skip', actor: 'daemon',
  action: 'skip.add', at: datetime('2026-01-01T00:00:00Z') + duration({seconds: number / 900})
})
"""


def test_admins_of_all_namespaces_read_it_and_no_other_role_does(admit: Admit) -> None:
    assert admit(read="*", write="*", operate="*", admin="shop").get(AUDIT).status_code == 403


def test_nothing_changes_it(admit: Admit) -> None:
    client = admit(read="*", write="*", operate="*", admin="*")
    client.event_hooks = {}  # the document has no other method to compare with
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert client.request(method, AUDIT, json={}).status_code == 405, method


def test_refused_requests_leave_no_entry(admit: Admit, graph: Graph) -> None:
    reader = admit(read="*", admin="*")
    known = len(list_entries(graph, AuditFilter()))
    for operation in list_operations():
        # A token may begin a session of its own.
        if operation.method != "get" and operation.path != "/api/v1/session":
            for sent in operation.requests():
                reader.request(sent.method, sent.path, params=sent.query, json=sent.body)
    assert len(list_entries(graph, AuditFilter())) == known


def test_an_entry_names_the_token_and_the_address(admit: Admit) -> None:
    client = admit(operate="*", admin="*")
    assert client.put("/api/v1/variables/rate", json={"value": {"x": 1}}).status_code == 200
    assert client.put("/api/v1/variables/rate", json={"value": None}).status_code == 400
    changed, added = client.get(AUDIT).json()["entries"]
    assert (changed["actor"], changed["address"]) == ("token:ci", "127.0.0.1")
    assert (changed["action"], changed["before"]) == ("variable.set", None)
    assert changed["after"] == {"value": {"x": 1}}
    assert (added["action"], added["name"]) == ("token.add", "ci")
    assert added["actor"].startswith("python:")
    shown = client.get(AUDIT, params={"thing": "rate", "sortDirection": "asc"}).json()
    assert (shown["entries"], shown["totalCount"]) == ([changed], 1)


@pytest.mark.parametrize(
    ("said", "address"), [("203.0.113.9", "203.0.113.9"), ("the office of ann", None)]
)
def test_the_address_that_a_proxy_passes_on_is_one_or_none(
    admit: Admit, said: str, address: str | None
) -> None:
    client, headers = admit(operate="*", admin="*"), {"X-Forwarded-For": said}
    sent = client.put("/api/v1/variables/rate", json={"value": 1}, headers=headers)
    assert sent.status_code == 200
    assert client.get(AUDIT).json()["entries"][0].get("address") == address


@pytest.mark.parametrize("way", [{"format": "ndjson"}, {}])
def test_all_entries_are_exported_as_lines_and_pages_are_not(
    serve: Serve, graph: Graph, way: dict[str, str]
) -> None:
    graph.query(MANY, write=True)
    client = serve("127.0.0.1")
    if not way:
        client.headers["Accept"] = "application/x-ndjson"
    lines = [json.loads(line) for line in client.get(AUDIT, params=way).text.splitlines()]
    assert len({line["id"] for line in lines}) == len(lines) == 2_500
    assert [line["at"] for line in lines] == sorted(line["at"] for line in lines)
    page = client.get(AUDIT, params={**way, "limit": 10, "offset": 5}).text.splitlines()
    newest = sorted(lines, key=lambda line: (line["at"], line["id"]), reverse=True)
    assert [json.loads(line) for line in page] == newest[5:15]
