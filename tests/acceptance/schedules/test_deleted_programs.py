"""Rules that name a program follow when it is deleted."""

from typing import Any

import httpx2 as httpx

from lineagegraph.graph import Graph
from tests.acceptance.schedules.conftest import APP, Admit, schedule, status
from tests.events import run_event

LOAD = "/api/v1/namespaces/default/jobs/load"
PAID = status("pay", namespace="money", application="bank")


def make(client: httpx.Client, name: str, trigger: Any, program: str = "report") -> None:
    said = schedule(program={"programName": program}, trigger=trigger)
    assert client.put(f"{APP}/schedules/{name}", json=said).status_code == 200
    assert client.post(f"{APP}/schedules/{name}/enable").status_code == 200


def test_a_condition_on_it_leaves_an_or_and_takes_an_and_along(
    client: httpx.Client, projects: Graph
) -> None:
    make(client, "either", {"type": "OR", "triggers": [status("load"), PAID]})
    make(client, "both", {"type": "AND", "triggers": [status("load"), PAID]})
    make(client, "only", status("load", "FAILED"))
    make(client, "own", {"on": "event", "name": "ready"}, "load")
    make(client, "other", PAID)
    assert client.delete(LOAD).status_code == 200
    found = {one["name"]: one for one in client.get(f"{APP}/schedules").json()}
    assert sorted(found) == ["either", "other"]
    assert found["either"]["trigger"] == {"type": "OR", "triggers": [PAID]}
    assert found["either"]["status"] == "SCHEDULED"
    client.post("/api/v1/lineage", json=run_event("pay", namespace="money"))
    runs = projects.query("MATCH (r:Run {launch: 'QUEUED'}) RETURN r.name AS name")
    assert [run["name"] for run in runs] == ["report", "report"]


def test_a_program_that_was_deleted_is_neither_scheduled_nor_waited_for(
    client: httpx.Client, projects: Graph
) -> None:
    assert client.delete(LOAD).status_code == 200
    for program, trigger in (("load", PAID), ("report", status("load"))):
        said = schedule(program={"programName": program}, trigger=trigger)
        refused = client.put(f"{APP}/schedules/again", json=said)
        assert refused.status_code == 404
        assert "no pipeline 'load' in application" in refused.json()["error"]


def test_who_may_only_write_deletes_no_program_that_rules_name(admitted: Admit) -> None:
    boss = admitted("boss", read="*", write="*", operate="*")
    writer = admitted("writer", read="*", write="*")
    make(boss, "only", status("load"))
    refused = writer.delete(LOAD)
    assert refused.status_code == 403
    assert "no role 'operate' on namespace 'default'" in refused.json()["error"]
    assert boss.get(f"{APP}/schedules/only").status_code == 200
    whole = writer.delete("/api/v1/namespaces/default")
    assert whole.status_code == 403
    assert "no role 'operate' on namespace 'default'" in whole.json()["error"]
    assert writer.get(LOAD).status_code == 200
    assert boss.delete(LOAD).status_code == 200
    assert boss.get(f"{APP}/schedules/only").status_code == 404


def test_a_namespace_without_rules_is_deleted_by_who_may_write(
    admitted: Admit, projects: Graph
) -> None:
    boss = admitted("boss", read="*", write="*", operate="*")
    writer = admitted("writer", read="*", write="other")
    make(boss, "only", status("load"))
    assert boss.delete("/api/v1/namespaces/default").status_code == 200
    assert writer.put("/api/v1/namespaces/other", json={"ownerName": "me"}).status_code == 200
    assert writer.delete("/api/v1/namespaces/other").status_code == 200
