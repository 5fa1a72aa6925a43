"""What real producers sent, kept as data, gives one graph in any order."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.http.ingest.facet_check import FacetCheck
from lineagegraph.ingest.extract import extract
from tests.integration.ingest.test_order import dump, record_all, wipe

DATA = Path(__file__).parents[2] / "data" / "openlineage"
SENT = [
    pytest.param(json.loads(path.read_text(encoding="utf-8")), id=f"{path.parent.name}-{path.stem}")
    for path in sorted(DATA.glob("*/*.json"))
]
ENDS = {"COMPLETE", "FAIL", "ABORT"}


def orders_of(events: list[dict[str, Any]]) -> list[list[list[dict[str, Any]]]]:
    """Return ways to send events, as batches: all at once, backwards, ends first, mixed twice."""
    mixed = events * 2
    random.Random(1).shuffle(mixed)
    return [
        [events],
        [[event] for event in reversed(events)],
        [[event] for event in sorted(events, key=lambda e: e.get("eventType") not in ENDS)],
        [mixed[i : i + 5] for i in range(0, len(mixed), 5)],
    ]


@pytest.mark.parametrize("events", SENT)
def test_the_order_of_what_a_producer_sent_makes_no_difference(
    graph: Graph, events: list[dict[str, Any]]
) -> None:
    record_all(graph, [[event] for event in events])
    expected = dump(graph)
    for batches in orders_of(events):
        wipe(graph)
        record_all(graph, batches)
        assert dump(graph) == expected


@pytest.mark.parametrize("events", SENT)
def test_all_that_a_producer_sent_hangs_together_with_one_parent_each(
    graph: Graph, events: list[dict[str, Any]]
) -> None:
    record_all(graph, [events])
    told = sorted({event["run"]["runId"] for event in events if "run" in event})
    for label in ("Run", "Job"):
        (most,) = graph.query(
            f"MATCH (n:{label}) RETURN max(count {{ (:{label})-[:PARENT_OF]->(n) }}) AS parents"
        )
        assert most == {"parents": 1}
    (found,) = graph.query(
        "MATCH (root:Run)-[:PARENT_OF*0..]->(r:Run) WHERE r.id IN $told "
        "AND NOT (:Run)-[:PARENT_OF]->(root) "
        "RETURN count(DISTINCT r) AS runs, count(DISTINCT root) AS roots",
        {"told": told},
    )
    assert found == {"runs": len(told), "roots": 1}


@pytest.mark.parametrize("events", SENT)
def test_no_standard_facet_that_a_producer_sent_breaks_its_schema(
    events: list[dict[str, Any]],
) -> None:
    check = FacetCheck()
    assert [check.list_faults(event, extract([event])) for event in events] == [[]] * len(events)
