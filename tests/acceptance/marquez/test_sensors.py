"""Sensors and waits over HTTP."""

from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.waits import WaitTerms
from lineagegraph.sensors import make_sensor
from lineagegraph.waits.begin import begin_wait
from tests.events import run_event

V1 = "/api/v1/sensors"
BODY = {"kind": "file", "fields": {"path": "/data/orders.csv"}, "timeout": "1h"}


def test_waits_for_one_thing_are_runs_of_one_sensor(client: httpx.Client) -> None:
    first = client.post(f"{V1}/waits", json=BODY).json()
    second = client.post(f"{V1}/waits", json=BODY | {"job": "mine", "retries": 2}).json()
    assert first["sensor"]["id"] == second["sensor"]["id"]
    assert (first["job"], second["job"]) == (f"sensors.file.{first['sensor']['id'][:8]}", "mine")
    assert (first["state"], first["outcome"]) == ("smart_pending", None)
    assert second["terms"]["timeout"] == 3600
    page = client.get(V1, params={"kind": "file"}).json()
    assert [(one["waits"], one["text"]) for one in page["sensors"]] == [
        (2, "file /data/orders.csv")
    ]
    found = client.get(f"{V1}/{first['sensor']['id'][:12]}").json()
    assert {one["runId"] for one in found["waiting"]} == {first["runId"], second["runId"]}


def test_a_wait_is_looked_at_for_a_while_and_ended(client: httpx.Client) -> None:
    run = client.post(f"{V1}/waits", json=BODY).json()["runId"]
    assert client.get(f"{V1}/waits/{run}", params={"wait": 1}).json()["outcome"] is None
    assert client.delete(f"{V1}/waits/{run}").status_code == 204
    ended = client.get(f"{V1}/waits/{run}", params={"wait": 30}).json()
    assert (ended["outcome"], ended["sensor"]["waits"]) == ("cancelled", 0)
    assert client.delete(f"{V1}/waits/{run}").status_code == 204


def test_a_part_of_a_run_is_not_ended_on_its_own(client: httpx.Client, graph: Graph) -> None:
    top, part = "00000000-0000-7000-8000-0000000000aa", "00000000-0000-7000-8000-0000000000bb"
    client.post("/api/v1/lineage", json=run_event("p", "START", run_id=top))
    client.post("/api/v1/lineage", json=run_event("p.s", "START", run_id=part))
    sensor = make_sensor(BODY["kind"], BODY["fields"])
    graph.write(begin_wait, run_id=part, root_id=top, sensor=sensor, terms=WaitTerms())
    refused = client.delete(f"{V1}/waits/{part}")
    assert (refused.status_code, refused.json()["error"]) == (
        409,
        f"the wait is part of run {top}: cancel that run",
    )


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ({"kind": "fil"}, "no kind of sensor is named 'fil' (did you mean file?)"),
        ({"fields": {"pth": "/x"}}, "it has no field pth"),
        ({"fields": {"path": 3}}, "sensor of kind file"),
        ({"fields": {"path": "s3://me:hunter2@bucket/x"}}, "field path is a secret"),
        ({"kind": "python", "fields": {"function": "os:getcwd"}}, "runs code, which"),
        ({"kind": "http", "fields": {"url": "http://169.254.169.254/x"}}, "169.254.169.254"),
        ({"timeout": "soon"}, "timeout 'soon' must be a duration above 0"),
        ({"pokeInterval": 0}, "pokeInterval"),
        ({"pokeInterval": 0.000001}, "must be between 0.1 seconds and ten years"),
        ({"executionTimeout": 1e-7}, "must be between 0.1 seconds and ten years"),
        ({"timeout": 1e300}, "must be between 0.1 seconds and ten years"),
        ({"executionTimeout": "99999999d"}, "must be between 0.1 seconds and ten years"),
        ({"timeout": "3000d", "retries": 9}, "with 9 retries all attempts take more"),
        ({"retries": -1}, "retries"),
        ({"paths": []}, "paths"),
    ],
)
def test_what_cannot_be_waited_for_is_refused_in_one_line(
    client: httpx.Client, said: dict[str, Any], fault: str
) -> None:
    refused = client.post(f"{V1}/waits", json=BODY | said)
    assert refused.status_code == 400, refused.text
    error = refused.json()["error"]
    assert fault in error
    assert "\n" not in error
    assert "hunter2" not in error


def test_what_nobody_waits_for_is_not_found(client: httpx.Client) -> None:
    assert client.get(f"{V1}/waits/00000000-0000-7000-8000-00000000dead").status_code == 404
    assert client.get(f"{V1}/waits/dead").status_code == 400
    assert client.get(f"{V1}/dead").status_code == 404
