"""Triggers and batches over HTTP, and who may use them."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from lineagegraph.graph import Graph
from lineagegraph.model.freshness.terms import TODAY
from lineagegraph.model.triggers.condition import And, OnEvent
from lineagegraph.model.triggers.trigger import Reset, Trigger
from lineagegraph.triggers.reset import reset_due
from lineagegraph.triggers.write import set_trigger
from tests.acceptance.access.conftest import Admit
from tests.definitions import NOTHING, daily, define
from tests.integration.scheduling.rules import say

ONE = "/api/v1/triggers/nightly"
BATCH = "/api/v1/batches/kpi"
BOTH = And(operands=(OnEvent(name="a"), OnEvent(name="b")))
NOON = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=30)


@pytest.fixture(autouse=True)
def trigger(graph: Graph) -> str:
    key = define(graph, replace(daily(), parameters=()))
    rule = Trigger(when=BOTH, reset=Reset(cron="0 0 * * *", zone="UTC"))
    return str(
        graph.write(
            set_trigger,
            rule,
            starts=key,
            name="nightly",
            namespace="default",
            enabled=True,
            origin="request",
            now=NOON,
        )
    )


def test_a_trigger_is_listed_shown_suspended_and_enabled(admit: Admit, trigger: str) -> None:
    client = admit(read="default", operate="default")
    (listed,) = client.get("/api/v1/triggers", params={"namespace": "default"}).json()["triggers"]
    assert (listed["id"], listed["starts"], listed["enabled"]) == (trigger, "daily", True)
    assert client.get("/api/v1/triggers").status_code == 403
    shown = client.get(ONE).json()
    assert [one["name"] for one in shown["rule"]["when"]["operands"]] == ["a", "b"]
    assert client.post(f"{ONE}/disable").json()["enabled"] is False
    assert client.post(f"{ONE}/enable").json()["enabled"] is True
    assert client.get("/api/v1/triggers/other").status_code == 404


def test_a_page_of_triggers_has_the_number_of_all_of_its_namespace(
    admit: Admit, graph: Graph
) -> None:
    graph.query(
        "MATCH (t:Trigger {name: 'nightly'})-[:STARTS]->(j) UNWIND range(1, 10010) AS n "
        "CREATE (:Trigger {id: 'more ' + n, name: 'more ' + n, enabled: false})-[:STARTS]->(j)",
        write=True,
    )
    client = admit(read="default")
    said = {"namespace": "default", "limit": 2, "offset": 10_009}
    page = client.get("/api/v1/triggers", params=said).json()
    assert page["totalCount"] == 10_011
    assert [one["name"] for one in page["triggers"]] == ["more 9999", "nightly"]


def test_readers_change_nothing_and_others_read_nothing(admit: Admit) -> None:
    reader = admit(read="default")
    assert reader.get(f"{ONE}/why").status_code == 200
    for verb in ("fire", "redrive", "enable", "disable"):
        assert reader.post(f"{ONE}/{verb}", json={}).status_code == 403
    assert reader.post(f"{BATCH}/submit", json={}).status_code == 403


def test_a_trigger_is_explained_as_it_stood_with_what_had_expired(
    admit: Admit, graph: Graph
) -> None:
    graph.write(say, "a", NOON + timedelta(minutes=1))
    midnight = (NOON + timedelta(days=1)).replace(hour=0, minute=0, second=0)
    graph.write(reset_due, now=midnight + timedelta(minutes=1))
    late = midnight + timedelta(minutes=2)
    graph.write(say, "a", late)
    graph.write(say, "b", late + timedelta(seconds=1))
    client = admit(read="default")

    def tree(at: datetime) -> dict[str, tuple[bool, list[str | None]]]:
        why = client.get(f"{ONE}/why", params={"at": at.isoformat()}).json()
        return {
            one["text"]: (one["isTrue"], [each["stale"] for each in one["happened"]])
            for one in why["cells"][0]["conditions"]
        }

    before = tree(NOON + timedelta(minutes=2))
    assert before["event a"] == (True, [None])
    assert before["event b"] == (False, [])
    is_true, (stale,) = tree(midnight + timedelta(seconds=90))["event a"]
    assert not is_true
    assert "expired at the reset" in str(stale)
    assert tree(late)["event a"][0]
    now = client.get(f"{ONE}/why").json()
    assert now["lastFiring"]["consumed"] or now["lastFiring"]["reason"]
    (fired,) = client.get(f"{ONE}/firings").json()["firings"]
    assert fired["state"] == "PENDING"


def test_firings_are_foreseen_up_to_a_limit(admit: Admit, graph: Graph) -> None:
    for number in range(3):
        for name in ("a", "b"):
            graph.write(say, name, NOON + timedelta(minutes=number))
    client = admit(read="default")
    found = client.get(f"{ONE}/preview", params={"days": 3, "limit": 2}).json()
    assert (found["totalCount"], len(found["firings"])) == (3, 2)
    assert client.get(f"{ONE}/preview", params={"days": 91}).status_code == 400


def test_a_trigger_is_fired_by_hand_and_the_audit_log_tells_who(admit: Admit, graph: Graph) -> None:
    graph.write(say, "a", NOON)
    client = admit(operate="default")
    fired = client.post(f"{ONE}/fire", json={"consume": True})
    assert fired.status_code == 201
    assert fired.json()["consumed"] == 1
    assert client.post(f"{ONE}/fire", json={"params": {"no": 1}}).status_code == 400
    assert client.post(f"{ONE}/redrive", json={}).json() == {"runs": []}
    rows = graph.query("MATCH (a:AuditEntry {action: 'trigger.fire'}) RETURN a.actor AS actor")
    assert len(rows) == 1


def test_a_repeated_request_fires_a_trigger_once(admit: Admit, graph: Graph) -> None:
    client, key = admit(operate="default"), {"Idempotency-Key": "one"}
    first, again = (client.post(f"{ONE}/fire", json={}, headers=key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["runId"] == again.json()["runId"]
    other = client.post(f"{ONE}/fire", json={"consume": True}, headers=key)
    assert other.status_code == 409
    start = "/api/v1/namespaces/default/jobs/daily/runs/start"
    assert client.post(start, json={}, headers=key).json()["runId"] != first.json()["runId"]
    (row,) = graph.query("MATCH (f:Firing) RETURN count(f) AS firings")
    assert row["firings"] == 1


def test_a_batch_is_submitted_shown_and_submitted_again(admit: Admit, graph: Graph) -> None:
    task = replace(NOTHING, freshness=TODAY)
    define(graph, replace(daily("kpi"), parameters=(), tasks=(task,), batch=True, partition_by=()))
    client = admit(read="default", operate="default")
    assert client.post(f"{BATCH}/restart").status_code == 400
    key = {"Idempotency-Key": "one"}
    first = client.post(f"{BATCH}/submit", json={"tasks": ["nothing"]}, headers=key)
    assert first.status_code == 201
    again = client.post(f"{BATCH}/submit", json={"tasks": ["nothing"]}, headers=key)
    assert (again.status_code, again.json()["runId"]) == (200, first.json()["runId"])
    restarted, repeated = (client.post(f"{BATCH}/restart", headers=key) for _ in range(2))
    assert restarted.status_code == 201, restarted.text
    assert (repeated.status_code, repeated.json()) == (200, restarted.json())
    rows = graph.query("MATCH (r:Run) WHERE r.launch = 'QUEUED' RETURN r.only AS only")
    assert [row["only"] for row in rows] == [["nothing"]] * 2
    # The last run of a batch, which a restart repeats, is another by now.
    given = {"params": '{"day":"friday"}'}
    graph.query("MATCH (r:Run) SET r.params = $params", given, write=True)
    repeated = client.post(f"{BATCH}/restart", headers=key)
    assert (repeated.status_code, repeated.json()) == (200, restarted.json())
    (shown,) = client.get(BATCH).json()["tasks"]
    assert (shown["name"], shown["freshness"], shown["runId"]) == ("nothing", "unknown", None)
    assert client.post(f"{BATCH}/submit", json={"version": "abcd"}).status_code == 400
    assert client.get("/api/v1/batches/daily").status_code == 404
