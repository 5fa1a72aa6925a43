"""The state that a run has after its events, those that say it in our own facet included."""

from collections.abc import Iterable
from itertools import permutations

import pytest

from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.run_rows import ended_at, reason_and_message, started_at
from lineagegraph.model.runs.facts import RunFacts
from lineagegraph.model.runs.states import RunState

RUN = "019a0000-0000-7000-8000-000000000001"
Said = tuple[str, int] | tuple[str, int, str]


def facts_of(events: Iterable[Said]) -> RunFacts:
    return extract([event(*one) for one in events]).runs[RUN]


def event(kind: str, minute: int, state: str | None = None) -> dict[str, object]:
    said = {"state": state, "reason": f"WHY_{state}", "message": f"{state} at {minute}"}
    return {
        "eventType": kind,
        "eventTime": f"2026-01-01T00:{minute:02}:00Z",
        "producer": "https://example.org/test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": RUN, "facets": {"lineagegraph": said} if state else {}},
        "job": {"namespace": "ns", "name": "job", "facets": {}},
        "inputs": [],
        "outputs": [],
    }


W, F, S, L = "WAITING", "FRESH_SKIP", "SKIPPED", "SUPERSEDED"
CASES: list[tuple[list[Said], str]] = [
    ([("OTHER", 1, W)], "WAITING"),
    ([("OTHER", 1, W), ("OTHER", 2)], "WAITING"),
    ([("OTHER", 1, W), ("START", 2)], "RUNNING"),
    ([("OTHER", 3, W), ("START", 2)], "WAITING"),
    ([("OTHER", 2, W), ("START", 2)], "RUNNING"),
    ([("START", 1), ("OTHER", 2, W), ("START", 3)], "RUNNING"),
    ([("START", 1), ("OTHER", 2, W), ("RUNNING", 3)], "RUNNING"),
    ([("START", 1), ("OTHER", 2, W), ("RUNNING", 3), ("OTHER", 4, W)], "WAITING"),
    ([("START", 1), ("OTHER", 2, W), ("OTHER", 3)], "WAITING"),
    ([("START", 1), ("OTHER", 2, W), ("FAIL", 3)], "FAILED"),
    ([("START", 1), ("COMPLETE", 2), ("OTHER", 3, W)], "COMPLETED"),
    ([("OTHER", 1, W), ("COMPLETE", 2, F)], "FRESH_SKIP"),
    ([("OTHER", 1, W), ("START", 2), ("COMPLETE", 3)], "COMPLETED"),
    ([("OTHER", 1, W), ("FAIL", 2)], "FAILED"),
    ([("COMPLETE", 1, F), ("COMPLETE", 2)], "COMPLETED"),
    ([("COMPLETE", 1), ("COMPLETE", 2, F)], "FRESH_SKIP"),
    ([("COMPLETE", 1, F), ("FAIL", 2)], "FAILED"),
    ([("ABORT", 1, S)], "SKIPPED"),
    ([("ABORT", 1, S), ("ABORT", 2)], "KILLED"),
    ([("ABORT", 1, S), ("FAIL", 2)], "FAILED"),
    ([("ABORT", 1, S), ("START", 2), ("COMPLETE", 3)], "COMPLETED"),
    # What says it with a wrong event says nothing.
    ([("START", 1, F)], "RUNNING"),
    ([("COMPLETE", 1, S)], "COMPLETED"),
    ([("ABORT", 1, F)], "KILLED"),
    ([("COMPLETE", 1, "RUNNING")], "COMPLETED"),
    ([("START", 1, W)], "RUNNING"),
    # What a worker says that has lost its run.
    ([("START", 1), ("COMPLETE", 2, L)], "SUPERSEDED"),
    ([("START", 1), ("FAIL", 2, L)], "SUPERSEDED"),
    ([("START", 1), ("FAIL", 3), ("COMPLETE", 2, L)], "SUPERSEDED"),
    ([("START", 1), ("FAIL", 2), ("COMPLETE", 3, L)], "SUPERSEDED"),
    ([("START", 1), ("FAIL", 2), ("ABORT", 3, L)], "FAILED"),
    ([("START", 1), ("COMPLETE", 2), ("COMPLETE", 3, L)], "COMPLETED"),
    ([("COMPLETE", 1, F), ("COMPLETE", 3, L)], "FRESH_SKIP"),
    ([("START", 1), ("COMPLETE", 2, L), ("START", 3)], "RUNNING"),
    ([("START", 1), ("COMPLETE", 2, L), ("START", 3), ("FAIL", 4)], "FAILED"),
    ([("START", 1, L)], "PENDING"),
    ([("START", 1), ("OTHER", 2, L), ("FAIL", 3)], "FAILED"),
]


@pytest.mark.parametrize(("events", "state"), CASES, ids=str)
def test_a_state_follows_from_the_events_in_any_order(events: list[Said], state: str) -> None:
    assert {facts_of([*order, order[0]]).state for order in permutations(events)} == {state}


def test_the_reason_of_a_wait_is_gone_with_the_wait() -> None:
    waits: list[Said] = [("OTHER", 1, W), ("OTHER", 2, W)]
    told = {"reason": "WHY_WAITING", "message": "WAITING at 2"}
    assert reason_and_message(facts_of(waits)) == told
    assert reason_and_message(facts_of([*waits, ("START", 3)])) == {"reason": None, "message": None}


def test_the_reason_of_an_end_is_the_one_that_came_with_it() -> None:
    ended = facts_of([("OTHER", 1, W), ("COMPLETE", 2, F), ("OTHER", 3, W)])
    assert reason_and_message(ended) == {"reason": "WHY_FRESH_SKIP", "message": "FRESH_SKIP at 2"}


def test_a_run_that_waited_has_not_started_and_ended_with_its_last_word() -> None:
    facts = facts_of([("OTHER", 1, W), ("COMPLETE", 5, F)])
    assert started_at(facts) == "2026-01-01T00:05:00.000000+00:00"
    assert ended_at(facts, RunState.FRESH_SKIP) == "2026-01-01T00:05:00.000000+00:00"


def test_what_is_not_counted_says_less_than_what_is() -> None:
    late = event("COMPLETE", 9, L)
    late["job"] = {"namespace": "other", "name": "other", "facets": {}}
    facts = extract([event("START", 1), late]).runs[RUN]
    assert facts.get("name") == ["ns", "job"]
    assert ended_at(facts, facts.state) == "2026-01-01T00:09:00.000000+00:00"
