"""An import that was undone leaves the graph as if it had never been."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from lineagegraph.admin.imports import import_events, undo_import
from lineagegraph.admin.imports.source import PAGE, SourcePage
from lineagegraph.errors import NotFound, SourceFailed
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.openlineage import decode_event
from lineagegraph.openlineage.decode import to_utc
from lineagegraph.openlineage.run_ids import identify_runs
from lineagegraph.reactions.commit import commit
from lineagegraph.triggers.react import react_to_missed
from tests.events import run_event
from tests.integration.ingest.test_order import SUPPRESSED, dump, event_sets, record_all, wipe
from tests.integration.scheduling.test_triggers import make_trigger

Events = list[dict[str, Any]]


class Listed:
    """A source that has its events in a list."""

    url = "http://listed"
    account: str | None = None

    def __init__(self, events: Events) -> None:
        self.events = sorted(events, key=time_of)

    def read_events(self, after: str, offset: int) -> SourcePage:
        found = [event for event in self.events if time_of(event) >= after][offset:]
        return SourcePage(found[:PAGE], len(found))

    def read(self, path: str, **query: str | int) -> dict[str, Any]:
        return {}


def time_of(event: dict[str, Any]) -> str:
    return to_utc(decode_event(identify_runs(event).event).event_time).isoformat(
        timespec="microseconds"
    )


@settings(max_examples=3, deadline=None, suppress_health_check=SUPPRESSED, phases=[Phase.generate])
@given(before=event_sets(), imported=event_sets(), after=event_sets(), shared=st.booleans())
def test_undoing_an_import_gives_the_graph_of_all_other_events(
    graph: Graph, before: Events, imported: Events, after: Events, shared: bool
) -> None:
    check_undo(graph, before, imported, after + imported[:1] * shared)


@pytest.mark.soak
@settings(max_examples=200, deadline=None, suppress_health_check=SUPPRESSED)
@given(before=event_sets(), imported=event_sets(), after=event_sets(), shared=st.booleans())
def test_undoing_an_import_gives_the_graph_of_all_other_events_at_length(
    graph: Graph, before: Events, imported: Events, after: Events, shared: bool
) -> None:
    check_undo(graph, before, imported, after + imported[:1] * shared)


def check_undo(
    graph: Graph,
    before: Events,
    imported: Events,
    after: Events,
    meanwhile: Callable[[Graph], object] = lambda graph: None,
) -> None:
    """Undo an import that has some of the events of others, and shares runs with the rest."""
    wipe(graph)
    record_all(graph, [before, after])
    expected = dump(graph)
    wipe(graph)
    record_all(graph, [before])
    done = import_events(graph, Listed(imported + before[:1]))
    meanwhile(graph)
    record_all(graph, [after])
    undo_import(graph, done.id)
    found = dump(graph)
    for part in ("nodes", "links"):
        assert set(found[part]) ^ set(expected[part]) == set()
    assert found == expected


def put_clock_back(graph: Graph) -> None:
    """Put the clock of the database back: what was before is an hour ahead."""
    graph.query(
        "MATCH (n:Import|Event) SET n.started_at = n.started_at + duration('PT1H'), "
        "n.received_at = n.received_at + duration('PT1H')",
        write=True,
    )


def test_what_is_reported_after_the_clock_was_put_back_stays_when_an_import_is_undone(
    graph: Graph,
) -> None:
    run_id = new_id()
    start, end = (
        run_event("a", kind, run_id=run_id, outputs=(("lake", "/a"),))
        for kind in ("START", "COMPLETE")
    )
    end["outputs"][0]["facets"] = {"schema": {"fields": [{"name": "x"}]}}
    check_undo(graph, [], [start], [end], put_clock_back)
    check_undo(graph, [start], [run_event("a", "RUNNING", run_id=run_id)], [end], put_clock_back)
    check_undo(graph, [start], [end], [end], put_clock_back)


def test_what_was_imported_fires_nothing_and_neither_does_its_undoing(graph: Graph) -> None:
    now = datetime.now(UTC)
    make_trigger(graph, OnStatus(job="a", statuses=(RunState.COMPLETED,)), now=now)
    event = run_event("a")
    done = import_events(graph, Listed([event]))
    assert react_to_missed(graph) == []
    undo_import(graph, done.id)
    assert react_to_missed(graph) == []
    assert len(graph.write(commit, extract([event]))) == 1


def test_of_two_imports_the_later_one_is_undone_first(graph: Graph) -> None:
    first = import_events(graph, Listed([run_event("a", namespace="one")]))
    alone = dump(graph)
    second = import_events(graph, Listed([run_event("b", namespace="one")]))
    with pytest.raises(SourceFailed, match=f"undo import {second.id} first"):
        undo_import(graph, first.id)
    undo_import(graph, second.id)
    assert dump(graph) == alone
    undo_import(graph, first.id[:20])
    assert dump(graph) == {"nodes": [], "links": []}


def test_an_import_that_is_not_there_cannot_be_undone(graph: Graph) -> None:
    with pytest.raises(NotFound, match="no import 'x'"):
        undo_import(graph, "x")


def test_an_undo_that_was_cut_short_goes_on(graph: Graph) -> None:
    known = run_event("known", outputs=(("lake", "/a"),))
    record_all(graph, [[known]])
    expected = dump(graph)
    events = [run_event(f"job{n}", outputs=(("lake", "/a"),)) for n in range(5)]
    done = import_events(graph, Listed([*events, known]))

    def cut(what: str) -> None:
        if what == "removing runs":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        undo_import(graph, done.id, cut)
    with pytest.raises(SourceFailed, match="is being undone"):
        import_events(graph, Listed(events))
    undo_import(graph, done.id)
    assert dump(graph) == expected
