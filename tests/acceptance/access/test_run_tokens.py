"""A token of a run reports for this run and what is below it, and ends with it."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.admin.run_tokens import run_token
from lineagegraph.admin.tokens import add_token
from lineagegraph.execution.kinds.capture_context import CAPTURE_TASK, context_variable
from lineagegraph.execution.kinds.sent_events import SentEvents
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.access import Role
from lineagegraph.model.runs.ids import new_id
from lineagegraph.spark.context import TaskContext
from tests.acceptance.access.conftest import Serve
from tests.events import run_event
from tests.project import Project

LINEAGE = "/api/v1/lineage"
EVERY_READ = {Role.READ: frozenset({"*"})}
OTHER = new_id()
PROGRAM = """
import json, os, sys, urllib.request
from uuid import uuid4

def ref(name):
    namespace, job, run = os.environ[name].split("/")
    return {"run": {"runId": run}, "job": {"namespace": namespace, "name": job}}

facet = {"_producer": "https://x", "_schemaURL": "https://x"}
facet |= {"root": ref("OPENLINEAGE_ROOT_PARENT_ID")} | ref("OPENLINEAGE_PARENT_ID")

def send(event, path="/api/v1/lineage", method="POST"):
    body = json.dumps(event).encode() if event else None
    request = urllib.request.Request(os.environ["OPENLINEAGE_URL"] + path, body, method=method)
    request.add_header("Authorization", "Bearer " + os.environ["OPENLINEAGE_API_KEY"])
    request.add_header("Content-Type", "application/json")
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code

def event(namespace, run, **facets):
    return {"eventType": "START", "eventTime": "2026-01-01T00:00:00Z", "producer": "https://x",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run, "facets": facets}, "job": {"namespace": namespace, "name": "model"}}

child = str(uuid4())
runs = "/api/v1/jobs/runs/"
answers = [
    send(event("default", child, parent=facet)),
    send(event("default", str(uuid4()))),
    send(event("elsewhere", str(uuid4()), parent=facet)),
    send(event("default", sys.argv[1])),
    send(event("default", sys.argv[1], parent=facet)),
    send(None, runs + os.environ["LINEAGEGRAPH_RUN_ID"], "GET"),
    send(None, runs + child, "GET"),
    send(None, runs + sys.argv[1], "GET"),
    send(None, "/api/v1/jobs", "GET"),
    send(None, "/api/v1/namespaces/default/jobs/reports", "DELETE"),
    os.environ["LINEAGEGRAPH_TOKEN"],
]
print(json.dumps(answers), file=open("answers.json", "w"))
"""


@pytest.fixture
def client(serve: Serve, graph: Graph) -> httpx.Client:
    return serve()


def make_run(graph: Graph, id_: str) -> None:
    """A run of another job in the same namespace."""
    graph.query(
        "CREATE (:Run {id: $id, stub: false, namespace: 'default', name: 'x', state: 'RUNNING'})",
        {"id": id_},
        write=True,
    )


def test_a_program_reports_with_the_token_of_its_run_and_nothing_else(
    client: httpx.Client, graph: Graph, tmp_path: Any
) -> None:
    project = Project(
        tmp_path / "project", graph, tmp_path / "home", report_url=str(client.base_url).rstrip("/")
    )
    (project.folder / "program.py").write_text(PROGRAM)
    command = [sys.executable, "program.py", OTHER]
    project.state(f"lg.pipeline('reports', tasks=[lg.command('send', {command!r})])")
    with run_token(graph, "none", project.settings.run_token_age) as unbound:
        headers = {"Authorization": f"Bearer {unbound}"}
        assert client.post(LINEAGE, json=run_event("x"), headers=headers).status_code == 401
    make_run(graph, OTHER)
    run = project.run("reports")
    *answers, token = json.loads((project.folder / "answers.json").read_text())
    assert answers == [201, 403, 403, 403, 403, 200, 200, 403, 403, 403]
    assert token not in str(graph.query("MATCH (n) RETURN properties(n) AS p"))
    assert not graph.query("MATCH (t:RunToken) RETURN t")

    def status() -> int:
        headers = {"Authorization": f"Bearer {token}"}
        event = run_event("send", run_id=run)
        return client.post(LINEAGE, json=event, headers=headers).status_code

    # A server forgets a token within two seconds of the end of its run.
    time.sleep(2)
    assert status() == 401


def test_a_token_of_a_run_is_refused_after_its_age(client: httpx.Client, graph: Graph) -> None:
    run = new_id()
    make_run(graph, run)
    with run_token(graph, run, timedelta(seconds=60)) as token:
        headers = {"Authorization": f"Bearer {token}"}
        assert client.post(f"{LINEAGE}/batch", json=[], headers=headers).status_code != 401
    with run_token(graph, run, timedelta(0)) as token:
        headers = {"Authorization": f"Bearer {token}"}
        assert client.post(f"{LINEAGE}/batch", json=[], headers=headers).status_code == 401


@pytest.mark.parametrize(
    "parent", ["text", {"run": "text"}, {"root": 1}, {"root": {"run": [1]}}, {"run": {"runId": 1}}]
)
def test_an_event_whose_parent_is_none_is_of_another_run(
    client: httpx.Client, graph: Graph, parent: Any
) -> None:
    make_run(graph, run := new_id())
    event = run_event("send")
    event["run"]["facets"]["parent"] = parent
    with run_token(graph, run, timedelta(seconds=60)) as token:
        headers = {"Authorization": f"Bearer {token}"}
        assert client.post(LINEAGE, json=event, headers=headers).status_code == 403


def test_a_root_that_is_a_run_of_others_is_refused_and_one_above_is_not(
    client: httpx.Client, graph: Graph
) -> None:
    run, above, other = (new_id() for _ in range(3))
    graph.write(record, extract([run_event("dag", "START", run_id=above)]))
    own = run_event("send", "START", run_id=run)
    own["run"]["facets"]["parent"] = reference("dag", above)
    graph.write(record, extract([own]))
    make_run(graph, other)

    def status(root: str) -> int:
        event = run_event("part", "START")
        event["run"]["facets"]["parent"] = reference("send", run) | {"root": reference("x", root)}
        return client.post(LINEAGE, json=event, headers=headers).status_code

    with run_token(graph, run, timedelta(seconds=60)) as token:
        headers = {"Authorization": f"Bearer {token}"}
        assert (status(other), status(above), status(run)) == (403, 201, 201)
        # Of a root that is not known yet only its name is; it may be above.
        unknown = new_id()
        assert (status(unknown), status(unknown)) == (201, 201)


def reference(job: str, run: str) -> dict[str, Any]:
    named = {"run": {"runId": run}, "job": {"namespace": "default", "name": job}}
    return {"_producer": "https://x", "_schemaURL": "https://x"} | named


def test_a_driver_whose_run_has_another_worker_reports_no_more(
    client: httpx.Client, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, age = new_id(), timedelta(seconds=600)
    graph.write(record, extract([run_event("x", "START", run_id=run)]))
    task = TaskContext(run, "default", "x", run, "default", "x")
    monkeypatch.setenv("OPENLINEAGE_URL", str(client.base_url))
    monkeypatch.setenv("LINEAGEGRAPH_CAPTURE_TASK", context_variable(task)[CAPTURE_TASK])

    def report(driver: SentEvents) -> str:
        child = new_id()
        driver.keep([run_event("child", run_id=child, parent=(run, "x"))])
        return child

    with run_token(graph, run, age) as token:
        monkeypatch.setenv("LINEAGEGRAPH_TOKEN", token)
        old = SentEvents()
        first = report(old)
        old.close()
        with run_token(graph, run, age) as newer:
            monkeypatch.setenv("LINEAGEGRAPH_TOKEN", newer)
            time.sleep(2.5)  # as long as a server remembers a token
            refused = report(old)
            with pytest.raises(SystemExit, match="the server answered 401"):
                old.close()
            new = SentEvents()
            last = report(new)
            new.close()
    rows = graph.query("MATCH (:Run {id: $run})-[:PARENT_OF]->(r) RETURN r.id AS id", {"run": run})
    assert {row["id"] for row in rows} == {first, last}
    assert refused not in {first, last}


def test_many_wrong_tokens_are_looked_up_one_by_one_and_hold_up_no_right_one(
    serve: Serve, graph: Graph
) -> None:
    client = serve()
    graph.write(record, extract([run_event("load", "START", run_id=OTHER)]))
    path = f"/api/v1/jobs/runs/{OTHER}"
    plain = {"Authorization": f"Bearer {add_token(graph, 'ci', EVERY_READ)}"}
    with run_token(graph, OTHER, timedelta(hours=1)) as token:
        right = {"Authorization": f"Bearer {token}"}
        assert client.get(path, headers=right).status_code == 200
        repeated = [send_wrong(client, path, "again").status_code for _ in range(150)]
        assert set(repeated) == {401}
        wrong = [f"{number}" for number in range(150)]
        assert {send_wrong(client, path, one).status_code for one in wrong} == {401}
        with ThreadPoolExecutor(60) as threads:
            send = partial(send_wrong, client, path)
            others = list(threads.map(send, (f"many {number}" for number in range(600))))
        assert {one.status_code for one in others} == {401, 429}
        assert {one.headers["Retry-After"] for one in others if one.status_code == 429} == {"1"}
        assert client.get(path, headers=right).status_code == 200
        assert client.get("/api/v1/jobs", headers=plain).status_code == 200
    # One that this server has not seen yet is right too.
    with run_token(graph, OTHER, timedelta(hours=1)) as token:
        new = {"Authorization": f"Bearer {token}"}
        assert client.get(path, headers=new).status_code == 200


def send_wrong(client: httpx.Client, path: str, secret: str) -> httpx.Response:
    return client.get(path, headers={"Authorization": f"Bearer lgr_{secret}"})


def test_a_run_that_others_only_named_is_not_taken_below_the_run_of_a_token(
    serve: Serve, graph: Graph
) -> None:
    client = serve()
    named, mine, middle = new_id(), new_id(), new_id()
    graph.write(record, extract([run_event("other", parent=(named, "above"))]))
    graph.write(record, extract([run_event("load", "START", run_id=mine)]))
    with run_token(graph, mine, timedelta(hours=1)) as token:
        client.headers["Authorization"] = f"Bearer {token}"
        taken = run_event("above", run_id=named, parent=(mine, "load"))
        assert client.post(LINEAGE, json=taken).status_code == 403
        below = run_event("x", parent=(named, "above"))
        root = {"run": {"runId": mine}, "job": {"namespace": "default", "name": "load"}}
        below["run"]["facets"]["parent"]["root"] = root
        assert client.post(LINEAGE, json=below).status_code == 403
        own = run_event("x", parent=(middle, "load.middle"))
        own["run"]["facets"]["parent"]["root"] = root
        assert client.post(LINEAGE, json=own).status_code == 201
        late = run_event("load.middle", run_id=middle, parent=(mine, "load"))
        assert client.post(LINEAGE, json=late).status_code == 201
