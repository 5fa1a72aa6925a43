"""Who may mute jobs and pause all triggers over HTTP, and what the audit log has of it."""

from datetime import UTC, datetime, timedelta

import pytest

from lineagegraph.admin.audit import AuditFilter, list_entries
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.reactions.commit import commit
from tests.acceptance.access.conftest import Admit
from tests.definitions import daily, define
from tests.events import run_event

MUTES, PAUSE = "/api/v1/mutes", "/api/v1/pause"
ONE = f"{MUTES}/daily"
UNTIL = (datetime.now(UTC) + timedelta(days=1)).isoformat()
BODY = {"reason": "the vendor is down", "until": UNTIL, "author": "ann"}
PAST = "2020-01-01T00:00:00Z"


@pytest.fixture(autouse=True)
def pipeline(graph: Graph) -> None:
    define(graph, daily())


def audited(graph: Graph) -> list[tuple[str, str]]:
    found = list_entries(graph, AuditFilter(), limit=9)
    return [(one.action, one.actor) for one in found if one.actor == "token:ci"]


def test_operators_of_the_namespace_mute_and_unmute_a_job(admit: Admit, graph: Graph) -> None:
    client = admit(operate="default", read="default")
    muted = client.put(ONE, json=BODY).json()
    assert (muted["job"], muted["reason"]) == ("daily", "the vendor is down")
    assert muted["author"] == "ann by token ci"
    longer = client.put(ONE, json=BODY | {"reason": "still"}).json()
    assert client.get(MUTES, params={"namespace": "default"}).json()["mutes"] == [longer]
    assert client.get(MUTES).status_code == 403, "of all namespaces"
    assert client.delete(ONE).status_code == 204
    assert client.delete(ONE).status_code == 404
    assert client.put(f"{MUTES}/weekly", json=BODY).status_code == 404
    changes = [("job.mute", "token:ci")] * 2
    assert audited(graph) == [("job.unmute", "token:ci"), *changes]


def test_a_job_below_one_of_another_namespace_is_muted_by_its_own_operators(
    admit: Admit, graph: Graph
) -> None:
    parent, child = run_event("flow", "START"), run_event("step", "START", namespace="bank")
    above = {"namespace": "default", "name": "flow"}
    child["run"]["facets"]["parent"] = {"run": {"runId": parent["run"]["runId"]}, "job": above}
    graph.write(commit, extract([parent, child]))
    client, step = admit(operate="default"), f"{MUTES}/step?namespace=default"
    assert client.put(step, json=BODY).status_code == 403
    assert client.delete(step).status_code == 403


def test_readers_and_operators_of_other_namespaces_mute_nothing(admit: Admit) -> None:
    client = admit(read="*", operate="shop")
    assert client.get(MUTES).json()["mutes"] == []
    assert client.put(ONE, json=BODY).status_code == 403
    assert client.delete(ONE).status_code == 403
    assert client.put(ONE, params={"namespace": "shop"}, json=BODY).status_code == 404


def test_operators_of_all_namespaces_pause_and_resume(admit: Admit, graph: Graph) -> None:
    client = admit(operate="*", read="*")
    assert client.get(PAUSE).json() == {"pause": None}
    paused = client.put(PAUSE, json=BODY).json()["pause"]
    assert (paused["reason"], paused["author"]) == ("the vendor is down", "ann by token ci")
    assert client.get(PAUSE).json()["pause"] == paused
    endless = client.put(PAUSE, json={"reason": "stop"}).json()["pause"]
    assert (endless["until"], endless["since"]) == (None, paused["since"])
    assert client.delete(PAUSE).status_code == 204
    assert client.delete(PAUSE).status_code == 404
    changes = [("triggers.pause", "token:ci")] * 2
    assert audited(graph) == [("triggers.resume", "token:ci"), *changes]


def test_nobody_else_pauses_or_resumes(admit: Admit) -> None:
    client = admit(read="*", write="*", operate="default")
    assert client.put(PAUSE, json=BODY).status_code == 403
    assert client.delete(PAUSE).status_code == 403


@pytest.mark.parametrize(
    "wrong", [{"reason": ""}, {"reason": " "}, {"until": PAST}, {"until": "soon"}, {"for": "3d"}]
)
def test_what_cannot_be_is_refused_in_one_line(admit: Admit, wrong: dict[str, str]) -> None:
    client = admit(operate="*")
    for path in (ONE, PAUSE):
        refused = client.put(path, json=BODY | wrong)
        assert refused.status_code == 400, refused.text
        assert "\n" not in refused.json()["error"]
