"""`/metrics`, read by Prometheus' own parser."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2 as httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from lineagegraph.admin.tokens import add_token
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.model.access import Role
from lineagegraph.model.names.ticks import Beat
from lineagegraph.model.runs.ids import new_id
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from lineagegraph.store.runs.launches import merge_queued
from tests.acceptance.ingestion.relay import Relay
from tests.acceptance.marquez.document import check_answer
from tests.acceptance.processes import until
from tests.definitions import daily, define
from tests.events import run_event
from tests.integration.freshness.test_standings import expect, tell

Values = dict[tuple[str, ...], float]
Serve = Callable[..., httpx.Client]


@pytest.fixture
def serve(graph: Graph, settings: Settings, tmp_path: Path) -> Iterator[Serve]:
    """Serve with some settings changed."""
    with ExitStack() as open_until_the_end:

        def start(
            graph: Graph = graph, beats: Callable[[], list[Beat]] = list, **changes: object
        ) -> httpx.Client:
            own = settings.model_copy(update={"home": tmp_path, **changes})
            application = make_application(graph, own, beats=beats)
            server = HttpServer(application, bind("127.0.0.1", 0))
            server.start()
            open_until_the_end.callback(server.stop)
            hooks = {"response": [check_answer]}
            client = httpx.Client(base_url=server.url, timeout=60, event_hooks=hooks)
            return open_until_the_end.enter_context(client)

        yield start


def scrape(client: httpx.Client) -> dict[str, Values]:
    """The samples by name and by the values of their labels, in the order of these."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    found: dict[str, Values] = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            name = sample.name.removeprefix("lineagegraph_")
            found.setdefault(name, {})[
                tuple(value for _, value in sorted(sample.labels.items()))
            ] = sample.value
    return found


def daemon_steps(graph: Graph, settings: Settings) -> Callable[[], list[Beat]]:
    """What a daemon did that ticked once at least."""
    daemon = Daemon(graph, settings)
    daemon.start()
    until(lambda: "number" in [one.step for one in daemon.beats.read()], 120)
    daemon.stop()
    return daemon.beats.read


def test_it_tells_of_runs_events_freshness_the_daemon_and_the_process(
    graph: Graph, settings: Settings, serve: Serve
) -> None:
    now = datetime.now(UTC)
    tell(graph, 'odd "name"\\', writes="late", at=now - timedelta(hours=9))
    tell(graph, "load", writes="new", at=now, kind="FAIL")
    for node in ("late", "new", "load"):
        expect(graph, node)
    client = serve(beats=daemon_steps(graph, settings))
    client.post("/api/v1/lineage", json=run_event("told", "START"))
    found = scrape(client)
    assert found["graph_up"] == {(): 1}
    assert found["runs"]["COMPLETED",] == 1
    assert found["runs"]["RUNNING",] == 1
    assert found["runs"]["WAITING",] == 0
    assert found["events"] == {(): 3}
    assert found["events_received_total"]["written",] == 1
    assert found["spool_bytes"] == {(): 0}
    assert found["freshness_nodes"]["stale",] == 1
    assert found["freshness_state"]["late", "lake", "stale", "dataset"] == 1
    assert found["freshness_state"]["load", "default", "unknown", "job"] == 1
    age = found["freshness_age_seconds"]["late", "lake", "dataset"]
    assert age == pytest.approx(9 * 3600, abs=600)
    assert found["daemon_steps_total"]["settle",] > 0
    assert found["daemon_step_failures_total"]["settle",] == 0
    assert found["daemon_step_seconds_total"]["settle",] > 0
    assert found["process_resident_memory_bytes"][()] > 0


def test_it_counts_what_waits_for_a_worker(graph: Graph, serve: Serve) -> None:
    said = {"job_key": define(graph, daily()), "params": None, "only": [], "now": None}
    graph.write(merge_queued, run_id=new_id(), **said)
    found = scrape(serve(metrics_nodes=0))
    assert found["runs_queued"] == {(): 1}
    assert found["runs_queued_oldest_seconds"][()] >= 0
    assert (found["waits"], found["leases"], found["runs_claimed"]) == ({(): 0}, {(): 0}, {(): 0})


def test_it_tells_which_jobs_have_incomplete_lineage_now(graph: Graph, serve: Serve) -> None:
    client = serve()
    for job, failed in (("mended", 1), ("mended", 0), ("half", 0), ("half", 2), ("step", 1)):
        event = run_event(job, "COMPLETE", run_id=new_id())
        event["run"]["facets"]["extractionError"] = {"totalTasks": 4, "failedTasks": failed}
        if job == "step":
            event["job"]["facets"]["jobType"] = {"jobType": "SQL_JOB"}
        assert client.post("/api/v1/lineage", json=event).status_code == 201
    assert scrape(client)["lineage_completeness"] == {("half", "default"): 0.5}


def test_the_worst_are_told_of_as_far_as_the_setting_goes(graph: Graph, serve: Serve) -> None:
    for number in range(5):
        tell(graph, f"job{number}", at=datetime.now(UTC) - timedelta(hours=number))
        expect(graph, f"job{number}", hours=2.5, grace=0)
    found = scrape(serve(metrics_nodes=3))
    assert {(labels[0], labels[2]) for labels in found["freshness_state"]} == {
        ("job3", "stale"),
        ("job4", "stale"),
        ("job0", "fresh"),
    }
    assert found["freshness_nodes_left_out"] == {(): 2}
    assert found["freshness_nodes"] == {
        ("fresh",): 3,
        ("due",): 0,
        ("stale",): 2,
        ("unknown",): 0,
    }


def test_on_the_network_it_takes_a_token_that_reads_everything(graph: Graph, serve: Serve) -> None:
    client = serve(host="0.0.0.0")
    assert client.get("/metrics").status_code == 401
    for names, status in (({"default"}, 403), ({"*"}, 200)):
        token = add_token(graph, f"{status}", {Role.READ: frozenset(names)})
        headers = {"Authorization": f"Bearer {token}"}
        until(lambda h=headers, s=status: client.get("/metrics", headers=h).status_code == s)  # type: ignore[misc]


def test_while_neo4j_is_away_it_tells_what_the_process_knows(
    server: ServerAddress, serve: Serve
) -> None:
    host, _, port = server.bolt.removeprefix("bolt://").partition(":")
    relay = Relay(host, int(port))
    with Graph(f"bolt://127.0.0.1:{relay.port}", server.user, server.password) as relayed:
        client = serve(graph=relayed)
        assert scrape(client)["graph_up"] == {(): 1}
        relay.cut()
        found = scrape(client)
        relay.mend()
    assert found["graph_up"] == {(): 0}
    assert "runs" not in found
    assert "process_cpu_seconds_total" in found
