"""The engine fires what a small model of the meaning fires, on random trees and orders."""

import json
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import (
    And,
    AnyCondition,
    AtLeast,
    Not,
    OnDataset,
    OnEvent,
    OnStatus,
    Or,
    Sequence,
)
from lineagegraph.model.triggers.trigger import Pick, Trigger
from lineagegraph.model.triggers.trigger_json import encode_trigger
from lineagegraph.reactions.commit import commit
from lineagegraph.store.jobs import jobs
from lineagegraph.triggers.react import react_to_events
from lineagegraph.triggers.write import write_trigger
from tests.events import run_event
from tests.integration.scheduling.trigger_model import Fired, Happened, TriggerModel

START = datetime(2026, 3, 1, tzinfo=UTC)
MAX_EVENT_AGE = timedelta(days=1)
SUPPRESSED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
PHASES = [Phase.explicit, Phase.generate]
STATES = {"COMPLETED": "COMPLETE", "FAILED": "FAIL", "KILLED": "ABORT"}
NUMBERS, EXAMPLES = count(), count()

spans = st.sampled_from([None, None, 3.0, 6.0, 12.0])
times = st.integers(1, 20)
payloads = st.fixed_dictionaries(
    {}, optional={"region": st.sampled_from(["EU", "US"]), "n": st.sampled_from([1, 1, 2])}
)


@st.composite
def leaf(draw: st.DrawFn) -> AnyCondition:
    terms: dict[str, Any] = {
        "within_seconds": draw(st.sampled_from([None, None, None, 10.0, 20.0])),
        "count": draw(st.sampled_from([1, 1, 1, 2, 3])),
    }
    match draw(st.sampled_from(["status", "status", "event", "event", "dataset"])):
        case "status":
            statuses = draw(st.sets(st.sampled_from(list(STATES)), min_size=1))
            found = tuple(RunState(status) for status in sorted(statuses))
            said = OnStatus(job=draw(st.sampled_from("ab")), statuses=found, **terms)
        case "event":
            said = OnEvent(name=draw(st.sampled_from("xy")), **terms)  # type: ignore[assignment]
        case _:
            said = OnDataset(namespace="file", name="d", **terms)  # type: ignore[assignment]
    return said.where(n=1) if draw(st.integers(0, 4)) == 0 else said


@st.composite
def tree(draw: st.DrawFn, depth: int = 3) -> AnyCondition:
    kind = draw(st.sampled_from(["and", "and", "or", "at_least", "sequence"]))
    if depth <= 0 or draw(st.integers(0, 3)) > depth:
        return draw(leaf())
    operands = draw(st.lists(tree(depth - 1), min_size=2, max_size=max(2, depth)))
    within = draw(spans)
    match kind:
        case "and":
            bars = [Not(operand=one) for one in draw(st.lists(tree(depth - 2), max_size=1))]
            return And(operands=(*operands, *bars), within_seconds=within)
        case "or":
            return Or(operands=tuple(operands), within_seconds=within)
        case "sequence":
            return Sequence(operands=tuple(operands), within_seconds=within)
    need = draw(st.integers(1, len(operands)))
    return AtLeast(count=need, operands=tuple(operands), within_seconds=within)


@st.composite
def rule(draw: st.DrawFn) -> Trigger:
    return Trigger(
        when=draw(tree()),
        pick=draw(st.sampled_from([Pick.LATEST, Pick.ALL, Pick.FIRST, Pick.FIRST])),
        correlate_by=draw(st.sampled_from([None, None, "region"])),
    )


@st.composite
def happened(draw: st.DrawFn) -> Happened:
    source = draw(st.sampled_from("abxyd"))
    status = {"x": "SAID", "y": "SAID", "d": "WRITTEN"}.get(source)
    status = status or draw(st.sampled_from(list(STATES)))
    part = f'{{"day":"{draw(st.integers(1, 3))}"}}' if source == "d" else ""
    subject = new_id()
    return Happened(source, subject, status, draw(times), part or subject, draw(payloads))


histories = st.lists(st.lists(happened(), min_size=1, max_size=4), min_size=6, max_size=8)
SETS = {"rules": st.lists(rule(), min_size=8, max_size=8), "history": histories}


@settings(max_examples=6, deadline=None, phases=PHASES, suppress_health_check=SUPPRESSED)
@given(again=st.randoms(use_true_random=False), **SETS)
def test_the_engine_fires_what_the_model_fires(
    graph: Graph, rules: list[Trigger], history: list[list[Happened]], again: Any
) -> None:
    check_history(graph, rules, history, again)


@pytest.mark.soak
@settings(max_examples=300, deadline=None, suppress_health_check=SUPPRESSED)
@given(again=st.randoms(use_true_random=False), **SETS)
def test_the_engine_fires_what_the_model_fires_at_length(
    graph: Graph, rules: list[Trigger], history: list[list[Happened]], again: Any
) -> None:
    check_history(graph, rules, history, again)


def check_history(
    graph: Graph, rules: list[Trigger], history: list[list[Happened]], again: Any
) -> None:
    # What was there stays for a while, so that the database need not plan its statements anew.
    if next(EXAMPLES) % 10 == 0:
        graph.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)
    graph.query("MATCH (t:Trigger {enabled: true}) SET t.enabled = false", write=True)
    ids = graph.write(make, rules)
    models = {id_: (one, TriggerModel(one)) for id_, one in zip(ids, rules, strict=True)}
    places = leaf_places(graph)
    seen: set[str] = set()
    sent: list[Happened] = []
    for step, batch in enumerate(history):
        now = 20 + step
        sent += batch
        if again.random() < 0.5:
            batch = [*batch, again.choice(sent)]
        for some in filter(None, (runs_of(batch), events_of(batch))):
            graph.write(send, some, START + timedelta(seconds=now))
            fired = new_firings(graph, ids, places, seen)
            for id_, (said, model) in models.items():
                for value in model.note(some):
                    try:
                        model.check(value, fired.pop((id_, value), []), now)
                    except AssertionError:
                        note(f"{encode_trigger(said)}\nat {now}, after {history[: step + 1]}")
                        raise
            assert not fired, f"fired for nothing: {fired}"


def make(tx: Transaction, rules: list[Trigger]) -> list[str]:
    """Write rules, each for a job of its own."""
    names = [f"target_{next(NUMBERS)}" for _ in rules]
    keys = [job_key(None, "default", name) for name in names]
    rows = [
        {"key": key, "namespace": "default", "name": name, "simple_name": name, "fqn": name}
        for key, name in zip(keys, names, strict=True)
    ]
    jobs.merge_jobs(tx, rows=[row | {"parent_key": None} for row in rows])
    return [
        write_trigger(tx, rule, name=name, namespace="default", starts=key, now=START)
        for rule, name, key in zip(rules, names, keys, strict=True)
    ]


def send(tx: Transaction, batch: list[Happened], now: datetime) -> None:
    """Report what happened, all of one kind, in one transaction."""
    if runs_of(batch):
        commit(tx, extract(map(to_event, batch)), max_event_age=MAX_EVENT_AGE, now=now)
    else:
        rows = [
            {"id": one.subject, "name": one.source, "at": at(one), "said": json.dumps(one.payload)}
            for one in batch
        ]
        tx.run(
            "UNWIND $rows AS row MERGE (e:ExternalEvent {id: row.id}) "
            "SET e.name = row.name, e.occurred_at = row.at, e.payload = row.said",
            rows=rows,
        ).consume()
        react_to_events(tx, [one.subject for one in batch], max_event_age=MAX_EVENT_AGE, now=now)


def runs_of(batch: list[Happened]) -> list[Happened]:
    return [one for one in batch if one.source in "abd"]


def events_of(batch: list[Happened]) -> list[Happened]:
    return [one for one in batch if one.source in "xy"]


def to_event(one: Happened) -> dict[str, Any]:
    writes = (("file", "d"),) if one.source == "d" else ()
    job = "writer" if one.source == "d" else one.source
    kind = STATES.get(one.status, "COMPLETE")
    event = run_event(job, kind, run_id=one.subject, at=at(one), outputs=writes)
    event["run"]["facets"]["lineagegraph"] = {"params": one.payload}
    if writes:
        listed = {"type": "partition", "partitions": [{"dimensions": json.loads(one.part)}]}
        event["outputs"][0]["outputFacets"] = {"subset": {"outputCondition": listed}}
    return event


def at(one: Happened) -> datetime:
    return START + timedelta(seconds=one.at)


def leaf_places(graph: Graph) -> dict[str, tuple[int, ...]]:
    rows = graph.query(
        "MATCH (:Trigger)-[:WHEN]->(root)-[o:OPERAND*0..]->(leaf:Condition) "
        "RETURN leaf.id AS id, [x IN o | x.position] AS place"
    )
    return {row["id"]: tuple(row["place"]) for row in rows}


def new_firings(
    graph: Graph, ids: list[str], places: dict[str, tuple[int, ...]], seen: set[str]
) -> dict[tuple[str, str | None], list[Fired]]:
    rows = graph.query(
        "MATCH (t:Trigger)-[:FIRED]->(f:Firing) WHERE t.id IN $ids AND NOT f.key IN $seen "
        "MATCH (f)-[c:CONSUMED]->(what) "
        "RETURN t.id AS trigger, f.value AS value, f.key AS key, f.generation AS generation, "
        "collect({leaf: c.condition_id, status: c.status, chosen: c.chosen, "
        "subject: coalesce([(r:Run)-[:WRITES]->(what) | r.id][0], what.id)}) AS took "
        "ORDER BY trigger, value, generation",
        {"ids": ids, "seen": sorted(seen)},
    )
    fired: dict[tuple[str, str | None], list[Fired]] = defaultdict(list)
    for row in rows:
        seen.add(row["key"])
        took = [
            ((places[one["leaf"]], one["subject"], one["status"]), one["chosen"])
            for one in row["took"]
        ]
        keys = frozenset(key for key, _ in took)
        chosen = frozenset(key for key, is_chosen in took if is_chosen)
        fired[row["trigger"], row["value"]].append(Fired(keys, chosen))
    return fired
