"""How waits for sensors begin, are settled and end: the flow of the smart sensor, step by step."""

import pytest

from lineagegraph.graph import Graph
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.store.sensors import sensors
from tests.integration.sensors.theatre import Theatre, a_file, at, poke


@pytest.fixture
def theatre(graph: Graph) -> Theatre:
    return Theatre(graph)


def test_two_runs_that_wait_for_the_same_share_one_sensor(theatre: Theatre) -> None:
    theatre.wait(a_file(), poke_interval=30)
    theatre.wait(a_file(), poke_interval=10, timeout=60)
    assert theatre.graph.query("MATCH (s:Sensor) RETURN count(s) AS n") == [{"n": 1}]
    assert theatre.sensor(a_file())["interval"] == 10


def test_the_shortest_interval_the_least_backoff_and_the_nearest_limit_win(
    theatre: Theatre,
) -> None:
    def terms() -> tuple[float, float, float]:
        found = theatre.sensor(a_file())
        return found["interval"], found["poke_backoff"], found["max_poke_interval"]

    rare = theatre.wait(a_file(), poke_interval=30, poke_backoff=3, max_poke_interval=900)
    assert terms() == (30, 3, 900)
    quick = theatre.wait(a_file(), poke_interval=10, poke_backoff=2, max_poke_interval=300)
    assert terms() == (10, 2, 300)
    theatre.graph.write(cancel_run, quick)
    assert terms() == (30, 3, 900)
    theatre.graph.write(cancel_run, rare)
    theatre.wait(a_file(), 60, poke_backoff=4)
    assert terms() == (60, 4, 3600)


def test_a_wait_begins_as_smart_pending_and_is_smart_running_once_somebody_looks(
    theatre: Theatre,
) -> None:
    run_id = theatre.wait(a_file())
    assert theatre.state(run_id) == "smart_pending"
    assert theatre.run(run_id)["state"] == "WAITING"
    theatre.graph.write(sensors.settle_taken, ids=[theatre.sensor(a_file())["id"]])
    assert theatre.state(run_id) == "smart_running"


def test_a_look_that_finds_it_ends_all_waits_that_began_before_it(theatre: Theatre) -> None:
    runs = [theatre.wait(a_file(), seconds) for seconds in (0, 5, 9)]
    settled = theatre.poke(a_file(), True, 10)
    assert settled.waits == 3
    assert [theatre.state(one) for one in runs] == ["success"] * 3
    assert [theatre.run(one)["state"] for one in runs] == ["COMPLETED"] * 3
    assert settled.dropped == {theatre.sensor(a_file())["id"]}


def test_a_look_that_began_before_the_wait_does_not_end_it(theatre: Theatre) -> None:
    early, late = theatre.wait(a_file(), 0), theatre.wait(a_file(), 20)
    settled = theatre.poke(a_file(), True, 10, settled=25)
    assert (theatre.state(early), theatre.state(late)) == ("success", "smart_pending")
    assert settled.kept == {theatre.sensor(a_file())["id"]}
    theatre.poke(a_file(), True, 30)
    assert theatre.state(late) == "success"


def test_waits_and_looks_of_before_the_clock_was_put_back_are_past(theatre: Theatre) -> None:
    hour = 3600
    early, other = theatre.wait(a_file(), hour), theatre.wait(a_file("b"), hour)
    theatre.settle([poke(a_file(name), False, hour + 1) for name in "ab"], hour + 2)
    late = theatre.wait(a_file(), 20)
    theatre.poke(a_file(), True, 10, settled=25)
    assert (theatre.state(early), theatre.state(late)) == ("success", "smart_pending")
    assert theatre.sensor(a_file())["is_true"]
    theatre.poke(a_file("b"), True, hour + 3, settled=30)
    assert theatre.state(other) == "success"
    assert theatre.sensor(a_file("b"))["poked_at"] == at(30)


def test_a_look_that_finds_nothing_leaves_each_wait_to_its_own_time(theatre: Theatre) -> None:
    short = theatre.wait(a_file(), timeout=60)
    long = theatre.wait(a_file(), timeout=600)
    theatre.poke(a_file(), False, 30)
    assert theatre.pass_time(59).waits == 0
    assert theatre.pass_time(60).waits == 1
    assert (theatre.state(short), theatre.state(long)) == ("failed", "smart_pending")
    assert theatre.run(short)["state"] == "FAILED"
    assert theatre.run(short)["reason"] == "TIMEOUT"
    assert theatre.run(short)["error"] == "not true within 1m"


def test_each_attempt_takes_the_shorter_of_both_timeouts_and_all_take_that_times_their_number(
    theatre: Theatre,
) -> None:
    run_id = theatre.wait(a_file(), timeout=100, execution_timeout=40, retries=2)
    ends = []
    for seconds in range(0, 200, 10):
        before = theatre.of(run_id)["attempt"]
        settled = theatre.pass_time(seconds)
        if settled.waits or settled.retried:
            ends.append((seconds, before, theatre.state(run_id)))
    assert ends == [(40, 1, "up_for_retry"), (80, 2, "up_for_retry"), (120, 3, "failed")]
    assert theatre.of(run_id)["log"] == [
        "attempt 1 of 3: timed out after 40s",
        "attempt 2 of 3: timed out after 40s",
        "attempt 3 of 3: timed out after 40s",
    ]


def test_attempts_that_ended_while_nobody_looked_are_all_there(theatre: Theatre) -> None:
    run_id = theatre.wait(a_file(), timeout=10, retries=5, on_retry="etl.calls:again")
    assert theatre.pass_time(35).retried == 3
    assert retries(theatre) == [2, 3, 4]
    assert theatre.of(run_id)["attempt"] == 4
    assert len(theatre.of(run_id)["log"]) == 3
    assert theatre.pass_time(1000).waits == 1
    assert len(theatre.of(run_id)["log"]) == 6
    assert retries(theatre) == [2, 3, 4, 5, 6]


def test_an_attempt_that_rounds_to_no_time_holds_up_no_other_wait(theatre: Theatre) -> None:
    waits = [theatre.wait(a_file(), timeout=seconds, retries=1) for seconds in (1e-7, 1)]
    theatre.pass_time(2)
    assert [theatre.state(run_id) for run_id in waits] == ["failed", "failed"]


def test_attempts_that_were_over_before_a_late_answer_are_called_too(theatre: Theatre) -> None:
    run_id = theatre.wait(a_file(), timeout=10, retries=5, on_retry="etl.calls:again")
    theatre.poke(a_file(), True, 25)
    assert theatre.of(run_id)["attempt"] == 3
    assert retries(theatre) == [2, 3]


def retries(theatre: Theatre) -> list[int]:
    rows = theatre.graph.query(
        "MATCH (b:SensorCallback {event: 'retry'}) RETURN b.attempt AS n ORDER BY n"
    )
    return [row["n"] for row in rows]


def test_a_wait_that_is_up_for_retry_is_looked_for_again_and_met(theatre: Theatre) -> None:
    run_id = theatre.wait(a_file(), timeout=10, retries=1)
    theatre.pass_time(10)
    theatre.graph.write(sensors.settle_taken, ids=[theatre.sensor(a_file())["id"]])
    assert theatre.state(run_id) == "smart_running"
    theatre.poke(a_file(), True, 15)
    assert theatre.state(run_id) == "success"
    assert theatre.of(run_id)["log"][-1].startswith("attempt 2 of 2: found by the poke of")


def test_a_wait_that_fails_softly_is_skipped(theatre: Theatre) -> None:
    run_id = theatre.wait(a_file(), timeout=10, soft_fail=True)
    theatre.pass_time(10)
    assert theatre.state(run_id) == "skipped"
    assert theatre.run(run_id)["state"] == "SKIPPED"


def test_an_error_is_not_false_but_counts_until_the_next_answer(theatre: Theatre) -> None:
    run_id = theatre.wait(a_file(), timeout=60)
    theatre.poke(a_file(), False, 1)
    theatre.poke(a_file(), None, 2, error="no such host")
    theatre.poke(a_file(), None, 3, error="no such host")
    known = theatre.sensor(a_file())
    assert (known["errors"], known["error"], known["is_true"]) == (2, "no such host", False)
    theatre.pass_time(60)
    assert theatre.of(run_id)["message"].endswith("; the last poke failed: no such host")
    theatre.poke(a_file(), False, 70)
    assert theatre.sensor(a_file())["errors"] == 0
    assert "error" not in theatre.sensor(a_file())


def test_the_same_answer_twice_settles_once(theatre: Theatre) -> None:
    run_id = theatre.wait(a_file(), on_success="etl.calls:done")
    assert theatre.poke(a_file(), True, 5).waits == 1
    before = theatre.of(run_id)
    assert theatre.poke(a_file(), True, 5, settled=7).waits == 0
    assert theatre.of(run_id) == before
    assert theatre.graph.query("MATCH (b:SensorCallback) RETURN count(b) AS n") == [{"n": 1}]


def test_a_thousand_waits_for_one_thing_are_settled_by_one_look(theatre: Theatre) -> None:
    theatre.wait(a_file())
    theatre.graph.query(
        """
        MATCH (first:Run)-[w:WAITS_ON]->(s:Sensor)
        UNWIND range(1, 999) AS i
        CREATE (r:Run {id: randomUUID(), namespace: 'default', name: 'many', state: 'WAITING',
          job_key: first.job_key, launch: 'PARKED'})
        CREATE (r)-[v:WAITS_ON]->(s)
        SET v = properties(w), v.root_id = r.id, r.launch = 'PARKED'
        """,
        write=True,
    )
    settled = theatre.poke(a_file(), True, 1)
    assert settled.waits == 1000
    states = theatre.graph.query("MATCH ()-[w:WAITS_ON]->() RETURN DISTINCT w.state AS state")
    assert states == [{"state": "success"}]
    queued = theatre.graph.query("MATCH (r:Run {launch: 'QUEUED'}) RETURN count(r) AS n")
    assert queued == [{"n": 999}]


def test_a_wait_that_is_cancelled_leaves_its_sensor(theatre: Theatre) -> None:
    run_id = theatre.wait(a_file())
    other = theatre.wait(a_file(), poke_interval=300)
    assert theatre.graph.write(cancel_run, run_id, now=at(5))
    assert theatre.run(run_id)["state"] == "KILLED"
    assert "launch" not in theatre.run(run_id)
    assert theatre.of(run_id)["outcome"] == "cancelled"
    assert theatre.sensor(a_file())["interval"] == 300
    assert theatre.poke(a_file(), True, 10).waits == 1
    assert theatre.state(other) == "success"


def test_looks_of_many_sensors_are_settled_together(theatre: Theatre) -> None:
    runs = [theatre.wait(a_file(str(i))) for i in range(5)]
    pokes = [poke(a_file(str(i)), i % 2 == 0, 5) for i in range(5)]
    assert theatre.settle(pokes, 6).waits == 3
    states = [theatre.state(one) for one in runs]
    assert states == ["success", "smart_pending", "success", "smart_pending", "success"]
