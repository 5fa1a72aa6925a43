"""Waits that are parts of runs, what is called because of them, and sensors that nobody wants."""

from datetime import timedelta
from typing import Any

import pytest

from lineagegraph.admin.retention import sweep
from lineagegraph.errors import InvalidSensor, SettleRefused
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.waits import WaitTerms
from lineagegraph.queries.sensors import read_sensor, read_sensors, read_waits_of
from lineagegraph.reactions.commit import commit
from lineagegraph.sensors import make_sensor, sensor_id
from lineagegraph.sensors.end_waits import end_waits
from lineagegraph.settings import load_settings
from lineagegraph.store.runs import deferrals, launches
from lineagegraph.store.sensors import sensor_callbacks, sensor_views, sensors
from lineagegraph.waits.begin import begin_wait
from lineagegraph.waits.by_hand import HandOutcome, settle_open_waits, settle_wait
from lineagegraph.waits.idle import make_exclusive, place_sensors, release_idle
from lineagegraph.waits.standalone import start_wait
from tests.events import run_event
from tests.integration.sensors.theatre import SHARDS, Theatre, a_file, at, poke


@pytest.fixture
def theatre(graph: Graph) -> Theatre:
    return Theatre(graph)


def a_part(theatre: Theatre, launch: str = "PARKED", **terms: Any) -> tuple[str, str]:
    """Let a task of a run wait for a file; return the ids of both."""
    top, part = new_id(), new_id()
    events = [
        run_event("daily", "START", run_id=top, at=at(0)),
        run_event("daily.ready", "OTHER", run_id=part, parent=(top, "daily"), at=at(0)),
    ]
    theatre.graph.write(commit, extract(events), now=at(0))
    theatre.graph.query(
        "MATCH (r:Run {id: $id}) SET r.launch = $launch, r.wake_address = '127.0.0.1:1'",
        {"id": top, "launch": launch},
        write=True,
    )
    begun = begin(theatre, top, part, **terms)
    assert begun is not None
    return top, part


def begin(theatre: Theatre, top: str, part: str, seconds: float = 0.0, **terms: Any) -> Any:
    return theatre.graph.write(
        begin_wait,
        run_id=part,
        root_id=top,
        sensor=a_file(),
        terms=WaitTerms(**terms),
        now=at(seconds),
    )


def test_a_parked_run_is_queued_again_when_what_its_task_waits_for_is_there(
    theatre: Theatre,
) -> None:
    top, part = a_part(theatre)
    settled = theatre.poke(a_file(), True, 1)
    assert [one.root_id for one in settled.woken] == [top]
    assert theatre.run(top)["launch"] == "QUEUED"
    # Its worker tells how it ended.
    assert theatre.run(part)["state"] == "PENDING"
    assert theatre.of(part)["outcome"] == "success"


def test_a_run_with_a_worker_is_only_nudged(theatre: Theatre) -> None:
    top, _ = a_part(theatre, "CLAIMED", timeout=10)
    (woken,) = theatre.pass_time(10).woken
    assert (woken.root_id, woken.address) == (top, "127.0.0.1:1")
    assert theatre.run(top)["launch"] == "CLAIMED"


def test_a_wait_that_is_begun_again_goes_on_with_its_first_clock(theatre: Theatre) -> None:
    top, part = a_part(theatre, timeout=60)
    assert begin(theatre, top, part, 30, timeout=60).wait.deadline == at(60)
    theatre.poke(a_file(), True, 31)
    assert begin(theatre, top, part, 40).wait.outcome == "success"


def test_a_run_that_nobody_knows_or_that_has_ended_does_not_wait(theatre: Theatre) -> None:
    assert begin(theatre, new_id(), new_id()) is None
    over = new_id()
    theatre.graph.write(commit, extract([run_event("x", run_id=over)]))
    assert begin(theatre, over, over) is None


def test_a_task_that_ends_otherwise_waits_no_more(theatre: Theatre) -> None:
    top, part = a_part(theatre)
    event = run_event("daily.ready", "ABORT", run_id=part, parent=(top, "daily"), at=at(5))
    theatre.graph.write(commit, extract([event]), now=at(5))
    assert theatre.of(part)["outcome"] == "cancelled"
    assert "interval" not in theatre.sensor(a_file())
    assert theatre.poke(a_file(), True, 6).waits == 0


def test_a_task_that_looks_itself_from_now_on_has_not_been_cancelled(theatre: Theatre) -> None:
    _, part = a_part(theatre)
    theatre.graph.write(end_waits, [part], why="smart sensors are turned off")
    known = theatre.of(part)
    assert (known["outcome"], known["message"]) == ("exclusive", "smart sensors are turned off")
    assert "interval" not in theatre.sensor(a_file())


def test_what_is_to_be_called_is_taken_once_and_again_after_a_while(theatre: Theatre) -> None:
    theatre.wait(
        a_file(), timeout=10, retries=1, on_failure="etl.calls:late", on_retry="etl.calls:again"
    )
    theatre.pass_time(10)
    theatre.pass_time(20)
    found = claim(theatre, 20)
    assert sorted((one.event, one.function, one.attempt) for one in found) == [
        ("failure", "etl.calls:late", 2),
        ("retry", "etl.calls:again", 2),
    ]
    assert claim(theatre, 21) == []
    assert [one.tries for one in claim(theatre, 81)] == [2, 2]


def test_what_was_called_is_noted_with_the_wait(theatre: Theatre) -> None:
    run_id = theatre.wait(a_file(), on_success="etl.calls:done")
    theatre.poke(a_file(), True, 1)
    (one,) = claim(theatre, 2)
    rows = [{"id": one.id, "line": "on_success failed", "pause": timedelta(seconds=5)}]
    theatre.graph.write(sensor_callbacks.settle_callbacks, rows=rows, now=at(3))
    assert len(claim(theatre, 9)) == 1
    rows = [{"id": one.id, "line": "on_success was called", "pause": None}]
    theatre.graph.write(sensor_callbacks.settle_callbacks, rows=rows, now=at(10))
    assert theatre.of(run_id)["log"][-2:] == ["on_success failed", "on_success was called"]
    assert claim(theatre, 1000) == []


def claim(theatre: Theatre, seconds: float) -> list[sensor_callbacks.Callback]:
    return theatre.graph.write(
        sensor_callbacks.claim_callbacks, most=10, lease=timedelta(minutes=1), now=at(seconds)
    )


def test_tasks_look_themselves_where_their_sensor_broke_limits_and_say_why(
    theatre: Theatre,
) -> None:
    top, part = a_part(theatre)
    alone = theatre.wait(a_file())
    settled = theatre.graph.write(make_exclusive, theatre.sensor(a_file())["id"], "too slow")
    assert [one.root_id for one in settled.woken] == [top]
    assert theatre.of(part)["outcome"] == "exclusive"
    assert theatre.of(part)["message"] == "too slow"
    assert begin(theatre, top, part, 5).exclusive_reason == "too slow"
    assert theatre.poke(a_file(), True, 6).waits == 1
    assert theatre.state(alone) == "success"


def test_a_while_after_the_last_wait_only_its_run_leads_to_a_sensor(theatre: Theatre) -> None:
    run_id = theatre.wait(a_file())
    theatre.wait(a_file("b"))
    theatre.poke(a_file(), None, 5, error="no such host")
    theatre.poke(a_file(), True, 10)
    theatre.graph.write(release_idle, now=at(3609))
    assert theatre.graph.read(sensor_views.count_sensors, kind=None) == 2
    assert theatre.graph.write(release_idle, now=at(3610)) == 0
    assert [one.id for one in read_sensors(theatre.graph)] == [sensor_id(a_file("b"))]
    assert theatre.graph.read(sensor_views.count_sensors, kind=None) == 1
    shards = list(range(SHARDS))
    sensed = theatre.graph.read(sensors.list_sensing, shards=shards, since=None)
    assert [one.id for one in sensed] == [sensor_id(a_file("b"))]
    (found,) = read_waits_of(theatre.graph, run_id)
    assert found.wait.outcome == "success"
    assert [one.run_id for one in read_sensor(theatre.graph, found.sensor.id).waits] == [run_id]


def test_a_sensor_of_past_waits_begins_anew_with_the_next_one(theatre: Theatre) -> None:
    soon = make_sensor("time", {"at": at(5)})
    theatre.wait(soon)
    assert theatre.ask_graph(6).waits == 1
    theatre.graph.write(release_idle, now=at(9999))
    theatre.wait(soon, 10_000)
    assert theatre.ask_graph(10_001).waits == 1


def test_past_arrivals_are_known_long_after_their_waits(theatre: Theatre) -> None:
    day = 24 * 3600
    for n in range(3):
        past = wait_for_daily(theatre, n * day)
        theatre.poke(a_file(str(n * day)), True, n * day + 3600)
        if n == 1:
            theatre.graph.write(deferrals.settle_answers, run_id=past, answers="[]")
        theatre.graph.write(release_idle, now=at((n + 1) * day - 1))
    (found,) = read_waits_of(theatre.graph, wait_for_daily(theatre, 3 * day), arrivals=True)
    assert found.arrivals is not None
    came = [one.came_at for one in found.arrivals.past]
    assert came == [at(n * day + 3600) for n in (2, 1, 0)]
    assert found.arrivals.expected_at == at(3 * day + 3600)


def wait_for_daily(theatre: Theatre, seconds: float) -> str:
    run = theatre.graph.write(
        start_wait,
        sensor=a_file(str(seconds)),
        terms=WaitTerms(),
        name="daily.ready",
        now=at(seconds),
    )
    return str(run.run_id)


def test_a_sensor_stays_until_the_run_has_taken_what_its_wait_came_to(theatre: Theatre) -> None:
    top, part = a_part(theatre)
    theatre.poke(a_file(), True, 10)
    assert theatre.graph.write(release_idle, now=at(9999)) == 0
    assert begin(theatre, top, part, 9999).wait.outcome == "success"
    event = run_event("daily.ready", run_id=part, parent=(top, "daily"), at=at(9999))
    theatre.graph.write(commit, extract([event]), now=at(9999))
    theatre.graph.write(release_idle, now=at(9999))
    assert theatre.graph.read(sensor_views.count_sensors, kind=None) == 0


def test_sensors_move_where_there_is_another_number_of_shards(theatre: Theatre) -> None:
    for name in "abcdef":
        theatre.wait(a_file(name))
    theatre.graph.write(place_sensors, 3)
    rows = theatre.graph.query("MATCH (s:Sensor) RETURN s.shard AS shard, s.id AS id")
    assert all(row["shard"] == int(row["id"], 16) % 3 for row in rows)


def test_a_wait_that_is_asked_for_twice_under_one_id_is_one(theatre: Theatre) -> None:
    run_id = theatre.wait(a_file())
    again = theatre.graph.write(
        start_wait, sensor=a_file(), terms=WaitTerms(), run_id=run_id, now=at(50)
    )
    assert again.wait.began_at == at(0)
    top, _ = a_part(theatre)
    with pytest.raises(InvalidSensor, match="choose another id"):
        theatre.graph.write(start_wait, sensor=a_file(), terms=WaitTerms(), run_id=top)


def test_no_worker_takes_a_wait_of_its_own_and_none_is_lost(theatre: Theatre) -> None:
    run_id = theatre.wait(a_file())
    assert theatre.run(run_id)["launch"] == "SENSING"
    assert theatre.graph.read(launches.list_queued, most=10, now=at(9999)) == []
    assert theatre.graph.read(launches.due_lost, now=at(9999)) == []


def test_all_open_waits_of_a_run_are_settled_also_if_one_ends_meanwhile(theatre: Theatre) -> None:
    graph, settings, top = theatre.graph, load_settings(), new_id()
    parts = [new_id() for _ in range(5)]
    events = [run_event("daily", "START", run_id=top)]
    for number, part in enumerate(parts):
        name = f"daily.part{number}"
        events.append(run_event(name, "OTHER", run_id=part, parent=(top, "daily")))
    graph.write(commit, extract(events))
    for number, part in enumerate(parts):
        asked = {"run_id": part, "root_id": top, "terms": WaitTerms()}
        graph.write(begin_wait, sensor=a_file(str(number)), **asked)
    with pytest.raises(SettleRefused, match="a reason needs"):
        list(settle_open_waits(graph, settings, top, HandOutcome.SUCCESS, " "))
    settled = settle_open_waits(graph, settings, top, HandOutcome.SUCCESS, "it came", most=2)
    first = next(settled)
    other = parts[parts.index(first.run_id) ^ 1]
    settle_wait(graph, settings, other, HandOutcome.SKIPPED, "no trading")
    assert sorted([first.run_id, other, *(one.run_id for one in settled)]) == sorted(parts)
    assert theatre.state(other) == "skipped"


def test_old_waits_go_with_their_runs_and_open_ones_stay(theatre: Theatre) -> None:
    done = [wait_for_daily(theatre, seconds) for seconds in (0, 1)]
    still = theatre.wait(a_file())
    theatre.settle([poke(a_file(name), True, 2) for name in "01"], 2)
    assert theatre.graph.write(release_idle, now=at(86_400)) == 0
    sweep(theatre.graph, {"*": timedelta(days=1)}, now=at(86_400 * 30))
    rows = theatre.graph.query("MATCH (r:Run)-[:WAITS_ON]->(:Sensor) RETURN r.id AS id")
    left = {row["id"] for row in rows}
    assert still in left
    assert left & set(done) == {done[1]}
    assert theatre.graph.write(release_idle, now=at(86_400 * 30)) == 1
    assert theatre.poke(a_file(), True, 86_400 * 3).waits == 1
