"""Facets that nothing has go, and those that are being written at that moment stay."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Event
from typing import Any

from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.received import delete_unused
from lineagegraph.ingest.record import record
from lineagegraph.queries.runs.events import list_events
from tests.events import run_event


def always(tx: Transaction) -> datetime:
    return datetime(2000, 1, 1, tzinfo=UTC)


def event_with(facet: dict[str, Any]) -> dict[str, Any]:
    """An event whose facet is linked to nothing: it is of an input."""
    event = run_event("job")
    event["inputs"] = [{"namespace": "lake", "name": "/a", "inputFacets": {"own": facet}}]
    return event


def hashes(graph: Graph) -> list[str]:
    return [row["hash"] for row in graph.query("MATCH (f:Facet) RETURN f.hash AS hash")]


def delete_events(graph: Graph) -> None:
    graph.query("MATCH (e:Event) DETACH DELETE e", write=True)


def test_a_facet_goes_once_no_event_names_it(graph: Graph) -> None:
    graph.write(record, extract([event_with({"a": 1})]))
    assert graph.write(delete_unused, hashes(graph), always) == 0
    delete_events(graph)
    assert graph.write(delete_unused, hashes(graph), always) == 1
    assert hashes(graph) == []


def test_a_facet_stays_with_an_event_that_is_being_written(graph: Graph) -> None:
    graph.write(record, extract([event_with({"a": 1})]))
    delete_events(graph)
    known, again = hashes(graph), event_with({"a": 1})
    has_written, may_end = Event(), Event()

    def write_slowly(tx: Transaction) -> None:
        record(tx, extract([again]))
        has_written.set()
        may_end.wait(20)

    with ThreadPoolExecutor(2) as pool:
        writing = pool.submit(graph.write, write_slowly)
        assert has_written.wait(20)
        deleting = pool.submit(graph.write, delete_unused, known, always)
        assert not deleting.done()
        may_end.set()
        writing.result(30)
        assert deleting.result(30) == 0
    assert graph.read(list_events).events == [again]


def test_an_event_that_comes_while_its_facet_goes_makes_it_anew(graph: Graph) -> None:
    graph.write(record, extract([event_with({"a": 1})]))
    delete_events(graph)
    known, again = hashes(graph), event_with({"a": 1})
    has_deleted, may_end = Event(), Event()

    def delete_slowly(tx: Transaction) -> None:
        delete_unused(tx, known, always)
        has_deleted.set()
        may_end.wait(20)

    with ThreadPoolExecutor(2) as pool:
        deleting = pool.submit(graph.write, delete_slowly)
        assert has_deleted.wait(20)
        writing = pool.submit(graph.write, record, extract([again]))
        may_end.set()
        deleting.result(30)
        writing.result(30)
    assert graph.read(list_events).events == [again]
