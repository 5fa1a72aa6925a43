"""Triggers that ask for quality: an update counts once all assertions about it have passed."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.condition import AnyCondition, OnDataset, OnFresh
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.reactions.commit import commit
from lineagegraph.triggers.preview.preview import preview_trigger
from tests.events import run_event
from tests.integration.scheduling.rules import end, write_rules

START = datetime(2026, 3, 1, tzinfo=UTC)
GOLD = OnDataset(namespace="lake", name="gold", quality="passed")
PLAIN = OnDataset(namespace="lake", name="gold")
Said = tuple[str, bool, str]


def minute(number: float) -> datetime:
    return START + timedelta(minutes=number)


def facet(*said: Said) -> dict[str, Any]:
    rows = [{"assertion": name, "success": ok, "severity": level} for name, ok, level in said]
    return {"dataQualityAssertions": {"assertions": rows}}


def send(graph: Graph, event: dict[str, Any], now: datetime) -> list[str]:
    found = graph.write(commit, extract([event]), now=now)
    return [one.reason for one in found if one.run_id]


def check(graph: Graph, at: datetime, *said: Said, kind: str = "COMPLETE") -> list[str]:
    """Report a run of tests, and return why runs were started."""
    event = run_event("tests", kind, at=at, inputs=(("lake", "gold"),))
    event["inputs"][0]["inputFacets"] = facet(*said)
    return send(graph, event, at)


def update(graph: Graph, at: datetime) -> list[str]:
    return end(graph, "writer", at=at, outputs=(("lake", "gold"),))


OK, ID, BAD, WARN = (
    ("rows", True, "error"),
    ("id", True, "error"),
    ("rows", False, "error"),
    ("rows", False, "warn"),
)


def rules(graph: Graph, **named: AnyCondition) -> dict[str, str]:
    return graph.write(write_rules, {n: Trigger(when=c) for n, c in named.items()}, START)


def test_an_update_fires_once_when_all_assertions_about_it_have_passed(graph: Graph) -> None:
    rules(graph, report=GOLD)
    assert update(graph, minute(1)) == []
    assert check(graph, minute(2), BAD, ID, kind="FAIL") == []
    (reason,) = check(graph, minute(3), OK)
    assert reason.startswith("lake:gold written and passed at 2026-03-01 00:03:00")
    assert check(graph, minute(4), BAD) == []
    assert check(graph, minute(5), OK, ID) == []
    assert update(graph, minute(6)) == []
    # The assertions about the last update are awaited.
    assert check(graph, minute(7), OK) == []
    assert len(check(graph, minute(8), ID)) == 1


def test_a_warning_blocks_nothing_and_a_run_can_judge_what_it_writes(graph: Graph) -> None:
    rules(graph, report=GOLD)
    event = run_event("writer", at=minute(1), outputs=(("lake", "gold"),))
    event["outputs"][0]["facets"] = facet(BAD)
    assert send(graph, event, minute(1)) == []
    event = run_event("writer", at=minute(2), outputs=(("lake", "gold"),))
    event["outputs"][0]["outputFacets"] = facet(WARN)
    assert len(send(graph, event, minute(2))) == 1


def test_a_dataset_event_can_pass_an_update_and_late_verdicts_are_put_in_order(
    graph: Graph,
) -> None:
    rules(graph, report=GOLD)
    update(graph, minute(1))
    assert check(graph, minute(5), BAD) == []
    # It passed before the verdict that is known already.
    late = run_event("tests", at=minute(3), inputs=(("lake", "gold"),))
    late["inputs"][0]["inputFacets"] = facet(OK)
    assert send(graph, late, minute(6)) == []
    told = {
        "eventTime": minute(7).isoformat(),
        "dataset": {"namespace": "lake", "name": "gold", "facets": facet(OK)},
    }
    assert len(send(graph, told, minute(7))) == 1


def test_old_verdicts_and_verdicts_about_earlier_updates_fire_nothing(graph: Graph) -> None:
    rules(graph, report=GOLD)
    update(graph, minute(1))
    update(graph, minute(10))
    late = run_event("tests", at=minute(5), inputs=(("lake", "gold"),))
    late["inputs"][0]["inputFacets"] = facet(OK)
    (reason,) = send(graph, late, minute(11))
    assert "00:05" in reason
    late["run"]["runId"], late["eventTime"] = new_id(), minute(12).isoformat()
    assert send(graph, late, minute(12 + 61)) == []


@pytest.mark.parametrize("kind", ["RUNNING", "FAIL", "ABORT"])
def test_the_verdict_of_a_writer_is_never_about_the_version_of_another(
    graph: Graph, kind: str
) -> None:
    ids = rules(graph, report=GOLD)
    first = run_event("writer", at=minute(1), outputs=(("lake", "gold"),))
    first["outputs"][0]["outputFacets"] = facet(BAD)
    assert send(graph, first, minute(1)) == []
    second = run_event("writer", kind, at=minute(2), outputs=(("lake", "gold"),))
    second["outputs"][0]["outputFacets"] = facet(OK)
    assert send(graph, second, minute(2)) == []
    if kind == "RUNNING":
        second |= {"eventType": "COMPLETE", "eventTime": minute(3).isoformat()}
        assert len(send(graph, second, minute(3))) == 1
    fired = graph.query(
        "MATCH (:Trigger {id: $id})-[:FIRED]->(f) RETURN f.fired_at", {"id": ids["report"]}
    )
    rule = Trigger(when=GOLD)
    found = graph.read(preview_trigger, rule, starts="none", namespace="default", now=minute(20))
    assert len(found.firings) == len(fired)


def test_freshness_can_ask_for_quality(graph: Graph) -> None:
    rules(graph, report=OnFresh(of=GOLD, max_age=3600))
    assert update(graph, minute(1)) == []
    (reason,) = check(graph, minute(30), OK)
    assert reason.startswith("lake:gold written and passed in the last 1h at 2026-03-01 00:01")


def test_a_preview_with_quality_fires_what_the_engine_fires(graph: Graph) -> None:
    named = {"passed": GOLD, "both": GOLD | PLAIN, "fresh": OnFresh(of=GOLD, max_age=600)}
    named["parts"] = GOLD.times(2)
    ids = rules(graph, **named)
    update(graph, minute(1))
    for at, said in ((2, [BAD, ID]), (3, [OK]), (4, [BAD]), (5, [WARN])):
        check(graph, minute(at), *said)
    update(graph, minute(6))
    check(graph, minute(7), OK)
    check(graph, minute(8), ID)
    update(graph, minute(9))
    for name, condition in named.items():
        rows = graph.query(
            "MATCH (:Trigger {id: $id})-[:FIRED]->(f:Firing)"
            " RETURN f.fired_at AS at, f.reason AS reason ORDER BY at",
            {"id": ids[name]},
        )
        found = graph.read(
            preview_trigger,
            Trigger(when=condition),
            starts="none",
            namespace="default",
            now=minute(20),
        )
        assert [(one.at, one.reason) for one in found.firings] == [
            (row["at"], row["reason"]) for row in rows
        ]
        assert rows, name
