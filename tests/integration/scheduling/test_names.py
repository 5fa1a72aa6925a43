"""Rules that name what their jobs do not have, and circles of rules, are refused when made."""

import re

import msgspec
import pytest

from lineagegraph.authoring import on
from lineagegraph.authoring.triggers import trigger
from lineagegraph.errors import InvalidRule, TriggerCycle
from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.pipelines.definition import CommandTask, Emit, Parameter, Pipeline, Task
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.store.triggers import conditions, triggers
from lineagegraph.triggers.refusals import UnusableTriggers
from lineagegraph.triggers.stated import StatedTrigger
from lineagegraph.triggers.write import (
    delete_trigger,
    write_trigger,
    write_triggers,
)
from tests.definitions import NOTHING, define

LOAD = Task(
    name="load",
    work=CommandTask(command=("true",)),
    emits=(Emit(name="location", type="str"), Emit(name="files", type="list")),
)
MONTH = Parameter(name="month", type="int", default=1)
PLACE = Parameter(name="place", type="str", default="")
GOLD = Pipeline(name="gold", namespace="default", tasks=(LOAD,), parameters=(MONTH,))
GOLDEN = Pipeline(name="golden", namespace="default", tasks=(NOTHING,), parameters=(MONTH, PLACE))
DONE = OnStatus(job="gold", statuses=(RunState.COMPLETED,))

WRONG = [
    (trigger(on.success("gold").where(on.key("size") > 1)), "gold declares no 'size'"),
    (trigger(on.success("gold"), correlate_by="region"), "gold declares no 'region'"),
    (trigger(on.success("gold"), arguments={"place": "path"}), "declares no 'path'"),
    (trigger(on.success("gold"), arguments={"where": "location"}), "has no parameter 'where'"),
    (trigger(on.success("gold"), properties={"years": 3}), "has no parameter 'years'"),
]


@pytest.fixture
def golden(graph: Graph) -> str:
    define(graph, GOLD)
    return define(graph, GOLDEN)


@pytest.mark.parametrize(("rule", "says"), WRONG, ids=[says for _, says in WRONG])
def test_a_name_that_nobody_declares_is_refused(
    graph: Graph, golden: str, rule: Trigger, says: str
) -> None:
    with pytest.raises(InvalidRule, match=re.escape(says)):
        graph.write(write_trigger, rule, starts=golden, name="t", namespace="default")
    assert graph.query("MATCH (t:Trigger) RETURN t") == []


def test_names_that_are_declared_are_taken(graph: Graph, golden: str) -> None:
    rule = trigger(
        on.success("gold").where(on.key("files").not_empty(), month=1),
        arguments={"place": "load.location"},
    )
    assert graph.write(write_trigger, rule, starts=golden, name="t", namespace="default")


def test_a_job_that_declares_nothing_may_emit_anything(graph: Graph, golden: str) -> None:
    rule = trigger(on.success("elsewhere").where(on.key("size") > 1))
    assert graph.write(write_trigger, rule, starts=golden, name="t", namespace="default")


def test_a_circle_of_triggers_is_refused_with_its_path(graph: Graph, golden: str) -> None:
    gold = job_key(None, "default", "gold")
    graph.write(write_trigger, Trigger(when=DONE), starts=golden, name="a", namespace="default")
    back = Trigger(when=msgspec.structs.replace(DONE, job="golden"))
    with pytest.raises(TriggerCycle, match="gold -> golden -> gold"):
        graph.write(write_trigger, back, starts=gold, name="b", namespace="default")
    allowed = msgspec.structs.replace(back, allow_cycle=True)
    assert graph.write(write_trigger, allowed, starts=gold, name="b", namespace="default")
    graph.write(delete_trigger, starts=golden, name="a")
    assert graph.write(write_trigger, back, starts=gold, name="c", namespace="default")


def chain(graph: Graph, number: int) -> list[StatedTrigger]:
    """Define so many pipelines, and return triggers that start each after the one before it."""
    keys = [
        define(graph, Pipeline(name=f"p{each}", namespace="default", tasks=(NOTHING,)))
        for each in range(number)
    ]
    return [
        StatedTrigger(trigger(on.success(f"p{each}")), key, "t", "default", True, "definition")
        for each, key in enumerate(keys[1:])
    ]


def test_many_triggers_are_checked_for_circles_together(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()
    for room, name in ((conditions, "list_watched"), (triggers, "list_set_off")):
        read = getattr(room, name)

        def noting(*given: object, read=read, name=name, **named: object) -> object:
            asked.append(name)
            return read(*given, **named)

        monkeypatch.setattr(room, name, noting)
    stated = chain(graph, 8)
    graph.write(write_triggers, stated)
    assert asked == ["list_watched", "list_set_off"]


def test_of_many_triggers_that_close_a_circle_the_last_is_named(graph: Graph) -> None:
    *stated, last = chain(graph, 5)
    closing = last._replace(rule=trigger(on.success("p4")), starts=stated[0].starts, name="back")
    with pytest.raises(UnusableTriggers, match="p1 -> p2 -> p3 -> p4 -> p1") as refused:
        graph.write(write_triggers, [*stated, last, closing])
    assert list(refused.value.reasons) == [closing.starts]
    assert graph.query("MATCH (t:Trigger) RETURN t") == []


def test_the_last_trigger_of_each_circle_is_refused_and_no_other(graph: Graph) -> None:
    first, second, third, fourth = chain(graph, 5)
    closing = [
        fourth._replace(rule=trigger(on.success("p4")), name="itself"),
        second._replace(rule=trigger(on.success("p2")), starts=first.starts, name="back"),
        third._replace(rule=trigger(on.success("p3")), starts=first.starts, name="far back"),
    ]
    with pytest.raises(UnusableTriggers) as refused:
        graph.write(write_triggers, [first, second, third, fourth, *closing])
    assert {starts: str(why).split(": ")[1] for starts, why in refused.value.reasons.items()} == {
        first.starts: "p1 -> p2 -> p3 -> p1",
        fourth.starts: "p4 -> p4",
    }


def test_jobs_of_one_name_in_two_namespaces_have_their_own_names(graph: Graph, golden: str) -> None:
    define(graph, Pipeline(name="gold", namespace="other", tasks=(NOTHING,), parameters=(PLACE,)))
    here = on.success("gold")
    there = msgspec.structs.replace(here, namespace="other")
    right = trigger(here.where(on.key("month") > 1) & there.where(on.key("place") == "x"))
    graph.write(write_trigger, right, starts=golden, name="t", namespace="default")
    wrong = trigger(here.where(on.key("place") == "x") & there)
    with pytest.raises(InvalidRule, match="gold declares no 'place'"):
        graph.write(write_trigger, wrong, starts=golden, name="u", namespace="default")
