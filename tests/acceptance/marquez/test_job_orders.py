"""Jobs that come after others by jobDependencies: edges of the lineage of jobs."""

from itertools import permutations
from typing import Any

import httpx2 as httpx

from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from tests.acceptance.marquez.test_parameters import read
from tests.events import run_event

V1 = "/api/v1"


def job(name: str) -> dict[str, str]:
    return {"namespace": "default", "name": name}


def depends(name: str, **sides: list[dict[str, Any]]) -> dict[str, Any]:
    event = run_event(name)
    event["run"]["facets"]["jobDependencies"] = sides
    return event


def edges(client: httpx.Client, node: str) -> set[tuple[str, str]]:
    found = read(client, f"{V1}/lineage?nodeId=job:default:{node}&depth=3")
    return {
        (edge["origin"].removeprefix("job:default:"), edge["destination"][12:])
        for one in found["graph"]
        for edge in one["outEdges"]
    }


def send(client: httpx.Client, event: dict[str, Any]) -> None:
    answer = client.post(f"{V1}/lineage", json=event)
    assert answer.status_code == 201, answer.text


def test_jobs_that_are_named_without_runs_are_before_and_after_a_job_in_any_order_of_arrival(
    client: httpx.Client, graph: Graph
) -> None:
    dag, task = new_id(), new_id()
    load = depends(
        "dag.load",
        upstream=[{"job": job("dag.extract"), "status_trigger_rule": "EXECUTE_ON_SUCCESS"}],
        downstream=[{"job": job("report")}, {"job": job("dag.load")}, {"job": {"name": "?"}}],
    )
    extract = run_event("dag.extract", run_id=task)
    extract["run"]["facets"]["parent"] = {"run": {"runId": dag}, "job": job("dag")}
    events = (load, extract, run_event("dag", run_id=dag))
    for order in permutations(events):
        graph.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)
        for event in order:
            send(client, event)
        whole = {("dag.extract", "dag.load"), ("dag.load", "report")}
        assert edges(client, "dag.load") == whole
        assert edges(client, "report") == {("dag.load", "report")}
        assert edges(client, "dag.extract") == {("dag.extract", "dag.load")}
        assert edges(client, "dag") == {("dag.extract", "dag.load")}
        pipelines = walk_lineage(graph, "dag.load", LineageScope(level="pipeline"))
        assert len(pipelines.edges) == 2
    assert graph.query("MATCH (j:Job {fqn: 'report'}) RETURN j.stub AS stub") == [{"stub": True}]
    send(client, run_event("report"))
    assert graph.query("MATCH (j:Job {fqn: 'report'}) RETURN j.stub AS stub") == [{"stub": False}]
    assert graph.query("MATCH (:Run)-[f:FOLLOWS]->() RETURN count(f) AS n") == [{"n": 0}]
