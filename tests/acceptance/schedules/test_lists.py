"""Schedules are found by application, program, type, status, and by what sets them off."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx

from tests.acceptance.schedules.conftest import APP, schedule, status

MONEY = "/v3/namespaces/money/apps/bank"
SET_OFF = "/v3/namespaces/default/schedules/trigger-type/program-status"
LOAD = {
    "trigger-namespace-id": "default",
    "trigger-app-name": "shop",
    "trigger-program-type": "workflows",
    "trigger-program-name": "load",
}
HOURLY = {"type": "TIME", "cronExpression": "30 * * * *"}


def make(client: httpx.Client, name: str, trigger: dict[str, Any], program: str = "report") -> None:
    said = schedule(program={"programName": program}, trigger=trigger)
    assert client.put(f"{APP}/schedules/{name}", json=said).status_code == 200


def names(client: httpx.Client, path: str, **query: str) -> list[str]:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return [one["name"] for one in answer.json()]


def make_some(client: httpx.Client) -> None:
    make(client, "all", {"type": "AND", "triggers": [HOURLY, status("load", "FAILING")]})
    make(client, "done", status("load"))
    make(client, "ready", {"on": "event", "name": "ready"})
    make(client, "tick", HOURLY, "load")
    client.post(f"{APP}/schedules/tick/enable")


def test_schedules_are_listed_by_application_program_type_and_status(client: httpx.Client) -> None:
    make_some(client)
    schedules = f"{APP}/schedules"
    assert names(client, schedules) == ["all", "done", "ready", "tick"]
    assert names(client, f"{APP}/versions/-SNAPSHOT/schedules") == ["all", "done", "ready", "tick"]
    assert names(client, f"{MONEY}/schedules") == []
    assert names(client, f"{APP}/workflows/report/schedules") == ["all", "done", "ready"]
    for type_, found in (("time", "tick"), ("program-status", "done"), ("event", "ready")):
        assert names(client, schedules, **{"trigger-type": type_}) == [found]
    assert names(client, schedules, **{"trigger-type": "AND"}) == ["all"]
    assert names(client, schedules, **{"schedule-status": "SCHEDULED"}) == ["tick"]
    both = {"schedule-status": "SUSPENDED", "trigger-type": "partition"}
    assert names(client, schedules, **both) == []
    for wrong in ({"trigger-type": "stream-size"}, {"schedule-status": "RUNNING"}):
        assert client.get(schedules, params=wrong).status_code == 400
    assert client.get(f"{APP}/workflows/reprot/schedules").status_code == 404


def test_a_program_tells_what_it_sets_off(client: httpx.Client) -> None:
    make_some(client)
    bank = {
        "program": {"programName": "pay"},
        "trigger": status("load", "KILLED", "COMPLETED"),
    }
    assert client.put(f"{MONEY}/schedules/abroad", json=bank).status_code == 200
    assert names(client, SET_OFF, **LOAD) == ["abroad", "all", "done"]
    for word in ("FAILED", "FAILING"):
        assert names(client, SET_OFF, **LOAD, **{"trigger-program-status": word}) == ["all"]
    two = {"trigger-program-statuses": "KILLED,FAILED"}
    assert names(client, SET_OFF, **LOAD, **two) == ["abroad", "all"]
    on = {"schedule-status": "SCHEDULED"}
    assert names(client, SET_OFF, **LOAD, **on) == []
    client.post(f"{APP}/schedules/done/enable")
    assert names(client, SET_OFF, **LOAD, **on) == ["done"]
    assert names(client, SET_OFF, **LOAD | {"trigger-program-name": "report"}) == []
    assert names(client, SET_OFF, **LOAD | {"trigger-app-name": "bank"}) == []
    client.delete(f"{APP}/schedules/done")
    assert names(client, SET_OFF, **LOAD) == ["abroad", "all"]


def test_a_question_that_means_nothing_is_400(client: httpx.Client) -> None:
    for missing in LOAD:
        rest = {name: text for name, text in LOAD.items() if name != missing}
        answer = client.get(SET_OFF, params=rest)
        assert answer.status_code == 400
        assert answer.json()["path"] == missing
    for wrong in (
        {"trigger-program-type": "service"},
        {"trigger-program-status": "RUNNING"},
        {"schedule-status": "ON"},
    ):
        assert client.get(SET_OFF, params=LOAD | wrong).status_code == 400


def test_run_times_are_those_of_the_enabled_schedules(client: httpx.Client) -> None:
    make(client, "tick", HOURLY)
    path = f"{APP}/workflows/report"
    assert client.get(f"{path}/nextruntime").json() == []
    client.post(f"{APP}/schedules/tick/enable")
    (next_,) = client.get(f"{path}/nextruntime").json()
    at = datetime.fromtimestamp(next_["time"] / 1000, UTC)
    assert (next_["id"], at.minute, at.second) == ("tick", 30, 0)
    assert timedelta(0) < at - datetime.now(UTC) <= timedelta(hours=1)
    assert client.get(f"{path}/previousruntime").json() == []
    assert client.get(f"{APP}/workflows/reprot/nextruntime").status_code == 404


def test_a_previous_time_is_not_before_a_schedule_was_enabled(
    client: httpx.Client, projects: Any
) -> None:
    make(client, "tick", HOURLY)
    make(client, "beat", {"on": "interval", "seconds": 60})
    for name in ("tick", "beat"):
        client.post(f"{APP}/schedules/{name}/enable")
    yesterday = "MATCH (t:Trigger) SET t.enabled_at = t.enabled_at - duration('P1D')"
    projects.query(yesterday, write=True)
    path = f"{APP}/workflows/report"
    next_ = {one["id"]: one["time"] for one in client.get(f"{path}/nextruntime").json()}
    last = {one["id"]: one["time"] for one in client.get(f"{path}/previousruntime").json()}
    assert next_["tick"] - last["tick"] == 3_600_000
    assert next_["beat"] - last["beat"] == 60_000


def test_run_times_of_many_programs_come_in_their_order(client: httpx.Client) -> None:
    make(client, "tick", HOURLY)
    client.post(f"{APP}/schedules/tick/enable")
    asked = [
        {"appId": app, "programType": "Workflow", "programId": program}
        for app, program in (("shop", "load"), ("shop", "reprot"), ("shop", "report"))
    ]
    answer = client.post("/v3/namespaces/default/nextruntime", json=asked).json()
    assert [one["statusCode"] for one in answer] == [200, 404, 200]
    assert [one["programId"] for one in answer] == ["load", "reprot", "report"]
    assert answer[0]["schedules"] == []
    assert "no pipeline 'reprot'" in answer[1]["error"]
    assert [one["id"] for one in answer[2]["schedules"]] == ["tick"]
    before = client.post("/v3/namespaces/default/previousruntime", json=asked).json()
    assert [one.get("schedules") for one in before] == [[], None, []]
    assert client.post("/v3/namespaces/default/nextruntime", json={"appId": "x"}).status_code == 400


def test_what_was_suspended_within_a_window_is_enabled_again(client: httpx.Client) -> None:
    def millis() -> int:
        (one,) = (one for one in client.get(f"{APP}/schedules").json() if one["name"] == "b")
        return int(one["lastUpdateTime"])

    for name in ("a", "b", "c"):
        make(client, name, HOURLY)
        client.post(f"{APP}/schedules/{name}/enable")
    client.post(f"{APP}/schedules/b/suspend")
    at = millis()
    path = "/v3/namespaces/{}/schedules/re-enable"

    def again(since: int, until: int, namespace: str = "default") -> list[str]:
        window = {"start-time-millis": since, "end-time-millis": until}
        answer = client.put(path.format(namespace), params=window)
        found: list[str] = answer.json()["enabled"]
        return found

    assert again(at + 1, at + 60_000) == []
    assert again(at - 60_000, at) == []
    assert again(at, at + 1, "money") == []
    assert again(at, at + 1) == ["b"]
    assert names(client, f"{APP}/schedules", **{"schedule-status": "SCHEDULED"}) == ["a", "b", "c"]
    assert again(0, at + 60_000) == []
    for wrong in ({}, {"start-time-millis": "x"}, {"start-time-millis": "1"}):
        assert client.put(path.format("default"), params=wrong).status_code == 400
