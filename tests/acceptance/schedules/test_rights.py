"""Schedules need `operate` where they are, and `read` where they look."""

from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.admin.tokens import revoke_token
from lineagegraph.errors import NameTaken
from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.settings import load_settings
from tests.acceptance.schedules.conftest import APP, Admit, schedule, status
from tests.events import run_event

NIGHTLY = f"{APP}/schedules/nightly"


def lacks(answer: httpx.Response, role: str, namespace: str) -> bool:
    said = answer.json()["error"]
    return answer.status_code == 403 and f"no role {role!r} on namespace {namespace!r}" in said


def test_who_only_reads_or_writes_changes_no_schedule(admitted: Admit) -> None:
    client = admitted("all", read="*", write="*", operate="money")
    for answer in (
        client.put(NIGHTLY, json=schedule()),
        client.post(f"{NIGHTLY}/update", json={}),
        client.post(f"{NIGHTLY}/enable"),
        client.delete(NIGHTLY),
        client.put("/v3/namespaces/default/schedules/re-enable"),
    ):
        assert lacks(answer, "operate", "default")


def test_who_operates_reads_nothing_with_that(admitted: Admit) -> None:
    client = admitted("ops", operate="default")
    assert lacks(client.get(NIGHTLY), "read", "default")
    asked = client.post("/v3/namespaces/default/nextruntime", json=[])
    assert lacks(asked, "read", "default")


PAID = {"on": "status", "job": "pay", "namespace": "money", "statuses": ["COMPLETED"]}
LOOKING = [
    (status("pay", namespace="money", application="bank"), "money"),
    ({"type": "OR", "triggers": [status("load"), PAID]}, "money"),
    (
        {"on": "and", "operands": [{"on": "event", "name": "x"}, {"on": "not", "operand": PAID}]},
        "money",
    ),
    ({"when": {"on": "absent", "of": PAID, "for": "1h"}}, "money"),
    ({"on": "dataset", "namespace": "lake", "name": "orders"}, "lake"),
    (
        {
            "on": "sensor",
            "kind": "run",
            "fields": {"namespace": "money", "job": "pay", "since": "any"},
        },
        "money",
    ),
]


def test_what_a_trigger_looks_at_must_be_readable(admitted: Admit) -> None:
    near = admitted("near", read="default", operate="default")
    far = admitted("far", read="default money lake", operate="default")
    assert near.put(NIGHTLY, json=schedule()).status_code == 200
    for number, (trigger, namespace) in enumerate(LOOKING):
        path, said = f"{APP}/schedules/{number}", schedule(trigger=trigger)
        assert lacks(near.put(path, json=said), "read", namespace), trigger
        assert near.get(path).status_code == 404
        assert lacks(near.post(f"{NIGHTLY}/update", json={"trigger": trigger}), "read", namespace)
        assert far.put(path, json=said).status_code == 200, trigger


def test_a_schedule_has_the_rights_of_who_stated_its_trigger_last_which_the_audit_log_shows(
    admitted: Admit, graph: Graph
) -> None:
    first = admitted("first", read="default", operate="default")
    second = admitted("second", read="default", operate="default")
    assert first.put(NIGHTLY, json=schedule()).status_code == 200
    same = {"trigger": schedule()["trigger"]}
    assert second.post(f"{NIGHTLY}/update", json=same).status_code == 200
    text = "MATCH (a:AuditEntry {action: 'schedule.set'}) RETURN a.actor AS actor ORDER BY a.at"
    actors = [row["actor"] for row in graph.query(text)]
    assert actors == ["token:first", "token:second"]
    # Nothing is changed by the same author again.
    assert second.post(f"{NIGHTLY}/update", json=same).status_code == 200
    assert len(graph.query(text)) == 2


def test_who_watches_a_run_by_its_id_may_read_all(admitted: Admit) -> None:
    far = admitted("far", read="default money", operate="default")
    said = schedule(trigger={"on": "sensor", "kind": "run", "fields": {"run_id": new_id()}})
    refused = far.put(NIGHTLY, json=said)
    assert (refused.status_code, "on all namespaces" in refused.json()["error"]) == (403, True)


def test_what_lies_upstream_may_be_anywhere(admitted: Admit) -> None:
    far = admitted("far", read="default money", operate="default")
    boss = admitted("boss", read="*", operate="*")
    said = schedule(trigger={"on": "upstream", "hops": 2, "statuses": ["FAILED"]})
    refused = far.put(NIGHTLY, json=said)
    assert refused.status_code == 403
    assert "on all namespaces" in refused.json()["error"]
    assert boss.put(NIGHTLY, json=said).status_code == 200


def test_a_program_sets_off_what_its_reader_may_see(admitted: Admit) -> None:
    boss = admitted("boss", read="*", operate="*")
    shop, money = admitted("shop", read="default"), admitted("money", read="money")
    bank = {"program": {"programName": "pay"}, "trigger": status("load")}
    assert boss.put("/v3/namespaces/money/apps/bank/schedules/x", json=bank).status_code == 200
    assert boss.put(NIGHTLY, json=schedule()).status_code == 200
    query = {
        "trigger-namespace-id": "default",
        "trigger-app-name": "shop",
        "trigger-program-type": "workflow",
        "trigger-program-name": "load",
    }
    path = "/v3/namespaces/{}/schedules/trigger-type/program-status"
    assert [one["name"] for one in boss.get(path.format("default"), params=query).json()] == [
        "nightly",
        "x",
    ]
    assert [one["name"] for one in shop.get(path.format("default"), params=query).json()] == [
        "nightly"
    ]
    assert lacks(money.get(path.format("money"), params=query), "read", "default")


def test_what_a_token_may_no_longer_read_sets_nothing_off(admitted: Admit, projects: Graph) -> None:
    def fired() -> list[Any]:
        return projects.query(
            "MATCH (f:Firing) RETURN f.state AS state, f.kept_back AS why ORDER BY f.fired_at"
        )

    boss = admitted("boss", read="*", write="*", operate="*")
    bank = schedule(trigger=status("pay", namespace="money", application="bank"))
    assert boss.put(NIGHTLY, json=bank).status_code == 200
    assert boss.post(f"{NIGHTLY}/update", json={"description": "x"}).status_code == 200
    boss.post(f"{NIGHTLY}/enable")
    boss.post("/api/v1/lineage", json=run_event("pay", namespace="money"))
    (first,) = fired()
    assert first["why"] is None
    projects.query("MATCH (t:Token {name: 'boss'}) SET t.read = ['default']", write=True)
    boss.post("/api/v1/lineage", json=run_event("pay", namespace="money"))
    (_, second) = fired()
    assert second == {"state": "ABORTED", "why": "token boss may not read namespace money"}


@pytest.mark.parametrize(
    "change",
    ["DELETE t", "SET t.operate = ['money']", "SET t.expires_at = datetime('2026-01-01T00:00Z')"],
)
def test_a_schedule_of_a_token_that_may_no_longer_operate_sets_nothing_off(
    admitted: Admit, client: httpx.Client, projects: Graph, change: str
) -> None:
    boss = admitted("boss", read="*", operate="*")
    assert boss.put(NIGHTLY, json=schedule(trigger=status("load"))).status_code == 200
    boss.post(f"{NIGHTLY}/enable")
    projects.query(f"MATCH (t:Token {{name: 'boss'}}) {change}", write=True)
    client.post("/api/v1/lineage", json=run_event("load"))
    (fired,) = projects.query("MATCH (f:Firing) RETURN f.state AS state, f.kept_back AS why")
    assert fired == {"state": "ABORTED", "why": "token boss may not operate in namespace default"}


def test_schedules_are_not_left_to_another_token_of_the_same_name(
    admitted: Admit, projects: Graph
) -> None:
    boss, other = admitted("boss", read="*", operate="*"), admitted("other", operate="*")
    assert boss.put(NIGHTLY, json=schedule(trigger=status("load"))).status_code == 200
    revoke_token(projects, "boss")
    with pytest.raises(NameTaken, match="left schedules: choose"):
        admitted("boss", operate="*")
    assert other.delete(NIGHTLY).status_code == 200
    admitted("boss", operate="*")


def test_a_sensor_of_a_token_pokes_nothing_that_the_settings_do_not_name(
    admitted: Admit, client: httpx.Client, projects: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss = admitted("boss", read="*", operate="*")
    sensor = {"on": "sensor", "kind": "file", "fields": {"path": "/data/x", "confined": False}}
    said = schedule(trigger={"on": "or", "operands": [sensor, {"on": "event", "name": "x"}]})
    refused = boss.put(NIGHTLY, json=said)
    assert (refused.status_code, "setting sensor_roots" in refused.text) == (400, True)
    monkeypatch.setenv("LINEAGEGRAPH_SENSOR_ROOTS", '["/data"]')
    load_settings.cache_clear()
    assert boss.put(NIGHTLY, json=said).status_code == 200
    # Without a token another member is changed: the sensor stays a token's.
    assert client.post(f"{NIGHTLY}/update", json={"description": "waits"}).status_code == 200
    (row,) = projects.query("MATCH (s:Sensor {kind: 'file'}) RETURN s.fields AS fields")
    assert '"confined":true' in row["fields"]
