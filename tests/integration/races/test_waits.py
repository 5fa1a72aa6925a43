"""Waits that end as another transaction wakes them, or that begin as their run ends."""

from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.pipelines.entry import Start, Waits
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.waits import WaitTerms
from lineagegraph.reactions.commit import commit
from lineagegraph.store.runs import leases
from lineagegraph.waits.begin import begin_wait
from tests.events import run_event
from tests.integration.freshness.theatre import Theatre
from tests.integration.races.overlap import overlap
from tests.integration.sensors.theatre import a_file


def test_a_wait_that_ends_as_its_lease_comes_free_is_not_taken_up_again(graph: Graph) -> None:
    stage = Theatre(graph)
    first, second = stage.task("kpi"), stage.task("kpi")
    assert isinstance(stage.enter(first), Start)
    assert isinstance(stage.enter(second), Waits)
    overlap(
        graph,
        lambda tx: leases.release_leases(tx, run_ids=[second.run_id], now=stage.now),
        lambda tx: leases.release_leases(tx, run_ids=[first.run_id], now=stage.now),
    )
    stage.go(seconds=5)
    assert stage.settle() == set()
    assert not stage.is_settled(second)


def test_a_run_that_ends_while_it_begins_to_wait_for_a_sensor_does_not_wait(graph: Graph) -> None:
    run_id = new_id()
    graph.write(commit, extract([run_event("x", "START", run_id=run_id)]))

    def end(tx: Transaction) -> None:
        commit(tx, extract([run_event("x", "ABORT", run_id=run_id)]))

    def begin(tx: Transaction) -> object:
        return begin_wait(tx, run_id=run_id, root_id=run_id, sensor=a_file(), terms=WaitTerms())

    assert overlap(graph, end, begin) is None
    assert not graph.query("MATCH (:Run)-[w:WAITS_ON]->(:Sensor) RETURN w.state")
