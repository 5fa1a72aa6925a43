"""New items of a sensor: each fires once, with the cursor behind it, whoever settles."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from lineagegraph.admin.audit import AuditFilter, list_entries
from lineagegraph.errors import InvalidSensor
from lineagegraph.graph import Graph
from lineagegraph.model.new_items import new_items
from lineagegraph.model.triggers.condition import OnCron, OnSensor
from lineagegraph.model.triggers.trigger import Argument, Overlap, Pick, Trigger
from lineagegraph.queries.sensors import read_sensor
from lineagegraph.sensors import make_sensor, sensor_id
from lineagegraph.store.sensors import sensors
from lineagegraph.triggers.pause import pause_all, resume_all
from lineagegraph.triggers.write import delete_trigger, enable_trigger
from lineagegraph.waits.cursors import set_cursor_by_hand
from lineagegraph.waits.idle import release_idle
from lineagegraph.waits.poke import Poke, Settled
from tests.integration.scheduling.rules import firing_states, write_rules
from tests.integration.sensors.theatre import Theatre, a_file, at, poke

LEAF = OnSensor(kind="file", fields={"path": "/data/a"}, poke_interval=20)
PATH = Argument(parameter="path", key="path")


@pytest.fixture
def theatre(graph: Graph) -> Theatre:
    return Theatre(graph)


def rule(theatre: Theatre, seconds: float = 0.0, name: str = "job", **terms: Any) -> str:
    given = {"when": LEAF, "arguments": (PATH,)} | terms
    return theatre.graph.write(write_rules, {name: Trigger(**given)}, at(seconds))[name]


def found(names: str, began: float, *, after: int, cursor: Any = None) -> Poke:
    """Return the answer of a poke that found an item for each letter."""
    answer = new_items([{"path": name} for name in names], cursor=cursor or names)
    return msgspec.structs.replace(
        poke(a_file(), bool(answer), began),
        items=answer.items,
        cursor=answer.cursor,
        after=after,
    )


def settle(theatre: Theatre, *pokes: Poke, seconds: float) -> Settled:
    return theatre.settle(list(pokes), seconds)


def paths(graph: Graph, name: str = "job") -> list[Any]:
    rows = graph.query(
        "MATCH (t:Trigger {name: $name})-[:FIRED]->(f:Firing)-[:STARTED]->(r:Run)"
        " RETURN r.params AS p ORDER BY f.fired_at, f.generation",
        {"name": name},
    )
    return [msgspec.json.decode(row["p"])["path"] for row in rows]


def cursor(theatre: Theatre) -> tuple[str | None, int]:
    known = theatre.sensor(a_file())
    return known.get("cursor"), known.get("cursor_number", 0)


def test_each_item_fires_on_its_own_and_in_order(theatre: Theatre) -> None:
    rule(theatre)
    assert settle(theatre, found("abc", 5, after=0), seconds=5).moved == {sensor_id(a_file())}
    settle(theatre, found("", 6, after=1, cursor="c"), seconds=6)
    settle(theatre, found("d", 7, after=2), seconds=7)
    assert paths(theatre.graph) == ["a", "b", "c", "d"]
    assert cursor(theatre) == ('"d"', 3)


def test_an_answer_to_a_poke_with_an_old_cursor_is_dropped(theatre: Theatre) -> None:
    rule(theatre)
    settle(theatre, found("ab", 5, after=0), seconds=5)
    late = settle(theatre, found("abc", 4, after=0), seconds=6)
    again = settle(theatre, found("ab", 6, after=0), seconds=7)
    assert not late.moved
    assert not again.moved
    assert paths(theatre.graph) == ["a", "b"]
    assert cursor(theatre) == ('"ab"', 1)


def test_equal_cursors_do_not_make_an_old_answer_count(theatre: Theatre) -> None:
    rule(theatre)
    settle(theatre, found("a", 5, after=0, cursor="same"), seconds=5)
    settle(theatre, found("b", 6, after=1, cursor="same"), seconds=6)
    assert not settle(theatre, found("b", 6, after=1, cursor="same"), seconds=7).moved
    assert paths(theatre.graph) == ["a", "b"]


def test_of_many_who_settle_on_one_cursor_one_does(theatre: Theatre) -> None:
    rule(theatre)
    for number in range(5):
        answers = [found(f"{number}{who}", 5 + number, after=number) for who in "wxyz"]
        with ThreadPoolExecutor(4) as pool:
            settled = list(
                pool.map(lambda one: settle(theatre, one, seconds=5 + number), answers)  # noqa: B023
            )
        assert sorted(len(one.moved) for one in settled) == [0, 0, 0, 1]
    assert [path for path in paths(theatre.graph) if path.isdecimal()] == list("01234")
    assert len(paths(theatre.graph)) == 10


def test_items_for_nobody_stay_behind_the_cursor(theatre: Theatre) -> None:
    theatre.wait(a_file())
    assert settle(theatre, found("a", 5, after=0), seconds=5).waits == 1
    assert cursor(theatre) == (None, 0)
    id_ = rule(theatre, 6)
    theatre.graph.write(enable_trigger, trigger_id=id_, enabled=False, now=at(7))
    settle(theatre, found("a", 8, after=0), seconds=8)
    theatre.graph.write(enable_trigger, trigger_id=id_, enabled=True, now=at(9))
    settle(theatre, found("a", 8, after=0), seconds=10)
    assert cursor(theatre) == (None, 0)
    settle(theatre, found("a", 11, after=0), seconds=11)
    assert paths(theatre.graph) == ["a"]


def test_a_pause_of_all_triggers_loses_no_item(theatre: Theatre) -> None:
    rule(theatre)
    theatre.graph.write(pause_all, "night", now=at(4))
    settle(theatre, found("a", 5, after=0), seconds=5)
    assert cursor(theatre) == (None, 0)
    theatre.graph.write(resume_all, now=at(6))
    settle(theatre, found("a", 7, after=0), seconds=7)
    assert paths(theatre.graph) == ["a"]


def test_two_triggers_take_each_item_and_the_event_is_kept_once(theatre: Theatre) -> None:
    rule(theatre)
    rule(theatre, name="other")
    settle(theatre, found("ab", 5, after=0), seconds=5)
    assert paths(theatre.graph) == paths(theatre.graph, "other") == ["a", "b"]
    assert len(theatre.graph.query("MATCH (e:ExternalEvent) RETURN e.id AS id")) == 2


def test_with_pick_all_one_run_takes_the_items_together(theatre: Theatre) -> None:
    rule(theatre, pick=Pick.ALL)
    settle(theatre, found("abc", 5, after=0), seconds=5)
    assert paths(theatre.graph) == [["a", "b", "c"]]


def test_beside_another_condition_each_item_waits_for_its_own(theatre: Theatre) -> None:
    rule(theatre, when=LEAF & OnCron(cron="0 0 * * *", zone="UTC"))
    settle(theatre, found("ab", 5, after=0), seconds=5)
    held = theatre.graph.query("MATCH (:Cell)-[h:HOLDS]->(:ExternalEvent) RETURN h.key AS key")
    assert len(held) == 2
    assert paths(theatre.graph) == []


def test_an_item_without_the_value_that_is_needed_is_a_dead_letter_among_others(
    theatre: Theatre,
) -> None:
    rule(theatre)
    answer = new_items([{"path": "a"}, {"file": "b"}, {"path": "c"}], cursor=1)
    one = msgspec.structs.replace(found("", 5, after=0), items=answer.items, is_true=True)
    settle(theatre, one, seconds=5)
    assert sorted(firing_states(theatre.graph)["job"]) == ["DEAD_LETTER", "STARTED", "STARTED"]


def test_an_overlap_that_waits_keeps_the_items(theatre: Theatre) -> None:
    rule(theatre, overlap=Overlap.WAIT)
    settle(theatre, found("abc", 5, after=0), seconds=5)
    assert firing_states(theatre.graph)["job"] == ["STARTED", "HELD", "HELD"]


def test_as_many_items_as_one_answer_takes_start_in_one_transaction(theatre: Theatre) -> None:
    rule(theatre)
    answer = new_items([{"path": str(n)} for n in range(500)], cursor=500)
    one = msgspec.structs.replace(found("", 5, after=0), items=answer.items, is_true=True)
    settle(theatre, one, seconds=5)
    assert paths(theatre.graph) == [str(n) for n in range(500)]


def edit(theatre: Theatre, code: str, seconds: float, name: str = "job") -> str:
    """Let a trigger watch a function with some code, and return the sensor's id."""
    fields = {"function": "etl.files:new", "code": code, "python": "3.12", "pickle": "x:y"}
    rules = {name: Trigger(when=OnSensor(kind="python", fields=fields))}
    theatre.graph.write(write_rules, rules, at(seconds), origin="definition")
    return sensor_id(make_sensor("python", fields))


def numbered(theatre: Theatre, id_: str) -> tuple[str | None, int]:
    rows = theatre.graph.query(
        "MATCH (s:Sensor {id: $id}) RETURN s.cursor AS c, coalesce(s.cursor_number, 0) AS n",
        {"id": id_},
    )
    return rows[0]["c"], rows[0]["n"]


def test_an_edited_function_goes_on_behind_the_cursor_and_back_again(theatre: Theatre) -> None:
    old = edit(theatre, "1", 0)
    theatre.graph.write(sensors.set_cursor, id=old, cursor='"x"', now=at(1))
    new = edit(theatre, "2", 2)
    assert (numbered(theatre, old), numbered(theatre, new)) == ((None, 1), ('"x"', 1))
    theatre.graph.write(sensors.set_cursor, id=new, cursor='"y"', now=at(3))
    edit(theatre, "1", 4)
    assert (numbered(theatre, old), numbered(theatre, new)) == (('"y"', 2), (None, 2))


def test_a_cursor_that_another_trigger_moves_is_not_taken_over(theatre: Theatre) -> None:
    old = edit(theatre, "1", 0)
    new = edit(theatre, "2", 0, "other")
    theatre.graph.write(sensors.set_cursor, id=old, cursor='"x"', now=at(1))
    theatre.graph.write(sensors.set_cursor, id=new, cursor='"y"', now=at(1))
    edit(theatre, "2", 2)
    assert numbered(theatre, new) == ('"y"', 1)


def test_another_function_has_no_cursor_of_the_one_before(theatre: Theatre) -> None:
    rule(theatre)
    settle(theatre, found("a", 5, after=0), seconds=5)
    rule(theatre, 6, when=OnSensor(kind="file", fields={"path": "/data/b"}))
    assert "cursor" not in theatre.sensor(a_file("b"))
    rule(theatre, 7, when=OnSensor(kind="file", fields={"path": "/data/b", "min_bytes": 1}))


def test_a_sensor_with_a_cursor_is_kept_for_thirty_days(theatre: Theatre) -> None:
    rule(theatre)
    settle(theatre, found("a", 5, after=0), seconds=5)
    key = theatre.graph.query("MATCH (:Trigger)-[:STARTS]->(j:Job) RETURN j.key AS key")[0]["key"]
    theatre.graph.write(delete_trigger, starts=key, name="job", now=at(6))
    day = 24 * 3600
    assert theatre.graph.write(release_idle, now=at(29 * day)) == 0
    rule(theatre, 29 * day + 1)
    settle(theatre, found("a", 29 * day + 2, after=0), seconds=29 * day + 3)
    assert paths(theatre.graph) == ["a"]
    theatre.graph.write(delete_trigger, starts=key, name="job", now=at(30 * day))
    assert theatre.graph.write(release_idle, now=at(61 * day)) == 1


def test_a_cursor_that_is_set_by_hand_ends_answers_to_earlier_pokes(theatre: Theatre) -> None:
    id_ = sensor_id(a_file())
    rule(theatre)
    settle(theatre, found("ab", 5, after=0), seconds=5)
    set_cursor_by_hand(theatre.graph, read_sensor(theatre.graph, id_).sensor, None)
    assert cursor(theatre) == (None, 2)
    assert not settle(theatre, found("c", 5, after=1), seconds=6).moved
    settle(theatre, found("ab", 7, after=2), seconds=7)
    assert paths(theatre.graph) == ["a", "b", "a", "b"]
    set_cursor_by_hand(theatre.graph, read_sensor(theatre.graph, id_).sensor, '{"day": 1}')
    assert cursor(theatre) == ('{"day":1}', 4)
    known = list_entries(theatre.graph, AuditFilter(action="sensor.cursor"))
    assert [one.key for one in known] == [id_] * 2
    with pytest.raises(InvalidSensor, match="is not usable"):
        set_cursor_by_hand(theatre.graph, read_sensor(theatre.graph, id_).sensor, "day 1")
