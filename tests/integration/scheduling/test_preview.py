"""A preview says what the rule would have fired: what the engine fires on the same history."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count, product
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, note, settings
from hypothesis import strategies as st

from lineagegraph.errors import InvalidRule
from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import (
    AnyCondition,
    OnAbsent,
    OnCron,
    OnDataset,
    OnEvent,
    OnFresh,
    OnInterval,
    OnStatus,
    OnUpstream,
)
from lineagegraph.model.triggers.constraint import Concurrency
from lineagegraph.model.triggers.trigger import Argument, CatchUp, Pick, Reset, Trigger
from lineagegraph.model.triggers.trigger_json import encode_trigger, read_stored
from lineagegraph.store.triggers.cells import list_truths as cells_on_server
from lineagegraph.store.triggers.occurrences import link_occurrences
from lineagegraph.triggers.condition_nodes import ConditionNode, make_tree
from lineagegraph.triggers.preview import Preview
from lineagegraph.triggers.preview.preview import preview_trigger
from lineagegraph.triggers.react import react_to_times
from lineagegraph.triggers.reset import reset_due
from lineagegraph.triggers.truths import list_truths, make_truths
from tests.integration.scheduling.rules import end, say, write_rules
from tests.integration.scheduling.test_semantics import (
    START,
    SUPPRESSED,
    Happened,
    happened,
    rule,
    send,
)

A = OnStatus(job="a", statuses=(RunState.COMPLETED,))
GOLD = OnDataset(namespace="file", name="d")
PHASES = [Phase.explicit, Phase.generate]
# Of equal instants in two zones the server says that they are not equal.
A_BIT = timedelta(milliseconds=1)
EXAMPLES = count(1)
# One run that is several occurrences at once: which of them is named last follows from the ids.
B = OnStatus(job="b", statuses=(RunState.COMPLETED,))
AT_ONCE = Trigger(
    when=B | (OnEvent(name="y") & B.times(3)), pick=Pick.LATEST, correlate_by="region"
)
ONE = Happened("b", new_id(), "COMPLETED", 1, "", {"region": "EU"})
LARGE = [*SUPPRESSED, HealthCheck.large_base_example]
Firing = tuple[datetime, str | None, list[str], list[tuple[str, datetime]]]


@st.composite
def state(draw: st.DrawFn) -> AnyCondition:
    """A condition that has times of its own, alone or beside what happens."""
    of = draw(st.sampled_from([A, GOLD]))
    said: AnyCondition = draw(
        st.sampled_from(
            [
                OnFresh(of=of, max_age=4),
                OnAbsent(of=draw(st.sampled_from([of, OnEvent(name="x")])), for_seconds=5),
                OnCron(cron="* * * * *", zone="Europe/Berlin"),
                OnInterval(seconds=7),
            ]
        )
    )
    beside = draw(st.sampled_from([None, OnEvent(name="y"), GOLD]))
    if beside is None:
        return said
    return draw(st.sampled_from([said & beside, said | beside]))


@st.composite
def timed_rule(draw: st.DrawFn) -> Trigger:
    reset = Reset(cron="* * * * *", zone="UTC")
    return Trigger(
        when=draw(state()),
        pick=draw(st.sampled_from(list(Pick))),
        reset=draw(st.sampled_from([None, reset])),
        catch_up=draw(st.sampled_from(list(CatchUp))),
    )


def hasty(said: Trigger) -> Trigger:
    """Let what a leaf wants be too old within a short history."""
    text = encode_trigger(said).replace('"within":10.0', '"within":2.0')
    return read_stored(text.replace('"within":20.0', '"within":5.0'))


histories = st.lists(happened(), min_size=6, max_size=18)
rules = st.lists(rule().map(hasty) | timed_rule(), min_size=12, max_size=12)


@settings(max_examples=8, deadline=None, phases=PHASES, suppress_health_check=LARGE)
@given(said=st.lists(rule(), min_size=10, max_size=10), seed=st.integers())
def test_in_memory_a_condition_is_true_where_the_server_finds_it_true(
    graph: Graph, said: list[Trigger], seed: int
) -> None:
    named = {f"rule_{next(EXAMPLES)}": one for one in said}
    ids = graph.write(write_rules, named, START)
    trees = {ids[name]: make_tree(ids[name], one.when) for name, one in named.items()}
    random = Random(seed)
    rows = [row for id_, nodes in trees.items() for row in held_rows(id_, nodes, random)]
    cells = graph.write(link_occurrences, rows=rows, now=START)
    for cell in graph.read(cells_on_server, ids=cells, now=START):
        assert list_truths(make_truths(trees[cell.trigger_id]), cell.held) == cell.truths


def held_rows(
    trigger_id: str, nodes: list[ConditionNode], random: Random
) -> Iterator[dict[str, Any]]:
    """Return some occurrences for each leaf of a tree, in each of some cells."""
    leaves = [node.id for node in nodes if not node.operands]
    for number, (cell, id_) in enumerate(product("123456", leaves * 4)):
        if random.random() < 0.6:
            yield {
                "trigger_id": trigger_id,
                "condition_id": id_,
                "cell_id": f"{trigger_id} {cell}",
                "cell_value": cell,
                "key": f"{id_} {number}",
                "status": "SAID",
                "part": str(random.randint(1, 5)),
                "occurred_at": (START + timedelta(seconds=random.randint(1, 20))).isoformat(),
            }


@settings(max_examples=5, deadline=None, phases=PHASES, suppress_health_check=LARGE)
@given(rules=rules, history=histories)
@example(rules=[AT_ONCE] * 8, history=[ONE])
def test_a_preview_fires_what_the_engine_fires(
    graph: Graph, rules: list[Trigger], history: list[Happened]
) -> None:
    check_preview(graph, rules, history)


@pytest.mark.soak
@settings(max_examples=200, deadline=None, suppress_health_check=LARGE)
@given(rules=rules, history=histories)
def test_a_preview_fires_what_the_engine_fires_at_length(
    graph: Graph, rules: list[Trigger], history: list[Happened]
) -> None:
    check_preview(graph, rules, history)


def check_preview(graph: Graph, rules: list[Trigger], history: list[Happened]) -> None:
    # Each on a day of its own: what was there may stay, so nothing is planned anew.
    graph.query("MATCH (t:Trigger {enabled: true}) SET t.enabled = false", write=True)
    number = next(EXAMPLES)
    begin = START + timedelta(days=number, seconds=-5)
    named = {f"target_{number}_{i}": rule for i, rule in enumerate(rules)}
    ids = graph.write(write_rules, named, begin)
    until = begin + timedelta(seconds=len(history) + 8)
    for second in range(1, len(history) + 9):
        now = begin + timedelta(seconds=second)
        graph.write(reset_due, now=now + A_BIT)
        for one in history[second - 1 : second]:
            graph.write(send, [one._replace(at=(now - START).total_seconds())], now)
        graph.write(react_to_times, now=now + A_BIT)
    for name, said in named.items():
        place = {"starts": job_key(None, "default", name), "namespace": "default"}
        span = until - begin
        found = graph.read(preview_trigger, said, **place, span=span, now=until)
        note(f"{encode_trigger(said)} on {history}")
        assert foreseen(found) == list(fired(graph, ids[name]))


def preview(graph: Graph, said: Trigger | AnyCondition) -> Preview:
    said = said if isinstance(said, Trigger) else Trigger(when=said)
    return graph.read(
        preview_trigger,
        said,
        starts=job_key(None, "default", "report"),
        namespace="default",
        now=START + timedelta(hours=1),
    )


def test_a_rule_that_is_not_there_is_told_when_it_would_have_fired_and_with_what(
    graph: Graph,
) -> None:
    end(graph, "a", at=START, own={"params": {"region": "EU"}})
    place = Argument(parameter="place", key="region", job="a")
    found = preview(graph, Trigger(when=A, arguments=(place,), properties={"month": 3}))
    (one,) = found.firings
    assert one.at == START
    assert one.parameters == {"month": 3, "place": "EU"}
    assert [(cause.kind, cause.name, cause.status) for cause in one.causes] == [
        ("run", "a", "COMPLETED")
    ]
    assert one.trouble is None
    assert graph.query("MATCH (n) WHERE n:Trigger OR n:Condition OR n:Firing RETURN n") == []


def test_what_would_not_have_counted_or_started_says_why(graph: Graph) -> None:
    end(graph, "a", at=START, own={"params": {"rows": 0}})
    end(graph, "a", "FAIL", at=START)
    end(graph, "a", at=START - timedelta(days=8))
    found = preview(graph, A.where(rows=1))
    assert found.firings == ()
    assert found.happened == 1
    assert "rows = 1: it is 0" in found.refused[0]
    needs = Argument(parameter="place", key="region")
    (one,) = preview(graph, Trigger(when=A, arguments=(needs,))).firings
    assert "parameter place needs 'region'" in (one.trouble or "")


def test_a_preview_sees_what_feeds_a_job_and_what_was_said(graph: Graph) -> None:
    for job, reads, writes in (("a", (), "raw"), ("b", ("raw",), "d"), ("report", ("d",), "pdf")):
        end(
            graph,
            job,
            at=START,
            inputs=tuple(("file", one) for one in reads),
            outputs=(("file", writes),),
        )
    graph.write(say, "go", START + timedelta(minutes=1))
    near = OnUpstream(hops=1, statuses=(RunState.COMPLETED,))
    assert [one.causes[0].name for one in preview(graph, near).firings] == ["b"]
    far = OnUpstream(hops=2, statuses=(RunState.COMPLETED,))
    assert sorted(one.causes[0].name for one in preview(graph, far).firings) == ["a", "b"]
    (one,) = preview(graph, far & OnEvent(name="go")).firings
    assert one.at == START + timedelta(minutes=1)


def test_a_preview_says_what_it_cannot_know_and_refuses_what_no_rule_can_be(graph: Graph) -> None:
    (said,) = preview(graph, Trigger(when=A, constraints=(Concurrency(limit=1),))).notes
    assert "concurrency" in said
    with pytest.raises(InvalidRule, match="a status is missing"):
        preview(graph, OnStatus(job="a", statuses=()))


def foreseen(preview: Preview) -> list[Firing]:
    return [
        (
            one.at,
            one.value,
            parts_of(one.reason, one.value),
            sorted((cause.status, cause.at) for cause in one.causes),
        )
        for one in preview.firings
    ]


def fired(graph: Graph, id_: str) -> Iterator[Firing]:
    rows = graph.query(
        "MATCH (:Trigger {id: $id})-[:FIRED]->(f:Firing) "
        "RETURN datetime.truncate('second', f.fired_at) AS at, f.value AS value, "
        "f.reason AS reason, "
        "COLLECT { MATCH (f)-[c:CONSUMED]->() RETURN [c.status, c.occurred_at] } AS took "
        "ORDER BY at, value, f.generation",
        {"id": id_},
    )
    for row in rows:
        took = sorted((status, at) for status, at in row["took"])
        yield row["at"], row["value"], parts_of(row["reason"], row["value"]), took


def parts_of(reason: str, value: str | None) -> list[str]:
    """Return the occurrences of a reason: those of one time are in no order that matters."""
    return sorted(reason.removesuffix(f" for {value}").split(" and "))
