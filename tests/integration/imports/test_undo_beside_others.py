"""What others claimed, hid and had deleted stays so when an import is undone."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from lineagegraph.admin.hide import hide_dataset, hide_job
from lineagegraph.admin.imports import import_events, undo_import
from lineagegraph.admin.retention import sweep
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.queries.find.find import find_job
from lineagegraph.store.runs.events import list_claims
from tests.events import run_event
from tests.integration.imports.test_undo import Listed
from tests.integration.ingest.test_order import dump, wipe
from tests.integration.retention.histories import START

DATA = ("lake", "/a")
KEY = dataset_key(*DATA)
PATH = "$.outputs[0]"
Step = tuple[dict[str, Any], str | None, Sequence[str]]


def test_what_was_claimed_after_an_import_stays_a_claim_when_it_is_undone(graph: Graph) -> None:
    known, event = written("known", "x"), written("forged", "forged")
    check(graph, [fact(known)], [written("imported", "y")], [claim(event)])


def test_what_was_claimed_and_then_imported_is_a_claim_again_after_the_undo(graph: Graph) -> None:
    event = written("forged", "forged")
    check(graph, [claim(event)], [event], [])


def test_what_was_imported_and_then_claimed_is_a_claim_after_the_undo(graph: Graph) -> None:
    event = written("forged", "forged")
    check(graph, [], [event], [claim(event)])
    check(graph, [claim(event)], [event], [claim(event)])


def test_a_claim_of_two_imports_is_one_again_after_the_last_undo(graph: Graph) -> None:
    event = written("forged", "forged")
    expected = left_by(graph, [claim(event)])
    wipe(graph)
    first = import_events(graph, Listed([event]))
    send(graph, claim(event))
    second = import_events(graph, Listed([event]))
    undo_import(graph, second.id)
    assert graph.read(list_claims, author=None, offset=0, limit=10) == []
    undo_import(graph, first.id)
    assert dump(graph) == expected


def test_a_claim_that_became_a_fact_after_an_import_stays_a_fact(graph: Graph) -> None:
    event = written("judged", "x")
    other = written("imported", "y")
    check(graph, [claim(event)], [other], [judged(event)])
    check(graph, [claim(event)], [event], [judged(event)])
    check(graph, [], [event], [claim(event), judged(event)])


@pytest.mark.parametrize("is_named_later", [False, True])
def test_what_was_hidden_is_hidden_after_an_import_and_its_undo(
    graph: Graph, is_named_later: bool
) -> None:
    send(graph, fact(written("load", "x")))
    hide_dataset(graph, KEY)
    graph.write(hide_job, find_job(graph, "load").key)
    done = import_events(graph, Listed([written("load", "y")]))
    assert hidden(graph) == set()
    if is_named_later:
        send(graph, fact(written("load", "z")))
    undo_import(graph, done.id)
    assert hidden(graph) == (set() if is_named_later else {"load", "/a"})


def test_other_names_of_hidden_data_are_hidden_after_an_import_and_its_undo(graph: Graph) -> None:
    event = written("load", "x")
    name = {"namespace": "hive", "name": "a", "type": "TABLE"}
    event["outputs"][0]["facets"]["symlinks"] = {"identifiers": [name]}
    send(graph, fact(event))
    hide_dataset(graph, KEY)
    before = dump(graph)
    done = import_events(graph, Listed([written("other", "y")]))
    assert hidden(graph) == set()
    undo_import(graph, done.id)
    assert dump(graph) == before


def test_what_is_hidden_after_an_import_stays_hidden_when_it_is_undone(graph: Graph) -> None:
    send(graph, fact(written("load", "x")))
    done = import_events(graph, Listed([written("load", "y")]))
    hide_dataset(graph, KEY)
    graph.write(hide_job, find_job(graph, "load").key)
    undo_import(graph, done.id)
    assert hidden(graph) == {"load", "/a"}


def test_an_undo_keeps_the_facts_of_later_events_that_retention_has_deleted(graph: Graph) -> None:
    first = written("known", "x")
    done = import_events(graph, Listed([written("imported", "y"), first]))
    late = START + timedelta(days=10)
    old = run_event("load", at=START, outputs=(DATA,))
    old["outputs"][0]["facets"] = {"documentation": {"description": "kept"}}
    send(graph, fact(old))
    for at in (START + timedelta(days=1), late):
        send(graph, fact(run_event("load", at=at, outputs=(DATA,))))
    gone = sweep(graph, {"*": timedelta(days=5)}, now=late + timedelta(days=1))
    assert sum(one.runs for one in gone.namespaces.values()) >= 1
    undo_import(graph, done.id)
    (row,) = graph.query(
        "MATCH (:Dataset {name: '/a'})-[:HAS_FACET]->(f:Facet {name: 'documentation'}) "
        "RETURN f.body AS body"
    )
    assert "kept" in row["body"]


def written(job: str, column: str) -> dict[str, Any]:
    event = run_event(job, outputs=(DATA,))
    event["outputs"][0]["facets"] = {"schema": {"fields": [{"name": column}]}}
    return event


def fact(event: dict[str, Any]) -> Step:
    return event, None, ()


def claim(event: dict[str, Any]) -> Step:
    return event, "ci", (PATH,)


def judged(event: dict[str, Any]) -> Step:
    return event, "ci", ()


def send(graph: Graph, step: Step) -> None:
    event, author, claims = step
    graph.write(record, extract([event], author=author, claims=claims))


def left_by(graph: Graph, steps: Sequence[Step]) -> dict[str, list[str]]:
    wipe(graph)
    for step in steps:
        send(graph, step)
    return dump(graph)


def check(
    graph: Graph, before: list[Step], imported: list[dict[str, Any]], after: list[Step]
) -> None:
    """Undo an import between what others sent, and compare with a graph without it."""
    expected = left_by(graph, [*before, *after])
    left_by(graph, before)
    done = import_events(graph, Listed(imported))
    for step in after:
        send(graph, step)
    undo_import(graph, done.id)
    found = dump(graph)
    for part in ("nodes", "links"):
        assert set(found[part]) ^ set(expected[part]) == set()


def hidden(graph: Graph) -> set[str]:
    rows = graph.query("MATCH (n:Job|Dataset) WHERE n.hidden_at IS NOT NULL RETURN n.name AS name")
    return {row["name"] for row in rows}
