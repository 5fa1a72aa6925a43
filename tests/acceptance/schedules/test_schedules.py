"""Schedules are added, read, changed, switched and deleted as CDAP's API does it."""

from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph
from tests.acceptance.schedules.conftest import APP, schedule, status

NIGHTLY = f"{APP}/schedules/nightly"


def put(client: httpx.Client, **said: Any) -> httpx.Response:
    return client.put(NIGHTLY, json=schedule(**said))


def refused(answer: httpx.Response, code: int = 400) -> str:
    assert answer.status_code == code, answer.text
    said: str = answer.json()["error"]
    return said


def test_a_new_schedule_is_suspended_and_says_what_it_was_given(client: httpx.Client) -> None:
    said = schedule(
        name="nightly",
        description="after the load",
        properties={"month": "2"},
        constraints=[
            {"type": "CONCURRENCY", "maxConcurrency": 2, "waitUntilMet": True},
            {"type": "DELAY", "millisAfterTrigger": 1500, "waitUntilMet": True},
            {"type": "LAST_RUN", "millisSinceLastRun": 60000, "waitUntilMet": False},
            {
                "type": "TIME_RANGE",
                "startTime": "22:00",
                "endTime": "23:00",
                "timeZone": "Europe/Berlin",
                "waitUntilMet": True,
            },
        ],
        timeoutMillis=3_600_000,
    )
    assert client.put(NIGHTLY, json=said).status_code == 200
    found = client.get(NIGHTLY).json()
    assert said.items() <= found.items()
    assert (found["namespace"], found["application"]) == ("default", "shop")
    assert found["status"] == "SUSPENDED"
    assert found["lastUpdateTime"] > 1_500_000_000_000
    assert client.get(f"{NIGHTLY}/status").json() == {"status": "SUSPENDED"}


@pytest.mark.parametrize(
    "trigger",
    [
        {"type": "TIME", "cronExpression": "0 4 * * *", "timeZone": "Europe/Berlin"},
        {
            "type": "PARTITION",
            "dataset": {"namespace": "lake", "dataset": "orders"},
            "numPartitions": 3,
        },
        status("load", "COMPLETED", "FAILED", "KILLED"),
        status("load.read", type="SPARK"),
        {
            "type": "AND",
            "triggers": [status("load"), status("pay", namespace="money", application="bank")],
        },
        {"type": "OR", "triggers": [status("load"), {"on": "event", "name": "ready"}]},
        {"on": "at_least", "count": 1, "operands": [{"on": "event", "name": "a"}], "within": 60.0},
        {"when": {"on": "event", "name": "ready"}, "pick": "all", "correlate_by": "region"},
    ],
    ids=lambda trigger: trigger.get("type") or trigger.get("on") or "rule",
)
def test_a_trigger_is_answered_as_it_was_given(
    client: httpx.Client, trigger: dict[str, Any]
) -> None:
    assert put(client, trigger=trigger).status_code == 200
    found = client.get(NIGHTLY).json()
    assert found["trigger"] == trigger
    assert client.delete(NIGHTLY).status_code == 200
    assert client.put(NIGHTLY, json=found).status_code == 200


def test_the_design_names_programs_otherwise_and_leaves_out_what_is_the_same(
    client: httpx.Client,
) -> None:
    designed = {
        "type": "PROGRAM_STATUS",
        "statuses": ["COMPLETED", "KILLED"],
        "program": {"programName": "load", "programType": "workflow"},
    }
    assert put(client, trigger=designed).status_code == 200
    assert client.get(NIGHTLY).json()["trigger"] == status("load", "COMPLETED", "KILLED")


def test_the_request_of_the_design_is_taken_at_its_own_path_and_updated_there(
    client: httpx.Client,
) -> None:
    """The paths that its command `add program schedule` and `update program schedule` map to."""
    designed = {
        "name": "nightly",
        "description": "<schedule description>",
        "program": {"programName": "report", "programType": "WORKFLOW"},
        "properties": {"month": "2"},
        "constraints": [{"type": "CONCURRENCY", "maxConcurrency": 1, "waitUntilMet": True}],
        "trigger": {
            "type": "PROGRAM_STATUS",
            "statuses": ["COMPLETED", "FAILING", "KILLED"],
            "program": {
                "namespace": "money",
                "application": "bank",
                "applicationVersion": "-SNAPSHOT",
                "programType": "WORKFLOW",
                "programName": "pay",
            },
        },
    }
    path = f"{APP}/versions/-SNAPSHOT/schedules/nightly"
    assert client.put(path, json=designed).status_code == 200
    assert client.put(path, json=designed).status_code == 409
    found = client.get(path).json()
    every = ("COMPLETED", "FAILED", "KILLED")
    assert found["trigger"] == status("pay", *every, namespace="money", application="bank")
    for name in ("description", "properties", "constraints"):
        assert found[name] == designed[name]
    assert client.post(f"{path}/update", json=designed | {"description": "new"}).status_code == 200
    assert client.get(NIGHTLY).json()["description"] == "new"
    unknown = "/v3/namespaces/default/apps/none/versions/-SNAPSHOT/schedules/nightly"
    assert client.put(unknown, json=designed).status_code == 404


def test_a_name_is_taken_once_in_an_application(client: httpx.Client) -> None:
    assert put(client).status_code == 200
    assert "'nightly' exists already" in refused(put(client), 409)
    other = {"program": {"programName": "load"}, "trigger": status("report")}
    assert "'nightly' exists already" in refused(client.put(NIGHTLY, json=other), 409)
    assert client.delete(NIGHTLY).status_code == 200
    assert refused(client.delete(NIGHTLY), 404)
    assert put(client).status_code == 200


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/v3/namespaces/default/apps/shoop/schedules/x", "no application 'shoop'"),
        ("/v3/namespaces/money/apps/shop/schedules/x", "no application 'shop'"),
        (f"{APP}/versions/1.0/schedules/x", "no version '1.0'"),
    ],
)
def test_an_unknown_application_is_404(client: httpx.Client, path: str, said: str) -> None:
    assert said in refused(client.put(path, json=schedule()), 404)
    assert said in refused(client.get(path), 404)
    assert said in refused(client.post(f"{path}/enable"), 404)
    assert said in refused(client.get(path.removesuffix("/x")), 404)


UNKNOWN: list[tuple[dict[str, Any], str]] = [
    ({"program": {"programName": "reprot"}}, "no pipeline 'reprot'"),
    ({"program": {"programName": "report.print"}}, "no pipeline 'report.print'"),
    ({"trigger": status("lode")}, "no pipeline 'lode'"),
    ({"trigger": status("load", type="SPARK")}, "no task 'load'"),
    ({"trigger": status("load", version="1.0")}, "no version '1.0' of pipeline 'load'"),
    ({"trigger": status("load.read", type="SPARK", version="1.0")}, "no version '1.0' of task"),
    ({"trigger": status("load", application="bank")}, "in application 'bank'"),
    ({"trigger": status("load", namespace="money")}, "in namespace 'money'"),
]


def test_an_unknown_program_is_404(client: httpx.Client) -> None:
    for said, why in UNKNOWN:
        assert why in refused(put(client, **said), 404), said
    assert client.get(f"{APP}/schedules").json() == []


BAD: list[tuple[dict[str, Any], str]] = [
    ({"name": "daily"}, "'daily' is not the name in the path"),
    ({"program": None}, "programName"),
    ({"program": {"programType": "WORKFLOW"}}, "programName"),
    ({"program": {"programName": "report", "programType": "SPARK"}}, "only WORKFLOW"),
    ({"program": {"programName": "report.inner"}}, "starts within its pipeline"),
    ({"trigger": None}, "$.trigger"),
    ({"trigger": {}}, "$.trigger.type"),
    ({"trigger": {"type": "STREAM_SIZE"}}, "'STREAM_SIZE' must be one of TIME"),
    ({"trigger": {"type": "TIME"}}, "cronExpression"),
    ({"trigger": {"type": "TIME", "cronExpression": "0 4 * *"}}, "five fields"),
    ({"trigger": {"type": "TIME", "cronExpression": "0 99 * * *"}}, "0 99"),
    (
        {"trigger": {"type": "TIME", "cronExpression": "0 4 * * *", "timeZone": "Mars/Base"}},
        "'Mars/Base' is not a time zone",
    ),
    (
        {
            "trigger": {
                "type": "PARTITION",
                "dataset": {"namespace": "a", "dataset": "b"},
                "numPartitions": 0,
            }
        },
        "$.trigger.numPartitions",
    ),
    ({"trigger": {"type": "AND", "triggers": []}}, "an empty `and`"),
    (
        {"trigger": {"type": "AND", "triggers": [{"type": "OR", "triggers": []}]}},
        "an empty `or`",
    ),
    ({"trigger": {"type": "AND", "triggers": [3]}}, "$.trigger.triggers[0]"),
    ({"trigger": status("load", "RUNNING")}, "RUNNING cannot start a job, as"),
    ({"trigger": status("load", "INITIALIZING")}, "INITIALIZING cannot start a job, as"),
    ({"trigger": status("load", "DONE")}, "DONE is not a status"),
    ({"trigger": status("load") | {"programStatuses": []}}, "a status is missing"),
    ({"trigger": status("load", type="SERVICE")}, "'SERVICE' is not one of WORKFLOW, SPARK"),
    ({"trigger": {"type": "PROGRAM_STATUS", "programStatuses": ["FAILED"]}}, "no program"),
    ({"trigger": {"on": "status", "job": "x", "statuses": ["RUNNING"]}}, "RUNNING"),
    ({"trigger": {"on": "event", "name": "x", "within": "-1h"}}, "not a duration"),
    ({"trigger": {"on": "dream"}}, "dream"),
    ({"trigger": {"on": "status", "job": "x" * 3000, "statuses": ["FAILED"]}}, "2000 bytes"),
    ({"properties": {"moon": "1"}}, "parameter moon of report: unknown"),
    ({"properties": {"month": "x"}}, "expected int"),
    ({"constraints": [{"type": "CONCURRENCY", "maxConcurrency": 0}]}, "$.constraints[0].maxC"),
    ({"constraints": [{"type": "SPEED"}]}, "'SPEED' must be one of CONCURRENCY"),
    (
        {"constraints": [{"type": "DELAY", "millisAfterTrigger": 5, "waitUntilMet": False}]},
        "a delay can only wait",
    ),
    (
        {"constraints": [{"type": "TIME_RANGE", "startTime": "25:00", "endTime": "1:00"}]},
        "$.constraints",
    ),
    (
        {"constraints": [{"type": "TIME_RANGE", "startTime": "1:00", "endTime": "01:00"}]},
        "is empty",
    ),
    ({"timeoutMillis": 0}, "timeoutMillis"),
    ({"properties": 3}, "properties"),
]


def test_a_bad_body_is_400_and_leaves_nothing(client: httpx.Client) -> None:
    for said, why in BAD:
        assert why in refused(put(client, **said)), said
    assert client.get(f"{APP}/schedules").json() == []


def test_what_is_no_schedule_is_400(client: httpx.Client) -> None:
    for body in (b"", b"{", b"[]", b"null", b"\xff", b'"x"'):
        assert refused(client.put(NIGHTLY, content=body))


def test_a_cycle_is_400_with_its_path(client: httpx.Client) -> None:
    assert put(client).status_code == 200
    back = {"program": {"programName": "load"}, "trigger": status("report")}
    said = refused(client.put(f"{APP}/schedules/back", json=back))
    assert "report" in said
    assert "load" in said
    assert [one["name"] for one in client.get(f"{APP}/schedules").json()] == ["nightly"]


def test_an_update_changes_what_it_names_and_leaves_the_rest(client: httpx.Client) -> None:
    put(client, description="first", properties={"month": "2"}, timeoutMillis=1000)
    changed = client.post(f"{NIGHTLY}/update", json={"description": "second"}).json()
    assert (changed["description"], changed["properties"]) == ("second", {"month": "2"})
    assert changed["trigger"] == status("load")
    time = {"type": "TIME", "cronExpression": "0 4 * * *", "timeZone": "UTC"}
    changed = client.post(f"{NIGHTLY}/update", json={"trigger": time}).json()
    assert (changed["description"], changed["trigger"]) == ("second", time)
    assert changed["timeoutMillis"] == 1000
    changed = client.post(f"{NIGHTLY}/update", json={"properties": {}, "constraints": []}).json()
    assert (changed["properties"], changed["constraints"]) == ({}, [])


def test_a_new_trigger_takes_along_how_the_old_one_was_judged(client: httpx.Client) -> None:
    put(client, trigger={"when": {"on": "event", "name": "a"}, "pick": "all"})
    changed = client.post(f"{NIGHTLY}/update", json={"trigger": status("load")}).json()
    assert changed["trigger"] == status("load")


BAD_UPDATES: list[tuple[dict[str, Any], int, str]] = [
    ({"name": "daily"}, 400, "'daily'"),
    ({"program": {"programName": "load"}}, 400, "starts report"),
    ({"program": {"programType": "SPARK"}}, 400, "only WORKFLOW"),
    ({"trigger": {"type": "OR", "triggers": []}}, 400, "an empty `or`"),
    ({"trigger": status("lode")}, 404, "no pipeline 'lode'"),
    ({"properties": {"moon": 1}}, 400, "moon"),
]


def test_a_bad_update_changes_nothing(client: httpx.Client) -> None:
    put(client)
    before = client.get(NIGHTLY).json()
    for said, code, why in BAD_UPDATES:
        assert why in refused(client.post(f"{NIGHTLY}/update", json=said), code), said
    assert client.get(NIGHTLY).json() == before


def test_a_schedule_is_switched_on_and_off(client: httpx.Client) -> None:
    put(client)
    for on, off in (("enable", "disable"), ("resume", "suspend")):
        assert client.post(f"{NIGHTLY}/{on}").status_code == 200
        assert "SCHEDULED already" in refused(client.post(f"{NIGHTLY}/{on}"), 409)
        assert client.get(f"{NIGHTLY}/status").json() == {"status": "SCHEDULED"}
        assert client.post(f"{NIGHTLY}/{off}").status_code == 200
        assert "SUSPENDED already" in refused(client.post(f"{NIGHTLY}/{off}"), 409)
    assert refused(client.post(f"{APP}/schedules/daily/enable"), 404)


def test_an_update_leaves_a_schedule_enabled(client: httpx.Client) -> None:
    put(client)
    client.post(f"{NIGHTLY}/enable")
    changed = client.post(f"{NIGHTLY}/update", json={"trigger": status("load", "FAILED")}).json()
    assert changed["status"] == "SCHEDULED"


def test_a_version_that_was_synced_will_do(client: httpx.Client, projects: Graph) -> None:
    (row,) = projects.query("MATCH (j:Job {fqn: 'load'}) RETURN j.current_version AS hash")
    for version in (row["hash"], "-SNAPSHOT"):
        path = f"{APP}/versions/{version}/schedules/nightly"
        assert client.put(path, json=schedule()).status_code == 200
        assert client.get(path).json()["name"] == "nightly"
        assert client.delete(path).status_code == 200


def test_names_may_have_any_characters(client: httpx.Client) -> None:
    path = f"{APP}/schedules/%2Fa%20%C3%BC%3F"
    assert client.put(path, json=schedule(name="/a ü?")).status_code == 200
    assert client.get(path).json()["name"] == "/a ü?"
    assert client.post(f"{path}/enable").status_code == 200
    assert client.delete(path).status_code == 200
