"""Triggers that people make and change where they look at them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

from lineagegraph.errors import ChangedMeanwhile, InvalidRule, NameTaken, NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.triggers.condition import OnEvent
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.queries.triggers.triggers import find_trigger
from lineagegraph.triggers.edit import edit_trigger, rule_hash
from lineagegraph.triggers.write import delete_trigger, write_trigger
from tests.integration.scheduling.rules import GO, write_rules

NOW = datetime(2026, 3, 1, tzinfo=UTC)
STOP = OnEvent(name="stop")
REPORT: dict[str, Any] = {"starts": job_key(None, "default", "report"), "namespace": "default"}


@pytest.fixture
def report(graph: Graph) -> Graph:
    """A job `report` with a trigger of that name, which no definition states."""
    graph.write(write_rules, {"report": Trigger(when=GO)}, NOW)
    return graph


def test_a_new_trigger_does_not_take_the_place_of_another(report: Graph) -> None:
    with pytest.raises(NameTaken, match="'report'"):
        report.write(edit_trigger, Trigger(when=STOP), name="report", is_new=True, **REPORT)
    assert find_trigger(report, "report").text == "event go"
    with pytest.raises(InvalidRule, match="needs a name"):
        report.write(edit_trigger, Trigger(when=STOP), name=" ", is_new=True, **REPORT)


def test_a_change_keeps_who_stated_a_trigger_and_whether_it_is_enabled(report: Graph) -> None:
    terms = {"name": "report", "is_new": False, "enabled": False}
    report.write(edit_trigger, Trigger(when=STOP), **terms, **REPORT)
    found = find_trigger(report, "report")
    assert (found.text, found.origin, found.enabled) == ("event stop", "test", True)


def test_a_change_does_not_bring_back_what_was_deleted_meanwhile(report: Graph) -> None:
    report.write(delete_trigger, starts=REPORT["starts"], name="report")
    with pytest.raises(NotFound, match="'report' was deleted meanwhile: make a new one"):
        report.write(edit_trigger, Trigger(when=STOP), name="report", is_new=False, **REPORT)
    with pytest.raises(NotFound):
        find_trigger(report, "report")


def test_of_two_changes_of_one_rule_the_second_is_refused(report: Graph) -> None:
    known = rule_hash(find_trigger(report, "report").rule)

    def change(event: str) -> str:
        rule, terms = Trigger(when=OnEvent(name=event)), {"name": "report", "is_new": False}
        try:
            report.write(edit_trigger, rule, known_hash=known, **terms, **REPORT)
        except ChangedMeanwhile as refused:
            return str(refused)
        return event

    with ThreadPoolExecutor() as both:
        won, refused = sorted(both.map(change, ("one", "two")), key=len)
    assert find_trigger(report, "report").text == f"event {won}"
    assert refused.startswith(f"trigger 'report' was changed meanwhile and is now 'event {won}'")


def test_what_a_definition_states_is_changed_there_alone(report: Graph) -> None:
    report.write(write_trigger, Trigger(when=GO), name="stated", **REPORT)
    report.query(
        "MATCH (j:Job {fqn: 'report'}) "
        "CREATE (:DefinitionFile {key: 'f', file: '/jobs/report.py'})-[:DECLARES {line: 7}]->(j)",
        write=True,
    )
    with pytest.raises(InvalidRule, match=r"stated is defined in /jobs/report\.py:7: change it"):
        report.write(edit_trigger, Trigger(when=STOP), name="stated", is_new=False, **REPORT)
    report.write(edit_trigger, Trigger(when=STOP), name="stated copy", is_new=True, **REPORT)
    assert find_trigger(report, "stated copy").origin == "request"
