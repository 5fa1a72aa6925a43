"""States that are no plain ends: what is told of them, and that they set nothing off."""

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import SecretStr

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.numbering import number_changes
from lineagegraph.model.outbox.routes import Occasion, Route
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import FIRING
from lineagegraph.model.triggers.condition import OnDataset, OnFresh, OnStatus, OnUpstream, Or
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.reactions.commit import commit
from lineagegraph.store.outbox.notifications import list_notifications
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.state_changes import list_changes
from tests.events import run_event
from tests.integration.scheduling.rules import write_rules

LATEST = OnStatus(job="a", statuses=FIRING)
GOLD = OnDataset(namespace="file", name="/gold")
RULES = Or(
    operands=(
        LATEST,
        GOLD,
        OnFresh(of=LATEST, max_age=3600),
        OnUpstream(hops=1, statuses=FIRING),
    )
)
ENDS = [("COMPLETE", "FRESH_SKIP"), ("ABORT", "SKIPPED"), ("COMPLETE", "SUPERSEDED")]


def said(kind: str, state: str, **more: Any) -> dict[str, Any]:
    event = run_event("a", kind, outputs=(("file", "/gold"),), **more)
    facet = {"state": state, "reason": "WHY", "message": f"{state} because of x"}
    event["run"]["facets"]["lineagegraph"] = facet
    return event


def one(graph: Graph, text: str) -> dict[str, Any]:
    (row,) = graph.query(text)
    return row


@pytest.mark.parametrize(("kind", "state"), ENDS)
def test_what_ran_nothing_or_is_not_counted_fires_no_trigger(
    graph: Graph, kind: str, state: str
) -> None:
    graph.write(write_rules, {"job": Trigger(when=RULES)}, datetime(2020, 1, 1, tzinfo=UTC))
    run_id = new_id()
    assert graph.write(commit, extract([said(kind, state, run_id=run_id)])) == []
    run = one(graph, "MATCH (r:Run {name: 'a'}) RETURN r {.*, facts: null} AS run")["run"]
    assert (run["state"], run["reason"], run["message"]) == (
        state,
        "WHY",
        f"{state} because of x",
    )
    assert run["ended_at"]
    assert not {"unjudged_since", "error"} & run.keys()
    version = one(graph, "MATCH (v:DatasetVersion) RETURN v.written_at AS at")
    assert version["at"] is None


def test_a_wait_its_start_and_its_end_are_told_one_after_the_other(graph: Graph) -> None:
    run_id = new_id()
    events = [said("OTHER", "WAITING", run_id=run_id)]
    events += [run_event("a", kind, run_id=run_id) for kind in ("START", "COMPLETE")]
    graph.write(commit, extract(events))
    waits = [said("OTHER", "WAITING"), said("COMPLETE", "FRESH_SKIP", run_id=new_id())]
    for event in waits:
        graph.write(commit, extract([event]))
    changes = graph.read(list_changes, after=0, until=number_changes(graph).newest)
    assert [(c.state.value, c.reason, c.message) for c in changes] == [
        ("WAITING", "WHY", "WAITING because of x"),
        ("RUNNING", None, None),
        ("COMPLETED", None, None),
        ("WAITING", "WHY", "WAITING because of x"),
        ("FRESH_SKIP", "WHY", "FRESH_SKIP because of x"),
    ]


def test_what_waits_below_a_lost_run_is_open(graph: Graph) -> None:
    above, waits = new_id(), new_id()
    graph.write(commit, extract([run_event("a", "START", run_id=above)]))
    child = said("OTHER", "WAITING", run_id=waits, parent=(above, "a"))
    graph.write(commit, extract([child]))
    assert [run.id for run in graph.read(launches.list_open, id=above)] == [waits, above]


def test_a_notification_of_a_skip_has_its_line(graph: Graph) -> None:
    route = Route(on=(Occasion.SKIPPED,), to=SecretStr("log:"))
    graph.write(commit, extract([said("ABORT", "SKIPPED")]), routes=(route,))
    (told,) = graph.read(list_notifications, limit=10)
    assert (told.type, told.reason, told.message) == ("run.skipped", "WHY", "SKIPPED because of x")
