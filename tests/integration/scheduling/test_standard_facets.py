"""Conditions on the standard facets of any producer: counts, nominal times, tags."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import AnyCondition, OnDataset, OnStatus
from lineagegraph.model.triggers.predicate import Key
from lineagegraph.model.triggers.trigger import Argument, Trigger
from lineagegraph.queries.triggers.why import read_why
from lineagegraph.reactions.commit import commit
from lineagegraph.store.triggers.firings import list_payloads
from lineagegraph.triggers.arguments import map_arguments
from lineagegraph.triggers.preview.preview import preview_trigger
from tests.events import run_event
from tests.integration.scheduling.rules import write_rules

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
LOAD = OnStatus(job="load", statuses=(RunState.COMPLETED,))
GOLD = OnDataset(namespace="file", name="/gold")
ROWS = Key("outputStatistics.rowCount")
NIGHT = "2026-03-02T00:00:00+00:00"


def loaded(run_id: str, kind: str, **rows: int) -> dict[str, Any]:
    """An event of a run that says how many rows it wrote into some datasets."""
    outputs = tuple(("file", f"/{name}") for name in rows)
    event = run_event("load", kind, run_id=run_id, at=NOON + MINUTE, outputs=outputs)
    for output, count in zip(event["outputs"], rows.values(), strict=True):
        output["outputFacets"] = {"outputStatistics": {"rowCount": count, "size": count * 100}}
    return event


def fired(graph: Graph, condition: AnyCondition, *events: dict[str, Any]) -> int:
    """How often a rule fires for a history: the engine, and its preview."""
    graph.write(write_rules, {"job": Trigger(when=condition)}, NOON)
    for event in events:
        graph.write(
            commit, extract([event]), now=NOON + 2 * MINUTE, max_event_age=timedelta(hours=1)
        )
    (row,) = graph.query("MATCH (f:Firing) RETURN count(f) AS n")
    starts = job_key(None, "default", "job")
    seen = graph.read(
        preview_trigger,
        Trigger(when=condition),
        starts=starts,
        namespace="default",
        now=NOON + 2 * MINUTE,
    )
    assert len(seen.firings) == row["n"]
    return int(row["n"])


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("condition", "times"),
    [
        (LOAD.where(ROWS > 11), 1),
        (LOAD.where(ROWS > 12), 0),
        (LOAD.where(Key("outputStatistics.size") == 1200), 1),
        (LOAD.where(Key("outputStatistics.fileCount").exists()), 0),
        (GOLD.where(ROWS == 5), 1),
        (GOLD.where(ROWS == 12), 0),
        (LOAD.where(Key("nominalTime.nominalStartTime") == NIGHT), 1),
        (LOAD.where(Key("nominalTime.nominalEndTime").exists()), 0),
        (LOAD.where(Key("tags.cost_center") == "42").where(Key("tags.tier") == "gold"), 1),
        (LOAD.where(Key("tags.tier") == "job"), 0),
        (LOAD.where(Key("extractionError.completeness") < 0.8), 1),
        (LOAD.where(Key("extractionError.failedTasks") > 1), 0),
    ],
    ids=str,
)
def test_a_condition_tests_values_of_standard_facets_in_any_order_of_events(
    graph: Graph, condition: AnyCondition, times: int, order: int
) -> None:
    run = new_id()
    start, end = loaded(run, "START", silver=7), loaded(run, "COMPLETE", gold=5)
    start["run"]["facets"]["nominalTime"] = {"nominalStartTime": "2026-03-02T01:00:00+01:00"}
    start["run"]["facets"]["tags"] = {"tags": [{"key": "tier", "value": "gold", "source": "x"}]}
    for event in (start, end):
        tags = [{"key": "cost_center", "value": "42"}, {"key": "tier", "value": "job"}, 7]
        event["job"]["facets"]["tags"] = {"tags": tags}
    start["run"]["facets"]["tags"]["tags"] += start["job"]["facets"]["tags"]["tags"][:1]
    end["run"]["facets"]["tags"] = start["run"]["facets"]["tags"]
    end["run"]["facets"]["extractionError"] = {"totalTasks": 4, "failedTasks": 1, "errors": []}
    assert fired(graph, condition, *[start, end][::order]) == times


@pytest.mark.parametrize(
    ("change", "times"),
    [("DROP", 0), ("RENAME", 0), ("ALTER", 0), ("TRUNCATE", 1), ("CREATE", 1), ("OVERWRITE", 1)],
)
def test_a_dataset_that_is_dropped_renamed_or_altered_has_no_new_data(
    graph: Graph, change: str, times: int
) -> None:
    event = loaded(new_id(), "COMPLETE", gold=5)
    event["outputs"][0]["facets"] = {"lifecycleStateChange": {"lifecycleStateChange": change}}
    assert fired(graph, GOLD, event) == times
    written = graph.query(
        "MATCH (:Run)-[:WRITES]->(v:DatasetVersion) RETURN v.written_at IS NOT NULL AS is_written"
    )
    assert [row["is_written"] for row in written] == [times == 1]


def test_odd_facets_are_no_values(graph: Graph) -> None:
    event = loaded(new_id(), "COMPLETE", gold=5)
    event["outputs"][0]["outputFacets"]["outputStatistics"] = {"rowCount": "many", "size": True}
    event["run"]["facets"] |= {"tags": {"tags": {"a": 1}}, "nominalTime": {"nominalStartTime": 7}}
    event["run"]["facets"]["extractionError"] = {"totalTasks": 0, "failedTasks": "1"}
    condition = LOAD.where(ROWS.exists())
    assert fired(graph, condition, event) == 0
    (row,) = graph.query("MATCH (t:Trigger) RETURN t.id AS id")
    why = read_why(graph, row["id"])
    assert "which has nothing" in str(why)


def test_what_was_emitted_comes_before_a_facet_of_the_same_name(graph: Graph) -> None:
    event = loaded(new_id(), "COMPLETE", gold=5)
    event["run"]["facets"]["lineagegraph"] = {"emitted": {"outputStatistics": {"rowCount": 99}}}
    assert fired(graph, LOAD.where(ROWS == 99), event) == 1


def test_an_argument_takes_the_value_of_a_facet(graph: Graph) -> None:
    assert fired(graph, LOAD, loaded(new_id(), "COMPLETE", gold=5, silver=7)) == 1
    (row,) = graph.query("MATCH (f:Firing) RETURN f.key AS key")
    payloads = graph.read(list_payloads, keys=[row["key"]])
    argument = Argument(parameter="rows", key="outputStatistics.rowCount")
    assert map_arguments(Trigger(when=LOAD, arguments=(argument,)), payloads) == {"rows": 12}
