"""Nobody learns by waiting for a run what they may not read."""

from pathlib import Path

import httpx2 as httpx
import pytest

from lineagegraph.admin.audit import AuditFilter, list_entries
from lineagegraph.admin.tokens import revoke_token
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.runs.ids import new_id
from lineagegraph.settings import load_settings
from tests.acceptance.access.conftest import Admit, Serve
from tests.events import run_event


def waits_for(client: httpx.Client, run_id: str) -> int:
    body = {"kind": "run", "fields": {"run_id": run_id}, "namespace": "shop"}
    return client.post("/api/v1/sensors/waits", json=body).status_code


def ended(graph: Graph, namespace: str) -> str:
    run_id = new_id()
    graph.write(record, extract([run_event("load", run_id=run_id, namespace=namespace)]))
    return run_id


def test_a_run_is_waited_for_by_who_may_read_its_namespace(admit: Admit, graph: Graph) -> None:
    client = admit(operate="shop", read="shop")
    assert waits_for(client, ended(graph, "shop")) == 201
    assert waits_for(client, ended(graph, "bank")) == 403
    assert waits_for(client, new_id()) == 403


def test_a_run_that_is_not_known_yet_is_waited_for_by_who_reads_all(admit: Admit) -> None:
    assert waits_for(admit(operate="shop", read="*"), new_id()) == 201


def waiting(client: httpx.Client, kind: str, fields: dict[str, object]) -> httpx.Response:
    body = {"kind": kind, "fields": fields, "namespace": "shop"}
    return client.post("/api/v1/sensors/waits", json=body)


def test_a_token_makes_nothing_be_poked_that_the_settings_do_not_name(
    admit: Admit, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, dict[str, object]]] = [
        ("file", {"path": "/etc/shadow", "confined": False}),
        ("sql", {"url": f"sqlite:///{tmp_path}/x.db", "query": "SELECT 1"}),
        ("http", {"url": "http://127.0.0.1:9/x"}),
        ("partition", {"path": "/etc", "partition": "a=1"}),
    ]
    client = admit(operate="shop", read="shop")
    for kind, fields in asked:
        refused = waiting(client, kind, fields)
        assert (refused.status_code, "setting" in refused.json()["error"]) == (400, True), refused
    local = serve("127.0.0.1")
    assert waiting(local, "file", {"path": "/etc/shadow"}).status_code == 201
    monkeypatch.setenv("LINEAGEGRAPH_SENSOR_ROOTS", f'["{tmp_path}"]')
    load_settings.cache_clear()
    made = waiting(client, "file", {"path": f"{tmp_path}/x"})
    assert made.status_code == 201
    kept = client.get(f"/api/v1/sensors/waits/{made.json()['runId']}").json()
    assert kept["sensor"]["fields"]["confined"] is True


def test_a_wait_is_settled_by_hand_by_who_operates_its_namespace(
    admit: Admit, serve: Serve
) -> None:
    local, client = serve("127.0.0.1"), admit(operate="shop", read="*")
    shop, bank = (settle_path(local, namespace) for namespace in ("shop", "bank"))
    assert client.post(bank, json={"reason": "no"}).status_code == 403
    assert client.post(shop, json={"reason": " "}).status_code == 400

    done = client.post(shop, json={"reason": "it came by mail", "author": "ann"}).json()
    assert done["outcome"] == "success"
    assert done["message"].startswith("settled by ann by token ")
    assert done["message"].endswith(": it came by mail")
    assert client.post(shop, json={"reason": "again"}).status_code == 409


def settle_path(client: httpx.Client, namespace: str) -> str:
    body = {"kind": "time", "fields": {"at": "2099-01-01T00:00:00Z"}, "namespace": namespace}
    run_id = client.post("/api/v1/sensors/waits", json=body).json()["runId"]
    return f"/api/v1/sensors/waits/{run_id}/settle"


def test_a_cursor_is_set_by_who_operates_all_namespaces_and_a_repeated_request_changes_nothing(
    admit: Admit, serve: Serve, graph: Graph
) -> None:
    path = f"/api/v1/sensors/{made(serve('127.0.0.1'))}/cursor"
    client = admit(operate="shop", read="*")
    assert client.get(path).json()["cursor"] is None
    assert client.put(path, json={"cursor": 1}).status_code == 403
    assert client.delete(path).status_code == 403

    revoke_token(graph, "ci")
    client = admit(operate="*", read="shop")
    assert client.get(path).status_code == 403
    revoke_token(graph, "ci")
    client = admit(operate="*", read="*")
    found = [client.put(path, json={"cursor": {"day": "[1]"}}).json() for _ in range(2)]
    assert found[0] == found[1]
    assert client.get(path).json() == found[0]
    assert found[0]["cursor"] == {"day": "[1]"}
    assert [client.delete(path).status_code for _ in range(2)] == [204, 204]
    assert client.get(path).json() | {"sensor": ""} == {
        "sensor": "",
        "cursor": None,
        "cursorAt": None,
    }
    entries = list_entries(graph, AuditFilter(action="sensor.cursor"))
    assert [one.after for one in entries] == [
        '{"cursor":null}',
        '{"cursor":"{\\"day\\":\\"[1]\\"}"}',
    ]
    assert {one.actor for one in entries} == {"token:ci"}


@pytest.mark.parametrize("body", ['{"cursor": null}', "{}", '{"cursor": 1, "x": 2}', "[1"])
def test_what_is_no_cursor_is_refused(serve: Serve, body: str) -> None:
    client = serve("127.0.0.1")
    path = f"/api/v1/sensors/{made(client)}/cursor"
    headers = {"content-type": "application/json"}
    assert client.put(path, content=body, headers=headers).status_code == 400
    assert client.put(path, json={"cursor": "x" * 200_000}).status_code == 400
    assert client.put("/api/v1/sensors/0123/cursor", json={"cursor": 1}).status_code == 404


def made(client: httpx.Client) -> str:
    body = {"kind": "time", "fields": {"at": "2099-01-01T00:00:00Z"}, "namespace": "shop"}
    return str(client.post("/api/v1/sensors/waits", json=body).json()["sensor"]["id"])


def test_the_page_makes_nothing_be_poked_that_the_settings_do_not_name(
    admit: Admit, serve: Serve, graph: Graph
) -> None:
    graph.write(record, extract([run_event("report", namespace="shop")]))
    rule = {"when": {"on": "sensor", "kind": "file", "fields": {"path": "/etc/shadow"}}}
    asked = {"namespace": "shop", "starts": "report", "rule": rule, "is_new": True, "enabled": True}
    client = admit(operate="*", read="*")
    refused = client.post("/api/v1/views/trigger_panel/save", json=asked | {"name": "far"})
    assert (refused.status_code, "setting sensor_roots" in refused.json()["error"]) == (400, True)
    local = serve("127.0.0.1")
    saved = local.post("/api/v1/views/trigger_panel/save", json=asked | {"name": "near"})
    assert saved.status_code == 200
