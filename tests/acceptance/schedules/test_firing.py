"""What a schedule says happens: once it is enabled, and only once."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2 as httpx

from lineagegraph.graph import Graph
from tests.acceptance.schedules.conftest import APP, schedule, status
from tests.events import run_event

NIGHTLY = f"{APP}/schedules/nightly"


def complete(client: httpx.Client, name: str, kind: str = "COMPLETE") -> None:
    assert client.post("/api/v1/lineage", json=run_event(name, kind)).status_code == 201


def queued(graph: Graph) -> list[Any]:
    rows = graph.query("MATCH (r:Run {launch: 'QUEUED'}) RETURN r.name AS name, r.params AS params")
    return [(row["name"], row["params"]) for row in rows]


def test_a_schedule_starts_its_program_once_it_is_enabled(
    client: httpx.Client, projects: Graph
) -> None:
    client.put(NIGHTLY, json=schedule(properties={"month": 2}))
    complete(client, "load")
    assert queued(projects) == []
    client.post(f"{NIGHTLY}/enable")
    assert queued(projects) == []
    complete(client, "load", "FAIL")
    assert queued(projects) == []
    complete(client, "load")
    ((name, params),) = queued(projects)
    assert name == "report"
    assert '"month":2' in params.replace(" ", "")
    client.post(f"{NIGHTLY}/suspend")
    complete(client, "load")
    assert len(queued(projects)) == 1


def test_a_version_of_a_program_sets_off_what_waits_for_that_one(
    client: httpx.Client, projects: Graph
) -> None:
    (row,) = projects.query("MATCH (j:Job {fqn: 'load'}) RETURN j.current_version AS hash")
    client.put(NIGHTLY, json=schedule(trigger=status("load", version=row["hash"])))
    client.post(f"{NIGHTLY}/enable")
    complete(client, "load")
    assert queued(projects) == []
    event = run_event("load")
    event["run"]["facets"]["lineagegraph"] = {"version": row["hash"]}
    assert client.post("/api/v1/lineage", json=event).status_code == 201
    assert len(queued(projects)) == 1


def test_a_deleted_schedule_starts_nothing_and_its_name_is_free(
    client: httpx.Client, projects: Graph
) -> None:
    client.put(NIGHTLY, json=schedule())
    client.post(f"{NIGHTLY}/enable")
    client.delete(NIGHTLY)
    complete(client, "load")
    client.put(NIGHTLY, json=schedule(trigger=status("load", "FAILED")))
    assert client.get(f"{NIGHTLY}/status").json() == {"status": "SUSPENDED"}
    client.post(f"{NIGHTLY}/enable")
    complete(client, "load")
    assert queued(projects) == []


def test_of_several_that_add_a_schedule_at_once_one_does(client: httpx.Client) -> None:
    programs = [("report", "load"), ("load", "report")] * 4

    def add(names: tuple[str, str]) -> int:
        started, awaited = names
        said = {"program": {"programName": started}, "trigger": status(awaited)}
        return client.put(NIGHTLY, json=said).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(add, programs))
    assert statuses == [200, *[409] * 7]
    assert len(client.get(f"{APP}/schedules").json()) == 1
