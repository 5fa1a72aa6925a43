"""Edges of columns have the first and last event time of their reports."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from lineagegraph.admin.imports import import_events, undo_import
from lineagegraph.graph import Graph
from tests.events import run_event
from tests.integration.imports.test_undo import Listed
from tests.integration.ingest.test_order import record_all, wipe

START = datetime(2026, 1, 1, tzinfo=UTC)
RUNS = [f"0199{n:04x}-0000-7000-8000-00000000c01a" for n in range(8)]


def write(day: int, *sources: str) -> dict[str, Any]:
    """A run that makes a column from columns, and all columns from the last of them."""
    event = run_event("job", run_id=RUNS[day], at=START + timedelta(days=day))
    named = [{"namespace": "lake", "name": "in", "field": name} for name in sources]
    facet = {"fields": {"c": {"inputFields": named}}, "dataset": named[-1:]}
    out = {"namespace": "lake", "name": "out", "facets": {"columnLineage": facet}}
    return event | {"outputs": [out]}


def days_seen(graph: Graph) -> set[tuple[str, str, int, int]]:
    rows = graph.query(
        "MATCH (made)-[e:DERIVED_FROM]->(s:Field) RETURN labels(made)[0] AS made, s.name AS source,"
        " e.first_seen AS first, e.last_seen AS last"
    )
    return {
        (row["made"], row["source"], (row["first"] - START).days, (row["last"] - START).days)
        for row in rows
    }


def test_edges_have_first_and_last_times_in_any_order_and_after_undo(graph: Graph) -> None:
    events = [write(0, "a", "b"), write(1, "a"), write(2, "a", "b"), write(5, "a")]
    expected = {
        *(("Field", "a", 0, 5), ("Field", "b", 0, 2)),
        *(("ColumnSet", "a", 1, 5), ("ColumnSet", "b", 0, 2)),
    }
    shuffled = random.Random(7).sample(events * 2, 8)
    for batches in ([events[::-1]], [shuffled[:3], shuffled[3:]]):
        wipe(graph)
        record_all(graph, batches)
        assert days_seen(graph) == expected
    done = import_events(graph, Listed([write(7, "b"), write(6, "a"), write(3, "new")]))
    assert ("Field", "b", 0, 7) in days_seen(graph)
    undo_import(graph, done.id)
    assert days_seen(graph) == expected
