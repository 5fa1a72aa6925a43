"""Several processes: who holds what, and that each wait ends once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from lineagegraph.graph import Graph
from lineagegraph.store.sensors import sensor_shards
from lineagegraph.waits.poke import Settled
from lineagegraph.waits.pokes import settle_pokes
from tests.integration.sensors.theatre import SHARDS, Theatre, a_file, at, claim_all, poke


def test_a_shard_that_somebody_holds_is_not_taken_before_its_lease_ends(graph: Graph) -> None:
    first = claim_all(graph, "one")
    assert len(first) == SHARDS
    assert claim_all(graph, "two", 60) == {}
    after = claim_all(graph, "two", 3601)
    assert after == {number: epoch + 1 for number, epoch in first.items()}


def test_only_the_holder_renews_its_shards_and_gives_them_away(graph: Graph) -> None:
    one, two = (
        [{"number": number, "epoch": epoch} for number, epoch in claim_all(graph, *who).items()]
        for who in (("one", 0), ("two", 3601))
    )
    lease = timedelta(hours=1)
    kept = [
        graph.write(sensor_shards.set_leases, rows=rows, owner=who, lease=lease, now=at(3602))
        for who, rows in (("one", one), ("two", two))
    ]
    assert list(map(len, kept)) == [0, SHARDS]
    graph.write(sensor_shards.release_shards, rows=one, owner="one")
    assert claim_all(graph, "three", 3603) == {}
    graph.write(sensor_shards.release_shards, rows=two, owner="two")
    assert len(claim_all(graph, "three", 3603)) == SHARDS


def test_looks_of_a_process_that_lost_its_shards_do_not_count(graph: Graph) -> None:
    lost = Theatre(graph)
    run_id = lost.wait(a_file())
    holder = Theatre(graph, claim_all(graph, "two", 3601))
    refused = lost.poke(a_file(), True, 3602)
    assert (refused.waits, len(refused.refused)) == (0, 1)
    assert "poked_at" not in lost.sensor(a_file())
    assert lost.state(run_id) == "smart_pending"
    assert holder.poke(a_file(), True, 3602).waits == 1


def test_attempts_are_not_ended_by_a_process_that_lost_its_shards(graph: Graph) -> None:
    lost = Theatre(graph)
    lost.wait(a_file(), timeout=10)
    claim_all(graph, "two", 3601)
    assert lost.pass_time(3602).waits == 0


def test_what_two_settle_at_the_same_time_ends_each_wait_once(graph: Graph) -> None:
    theatre = Theatre(graph)
    names = [str(i) for i in range(6)]
    for name in names * 5:
        theatre.wait(a_file(name), on_success="etl.calls:done")

    def settle(turn: int) -> Settled:
        pokes = [poke(a_file(name), True, 5 + turn) for name in names]
        return graph.write(settle_pokes, theatre.claims, pokes, now=at(20))

    with ThreadPoolExecutor(4) as pool:
        settled = list(pool.map(settle, range(4)))
    assert sum(one.waits for one in settled) == 30
    told = graph.query(
        "MATCH (c:StateChange {state: 'COMPLETED'})-[:OF]->(r:Run) RETURN count(r) AS n"
    )
    assert told == [{"n": 30}]
    assert graph.query("MATCH (b:SensorCallback) RETURN count(b) AS n") == [{"n": 30}]


def test_an_answer_to_an_earlier_look_does_not_undo_a_later_one(graph: Graph) -> None:
    theatre = Theatre(graph)
    theatre.wait(a_file())
    theatre.poke(a_file(), None, 9, error="gone", settled=10)
    theatre.poke(a_file(), False, 5, settled=11)
    known = theatre.sensor(a_file())
    assert (known["errors"], known["poked_at"]) == (1, at(9))
    assert "is_true" not in known
