"""Nobody learns by waiting for a run what they may not read."""

import httpx2 as httpx

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.runs.ids import new_id
from tests.acceptance.access.conftest import Admit
from tests.events import run_event


def waits_for(client: httpx.Client, run_id: str) -> int:
    body = {"kind": "run", "fields": {"run_id": run_id}, "namespace": "shop"}
    return client.post("/api/v1/sensors/waits", json=body).status_code


def ended(graph: Graph, namespace: str) -> str:
    run_id = new_id()
    graph.write(record, extract([run_event("load", run_id=run_id, namespace=namespace)]))
    return run_id


def test_a_run_is_waited_for_by_who_may_read_its_namespace(admit: Admit, graph: Graph) -> None:
    client = admit(operate="shop", read="shop")
    assert waits_for(client, ended(graph, "shop")) == 201
    assert waits_for(client, ended(graph, "bank")) == 403
    assert waits_for(client, new_id()) == 403


def test_a_run_that_is_not_known_yet_is_waited_for_by_who_reads_all(admit: Admit) -> None:
    assert waits_for(admit(operate="shop", read="*"), new_id()) == 201
