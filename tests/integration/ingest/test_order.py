"""The order, the number and the batches of events make no difference to the graph."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineagegraph.graph import Graph
from lineagegraph.ingest import lineage_parts, moves, parts, same_data
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.finish_moves import settle
from lineagegraph.ingest.record import record

START = datetime(2026, 1, 1, tzinfo=UTC)
IGNORED = {"state_at", "awaited_since", "unjudged_since", "received_at"}
RUNS = [f"0199{n:04x}-0000-7000-8000-000000000000" for n in range(12)]
RUNS[4] = RUNS[5] = "manual__2026-01-01T00:00:00+00:00"
RUNS[8] = "scheduled__2026-01-01"
# run: own name, its parent's run, that parent's name as the child spells it
TREE: dict[int, tuple[str, int | None]] = {
    0: ("dag", None),
    1: ("dag.extract", 0),
    2: ("nightly_app", 1),
    3: ("nightly_app.write_orders", 2),
    4: ("hourly", None),
    5: ("nightly_app", 4),
    6: ("nightly_app.write_orders", 5),
    7: ("dag.extract", None),  # forgets its parent always: belongs to the job of that FQN
    8: ("lonely", None),
    9: ("lonely.child", 8),
}


def run_event(
    run: int,
    event_type: str,
    minute: int,
    *,
    with_parent: bool = True,
    with_root: bool = False,
    inputs: tuple[str, ...] = (),
    outputs: tuple[str, ...] = (),
    name: str | None = None,
    kind: str | None = None,
    above: int | None = None,
) -> dict[str, Any]:
    own, parent = TREE[run]
    event: dict[str, Any] = {
        "eventTime": (START + timedelta(minutes=minute)).isoformat(),
        "eventType": event_type,
        "producer": "https://example.org/test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": RUNS[run], "facets": {}},
        "job": {"namespace": "ns", "name": name or own, "facets": job_type(kind)},
        "inputs": [dataset(n, minute) for n in inputs],
        "outputs": [dataset(n, minute) | {"outputFacets": stats(minute)} for n in outputs],
    }
    if above is not None:
        event["run"]["facets"]["parent"] = reference(above)
    elif parent is not None and with_parent:
        facet = reference(parent)
        root = parent
        while TREE[root][1] is not None:
            root = TREE[root][1]  # type: ignore[assignment]
        if with_root:
            facet["root"] = reference(root)
        event["run"]["facets"]["parent"] = facet
    return event


def with_state(event: dict[str, Any], state: str | None) -> dict[str, Any]:
    """Say a state in our own facet, whether or not it goes with the event."""
    if state:
        at = event["eventTime"]
        said = {"state": state, "reason": f"R{at[14:16]}", "message": f"{state} at {at}"}
        event["run"]["facets"]["lineagegraph"] = said
    return event


def mark_event(run: int, minute: int, state: str | None) -> dict[str, Any]:
    """Mark a run by hand, or take a mark back."""
    event = run_event(run, "OTHER", minute)
    mark = {"state": state, "reason": f"R{minute}", "author": "ann"}
    event["run"]["facets"] = {"lineagegraph": {"mark": mark}}
    return event


def job_type(kind: str | None) -> dict[str, Any]:
    return {"jobType": {"jobType": kind}} if kind else {}


def reference(run: int) -> dict[str, Any]:
    return {"run": {"runId": RUNS[run]}, "job": {"namespace": "ns", "name": TREE[run][0]}}


def dataset(name: str, minute: int) -> dict[str, Any]:
    columns = [{"name": "a", "type": "int"}, {"name": f"c{minute % 3}", "type": "string"}]
    sources = [{"namespace": "file", "name": "/in", "field": f"x{n}"} for n in range(minute % 3)]
    lineage: dict[str, Any] = {"a": {"inputFields": sources}, f"c{minute % 2}": {}}
    facets: dict[str, Any] = {"schema": {"fields": columns}}
    facets["columnLineage"] = {"fields": lineage, "dataset": sources}
    return {"namespace": "file", "name": name, "facets": facets}


def stats(minute: int) -> dict[str, Any]:
    return {"outputStatistics": {"rowCount": minute, "size": minute * 10}}


def record_all(graph: Graph, batches: list[list[dict[str, Any]]]) -> None:
    for batch in batches:
        graph.write(record, extract(batch))


def dump(graph: Graph) -> dict[str, list[str]]:
    """The whole graph as sorted text: nodes and relationships with all that they carry.

    Changes of state and the audit log are left out: they tell what was known when.
    """
    nodes = graph.query(
        "MATCH (n) WHERE NOT n:Migration AND NOT n:StateChange AND NOT n:AuditEntry "
        "RETURN labels(n) AS labels, properties(n) AS properties"
    )
    links = graph.query(
        "MATCH (a)-[r]->(b) WHERE NOT a:StateChange "
        "RETURN type(r) AS type, properties(r) AS properties, "
        "coalesce(a.id, a.key, a.hash) AS source, coalesce(b.id, b.key, b.hash) AS target"
    )
    return {"nodes": sorted(map(spell, nodes)), "links": sorted(map(spell, links))}


def spell(row: dict[str, Any]) -> str:
    kept = {k: v for k, v in row["properties"].items() if k not in IGNORED}
    return str({**row, "properties": dict(sorted(kept.items()))})


def wipe(graph: Graph) -> None:
    graph.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)


@st.composite
def event_sets(draw: st.DrawFn) -> list[dict[str, Any]]:
    events = []
    kinds = st.sampled_from([None, "TASK", "GROUP"])
    for _ in range(draw(st.integers(2, 12))):
        run = draw(st.sampled_from(sorted(TREE)))
        kind = draw(st.sampled_from(["START", "RUNNING", "COMPLETE", "FAIL", "ABORT", "OTHER"]))
        files = st.lists(st.sampled_from(["/a", "/b", "/in"]), max_size=2, unique=True)
        event = run_event(
            run,
            kind,
            draw(st.integers(0, 6)),
            with_parent=draw(st.booleans()),
            with_root=draw(st.booleans()),
            inputs=tuple(draw(files)),
            outputs=tuple(draw(files)),
            kind=draw(kinds),
            # Itself, or a run that may be below it.
            above=draw(
                st.sampled_from([None, None, None, run, run + 1 if run + 1 in TREE else run])
            ),
        )
        event["run"]["facets"] |= depends(draw(AROUND), draw(AROUND))
        event["job"]["facets"] |= draw(SAID) | draw(TAGS)
        for reference in list_references(event):
            reference["job"]["facets"] = draw(SAID)
        events.append(with_state(event, draw(STATES)))
        if draw(st.integers(0, 4)) == 0:
            events.append(mark_event(run, draw(st.integers(0, 6)), draw(MARKS)))
        for one in (*event["inputs"], *event["outputs"]):
            one["facets"] |= draw(NAMINGS) | draw(VERDICTS) | draw(TAGS)
    for minute in draw(st.lists(st.integers(0, 6), max_size=2)):
        events.append(dataset_event("/a", minute, draw(VERDICTS) | draw(TAGS)))
    for name in draw(st.lists(st.sampled_from(["dag.extract", "dag", "lonely"]), max_size=2)):
        events.append(job_event(name, draw(st.integers(0, 6)), kind=draw(kinds)))
    return events


def job_event(name: str, minute: int, kind: str | None = None) -> dict[str, Any]:
    return {
        "eventTime": (START + timedelta(minutes=minute)).isoformat(),
        "job": {"namespace": "ns", "name": name, "facets": job_type(kind)},
        "inputs": [dataset("/declared", minute)],
        "outputs": [],
    }


def depends(before: list[str], after: list[str]) -> dict[str, Any]:
    """Name jobs, and a run, that come before or after."""
    upstream: list[dict[str, Any]] = [
        {"job": {"namespace": "ns", "name": name}, "dependency_type": str(len(before))}
        for name in before
    ]
    downstream = [{"job": {"namespace": "ns", "name": name}} for name in after]
    return {"jobDependencies": {"upstream": upstream, "downstream": downstream}}


def list_references(event: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parent and the root of an event."""
    parent = event["run"]["facets"].get("parent")
    return [one for one in (parent, parent and parent.get("root")) if one]


def dataset_event(name: str, minute: int, facets: dict[str, Any]) -> dict[str, Any]:
    return {
        "eventTime": (START + timedelta(minutes=minute)).isoformat(),
        "dataset": {"namespace": "file", "name": name, "facets": facets},
    }


def assertions(*said: tuple[str, str | None, bool, str]) -> dict[str, Any]:
    keys = ("assertion", "column", "success", "severity")
    listed = [dict(zip(keys, one, strict=True)) for one in said]
    return {"dataQualityAssertions": {"assertions": listed}}


def identifier(name: str) -> dict[str, str]:
    return {"namespace": "file", "name": name}


def symlinks(*names: str) -> dict[str, Any]:
    return {"symlinks": {"identifiers": [identifier(name) | {"type": "TABLE"} for name in names]}}


def renamed(name: str) -> dict[str, Any]:
    change = {"lifecycleStateChange": "RENAME", "previousIdentifier": identifier(name)}
    return {"lifecycleStateChange": change}


NAMINGS = st.sampled_from(
    [
        *({}, {}, {}, {}, {"symlinks": {"_deleted": True}}),
        *(symlinks("/a"), symlinks("/table", "/in"), renamed("/b"), renamed("/table")),
        *(symlinks("/1", "/2", "/3"), symlinks("/a", "/b", "/in", "/3")),
    ]
)
AROUND = st.lists(st.sampled_from(["dag", "dag.extract", "other"]), max_size=2, unique=True)
SAID = st.sampled_from(
    [
        *({}, {}, {"sql": {"query": "SELECT 1"}}, {"sql": {"_deleted": True}}),
        {"sql": {"query": "SELECT 2"}, "documentation": {"description": "A job."}},
        {"jobType": {"jobType": "TASK", "processingType": "STREAMING"}},
    ]
)
VERDICTS = st.sampled_from(
    [
        {},
        assertions(("not_null", "a", True, "error")),
        assertions(("not_null", "a", False, "error"), ("rows", None, True, "error")),
        assertions(("rows", None, False, "warn"), ("rows", None, False, "error")),
        assertions(("rows", None, False, "warn"), ("rows", None, True, "error")),
    ]
)
TAGS = st.sampled_from(
    [
        *({}, {}, {"tags": {"_deleted": True}}, {"tags": {"tags": [{"key": "gold"}, {"key": 5}]}}),
        {"tags": {"tags": [{"key": "pii", "value": "true", "field": "a"}]}},
        {"tags": {"tags": [{"key": "gold", "value": [1]}, {"key": "pii", "field": "c1"}]}},
    ]
)
MARKS = st.sampled_from(["COMPLETED", "FAILED", None])
STATES = st.sampled_from([None, None, "WAITING", "FRESH_SKIP", "SKIPPED", "SUPERSEDED", "RUNNING"])
SUPPRESSED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture(autouse=True)
def few_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some sets of names that are the same become too large."""
    monkeypatch.setattr(same_data, "MOST_SAME", 4)


@settings(max_examples=10, deadline=None, suppress_health_check=SUPPRESSED)
@given(events=event_sets(), seed=st.integers(0, 2**32))
def test_any_order_repetition_and_batching_of_events_gives_the_same_graph(
    graph: Graph, events: list[dict[str, Any]], seed: int
) -> None:
    check_order(graph, events, seed)


@pytest.mark.soak
@settings(max_examples=400, deadline=None, suppress_health_check=SUPPRESSED)
@given(events=event_sets(), seed=st.integers(0, 2**32))
def test_any_order_gives_the_same_graph_at_length(
    graph: Graph, events: list[dict[str, Any]], seed: int
) -> None:
    check_order(graph, events, seed)


@settings(max_examples=5, deadline=None, suppress_health_check=SUPPRESSED)
@given(events=event_sets(), seed=st.integers(0, 2**32))
def test_moving_runs_in_small_parts_gives_the_same_graph(
    graph: Graph, events: list[dict[str, Any]], seed: int
) -> None:
    check_parts(graph, events, seed)


@pytest.mark.soak
@settings(max_examples=200, deadline=None, suppress_health_check=SUPPRESSED)
@given(events=event_sets(), seed=st.integers(0, 2**32))
def test_moving_runs_in_small_parts_gives_the_same_graph_at_length(
    graph: Graph, events: list[dict[str, Any]], seed: int
) -> None:
    check_parts(graph, events, seed)


@settings(max_examples=4, deadline=None, suppress_health_check=SUPPRESSED)
@given(events=event_sets(), seed=st.integers(0, 2**32))
def test_writing_events_in_parts_gives_the_same_graph(
    graph: Graph, events: list[dict[str, Any]], seed: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "MOST_USES", 2)
        patch.setattr(lineage_parts, "MOST_DERIVATIONS", 1)
        check_order(graph, events, seed, by_part=True)


def test_two_runs_that_name_each_other_as_parents_give_one_graph_alone_and_together(
    graph: Graph,
) -> None:
    check_order(graph, [run_event(3, "COMPLETE", 5), run_event(2, "START", 6, above=3)], 1)


def test_an_event_whose_writing_ended_midway_is_whole_once_it_is_sent_again(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "MOST_USES", 2)
    monkeypatch.setattr(lineage_parts, "MOST_DERIVATIONS", 1)
    event = run_event(1, "COMPLETE", 5, inputs=("/b", "/in"), outputs=("/a", "/b", "/c"))
    graph.write(record, extract([event]))
    whole = dump(graph)
    number = len(parts.split(extract([event])))
    assert number > 6
    for written in range(1, number):
        wipe(graph)
        for piece in parts.split(extract([event]))[:written]:
            graph.write(record, piece)
        assert dump(graph) != whole
        assert graph.query("MATCH (e:Event) RETURN count(e) AS n") == [{"n": 0}]
        for piece in parts.split(extract([event])):
            graph.write(record, piece)
        assert dump(graph) == whole


def check_parts(graph: Graph, events: list[dict[str, Any]], seed: int) -> None:
    """Move one run a transaction, between the events and after them."""
    wipe(graph)
    record_all(graph, [[event] for event in events])
    expected = dump(graph)
    chance = random.Random(seed)
    again = chance.sample(events, k=len(events))
    wipe(graph)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moves, "MOST_MOVES", 1)
        for event in again:
            record_all(graph, [[event]])
            if chance.random() < 0.3:
                graph.write(settle)
        for _ in range(1000):
            if not graph.write(settle):
                break
    found = dump(graph)
    for part in ("nodes", "links"):
        assert set(found[part]) ^ set(expected[part]) == set()


def check_order(
    graph: Graph, events: list[dict[str, Any]], seed: int, *, by_part: bool = False
) -> None:
    wipe(graph)
    for event in events:
        graph.write(record, extract([event]))
    expected = dump(graph)
    shuffled = random.Random(seed)
    again = events + shuffled.sample(events, k=len(events) // 2)
    shuffled.shuffle(again)
    size = shuffled.randint(1, len(again))
    wipe(graph)
    batches = [extract(again[i : i + size]) for i in range(0, len(again), size)]
    pieces = [piece for batch in batches for piece in (parts.split(batch) if by_part else [batch])]
    if by_part:
        shuffled.shuffle(pieces)
    for piece in pieces:
        graph.write(record, piece)
    found = dump(graph)
    for part in ("nodes", "links"):
        assert set(found[part]) ^ set(expected[part]) == set()
    assert found == expected
