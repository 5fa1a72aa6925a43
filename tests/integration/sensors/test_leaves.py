"""Triggers that watch sensors: they fire each time what is looked at turns true."""

from typing import Any

import msgspec
import pytest

from lineagegraph.errors import InvalidRule
from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.triggers.condition import OnEvent, OnSensor
from lineagegraph.model.triggers.trigger import Argument, Trigger
from lineagegraph.model.triggers.trigger_json import decode_trigger, encode_trigger
from lineagegraph.sensors import sensor_id
from lineagegraph.store.sensors import sensors
from lineagegraph.triggers.external_event import record_event
from lineagegraph.triggers.pause import pause_all
from lineagegraph.triggers.write import delete_trigger, enable_trigger
from tests.integration.scheduling.rules import GO, firing_states, say, write_rules
from tests.integration.sensors.theatre import SHARDS, Theatre, a_file, at

LEAF = OnSensor(kind="file", fields={"path": "/data/a"}, poke_interval=20)


@pytest.fixture
def theatre(graph: Graph) -> Theatre:
    return Theatre(graph)


def rule(theatre: Theatre, when: Any, seconds: float = 0.0, name: str = "job") -> str:
    rules = {name: Trigger(when=when)}
    return theatre.graph.write(write_rules, rules, at(seconds))[name]


def fired(theatre: Theatre) -> int:
    return len(firing_states(theatre.graph).get("job", []))


def test_a_trigger_fires_each_time_its_sensor_turns_true(theatre: Theatre) -> None:
    rule(theatre, LEAF)
    assert theatre.sensor(a_file())["interval"] == 20
    seen = []
    for seconds, is_true in enumerate([False, True, True, None, True, False, True]):
        theatre.poke(a_file(), is_true, seconds + 1, error=None if is_true is not None else "no")
        seen.append(fired(theatre))
    assert seen == [0, 1, 1, 1, 1, 1, 2]


def test_what_a_leaf_finds_true_when_it_looks_first_has_turned_true_for_it(
    theatre: Theatre,
) -> None:
    theatre.wait(a_file())
    theatre.poke(a_file(), True, 5)
    rule(theatre, LEAF, 10)
    theatre.poke(a_file(), True, 9, settled=11)
    assert fired(theatre) == 0
    theatre.poke(a_file(), True, 12)
    assert fired(theatre) == 1


def test_waits_and_leaves_share_a_sensor_that_is_looked_at_as_often_as_any_wants(
    theatre: Theatre,
) -> None:
    rule(theatre, LEAF)
    theatre.wait(a_file(), poke_interval=5)
    assert theatre.sensor(a_file())["interval"] == 5
    settled = theatre.poke(a_file(), True, 1)
    assert (settled.waits, len(settled.kept), fired(theatre)) == (1, 1, 1)
    assert theatre.sensor(a_file())["interval"] == 20


@pytest.mark.parametrize(("began", "firings"), [(9, 0), (11, 1)])
def test_what_turns_true_after_a_pause_that_no_daemon_has_ended_fires(
    theatre: Theatre, began: int, firings: int
) -> None:
    rule(theatre, LEAF)
    theatre.wait(a_file())
    theatre.graph.write(pause_all, "night", until=at(10), now=at(1))
    theatre.poke(a_file(), True, began, settled=12)
    assert fired(theatre) == firings


def test_a_suspended_trigger_is_told_nothing_then_or_later(theatre: Theatre) -> None:
    id_ = rule(theatre, LEAF)
    theatre.graph.write(enable_trigger, trigger_id=id_, enabled=False, now=at(1))
    assert "interval" not in theatre.sensor(a_file())
    theatre.poke(a_file(), True, 2)
    theatre.graph.write(enable_trigger, trigger_id=id_, enabled=True, now=at(3))
    assert theatre.sensor(a_file())["interval"] == 20
    theatre.poke(a_file(), True, 4)
    assert fired(theatre) == 0
    theatre.poke(a_file(), False, 5)
    theatre.poke(a_file(), True, 6)
    assert fired(theatre) == 1


def test_a_deleted_trigger_has_nothing_looked_at(theatre: Theatre) -> None:
    rule(theatre, LEAF)
    starts = job_key(None, "default", "job")
    theatre.graph.write(delete_trigger, starts=starts, name="job", now=at(1))
    assert "interval" not in theatre.sensor(a_file())


def test_a_rule_that_changes_keeps_what_its_sensor_was(theatre: Theatre) -> None:
    rule(theatre, LEAF)
    theatre.poke(a_file(), True, 1)
    rule(theatre, LEAF | GO, 2)
    theatre.poke(a_file(), True, 3)
    assert fired(theatre) == 1
    rule(theatre, OnSensor(kind="file", fields={"path": "/data/b"}), 4)
    assert "interval" not in theatre.sensor(a_file())
    assert theatre.sensor(a_file("b"))["interval"] == 60


def test_a_sensor_stands_beside_other_conditions(theatre: Theatre) -> None:
    rule(theatre, LEAF & GO)
    theatre.poke(a_file(), True, 1)
    assert fired(theatre) == 0
    assert theatre.graph.write(say, "go", at(2))
    assert fired(theatre) == 1


def test_a_leaf_has_a_json_form_with_spans_as_texts_and_fields_as_they_are(
    theatre: Theatre,
) -> None:
    fields = {"path": "/data/a", "unchanged_for": 5}
    said = {"on": "sensor", "kind": "file", "fields": fields, "poke_interval": "20s"}
    found = decode_trigger({"when": said})
    assert found.when == OnSensor(kind="file", fields=fields, poke_interval=20)
    assert decode_trigger(encode_trigger(found)) == found


@pytest.mark.parametrize(
    ("leaf", "said"),
    [
        (OnSensor(kind="fille", fields={}), "no kind of sensor is named 'fille'"),
        (OnSensor(kind="file", fields={"paht": "/a"}), "it has no field paht"),
        (OnSensor(kind="file", fields={"path": "/a"}, poke_interval=0), "0.1 seconds or more"),
        (OnSensor(kind="file", fields={"path": "/a"}, poke_interval=1e300), "ten years at"),
        (OnSensor(kind="time", fields={"delay": 5}), "depends on the start of a wait"),
        (OnSensor(kind="python", fields={"function": "os:getcwd"}), "define it in a definition"),
    ],
)
def test_a_leaf_that_cannot_be_looked_at_is_refused(
    theatre: Theatre, leaf: OnSensor, said: str
) -> None:
    with pytest.raises(InvalidRule, match=said):
        rule(theatre, leaf)
    assert theatre.graph.query("MATCH (s:Sensor) RETURN count(s) AS n") == [{"n": 0}]


def test_a_leaf_lets_the_interval_grow_from_when_it_began_or_its_sensor_changed(
    theatre: Theatre,
) -> None:
    leaf = OnSensor(**msgspec.structs.asdict(LEAF) | {"poke_backoff": 2, "max_poke_interval": 90})
    rule(theatre, leaf)
    theatre.poke(a_file(), True, 5)
    theatre.poke(a_file(), False, 6)
    (row,) = theatre.graph.read(sensors.list_sensing, shards=list(range(SHARDS)), since=None)
    assert (row.interval, row.backoff, row.longest) == (20, 2, 90)
    assert (row.watched_at, row.changed_at) == (at(0), at(6))
    theatre.wait(a_file(), 7)
    (row,) = theatre.graph.read(sensors.list_sensing, shards=list(range(SHARDS)), since=None)
    assert (row.interval, row.backoff, row.longest) == (20, 1, 90)


@pytest.mark.parametrize("factor", [0.5, 101.0])
def test_a_backoff_is_a_factor_from_1_to_100(theatre: Theatre, factor: float) -> None:
    leaf = OnSensor(kind="file", fields={"path": "/a"}, poke_backoff=factor)
    with pytest.raises(InvalidRule, match="use a number from 1 to 100"):
        rule(theatre, leaf)


def _params(theatre: Theatre) -> list[Any]:
    rows = theatre.graph.query(
        "MATCH (f:Firing)-[:STARTED]->(r:Run) RETURN f.fired_at AS at, r.params AS p ORDER BY at"
    )
    return [msgspec.json.decode(row["p"]) for row in rows]


def test_the_values_of_an_answer_are_parameters_of_the_run_that_it_starts(
    theatre: Theatre,
) -> None:
    files = Argument(parameter="path", key="newest")
    theatre.graph.write(write_rules, {"job": Trigger(when=LEAF, arguments=(files,))}, at(0))
    theatre.poke(a_file(), True, 5, value='{"newest": "b.csv", "rows": 3}')
    theatre.poke(a_file(), False, 6)
    theatre.poke(a_file(), True, 7, value='{"newest": "c.csv"}')
    assert [one["path"] for one in _params(theatre)] == ["b.csv", "c.csv"]


def test_one_answer_is_kept_once_for_all_triggers_and_is_no_event_for_others(
    theatre: Theatre,
) -> None:
    files = Argument(parameter="path", key="newest")
    rules = {name: Trigger(when=LEAF, arguments=(files,)) for name in ("one", "two")}
    heard = Trigger(when=OnEvent(name=f"sensor:{sensor_id(a_file())}"))
    theatre.graph.write(write_rules, rules | {"heard": heard}, at(0))
    theatre.poke(a_file(), True, 5, value='{"newest": "b.csv"}')
    theatre.poke(a_file(), True, 6, value='{"newest": "c.csv"}')
    assert theatre.graph.query("MATCH (e:ExternalEvent) RETURN e.payload AS said") == [
        {"said": '{"newest": "b.csv"}'}
    ]
    assert firing_states(theatre.graph) == {"one": ["STARTED"], "two": ["STARTED"]}


def test_a_sensor_without_the_value_that_an_argument_needs_is_a_dead_letter(
    theatre: Theatre,
) -> None:
    files = Argument(parameter="path", key="newest")
    theatre.graph.write(write_rules, {"job": Trigger(when=LEAF, arguments=(files,))}, at(0))
    theatre.poke(a_file(), True, 5)
    assert firing_states(theatre.graph) == {"job": ["DEAD_LETTER"]}


@pytest.mark.parametrize("given", [{"name": "sensor:a"}, {"name": "go", "event_id": "sensor:a 1"}])
def test_a_reported_event_does_not_pass_for_the_answer_of_a_sensor(graph, given):
    with pytest.raises(InvalidRule, match="those of sensors"):
        graph.write(record_event, **given)
