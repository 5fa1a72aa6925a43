"""Pokes that end, stop or fill their process do it once, and good sensors go on."""

import os
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.waits import WaitTerms
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.sensors import Sensor, encode_sensor, sensor_id, shard_of
from lineagegraph.store.sensors import sensors
from tests.acceptance.processes import Commands, shared, until
from tests.acceptance.sensors import hostile_kinds
from tests.sensors import file, wait_for

OFTEN = WaitTerms(poke_interval=1)
HERE = "tests.acceptance.sensors.hostile_kinds"
KINDS = ("Exits", "HoldsLock", "Eats", "Hangs", "Floods")


def settings(server: ServerAddress, folder: Path, **changes: str) -> dict[str, str]:
    named = ", ".join(f'"{HERE}:{one}"' for one in KINDS)
    return (
        shared(server, folder / "home")
        | {
            "LINEAGEGRAPH_SENSOR_KINDS": f"[{named}]",
            "LINEAGEGRAPH_SENSOR_LEASE_SECONDS": "4",
            "LINEAGEGRAPH_SENSOR_MEMORY_BYTES": "400000000",
            "PYTHONPATH": str(Path(__file__).parents[3]),
        }
        | changes
    )


def reason(graph: Graph, sensor: Sensor) -> str | None:
    return graph.read(sensors.get_reason, id=sensor_id(sensor))


def starts(folder: Path) -> int:
    log = folder / "home" / "logs" / "sensors-0.log"
    return log.read_text().count("shards_changed") if log.exists() else 0


@pytest.mark.parametrize(
    ("hostile", "said"),
    [
        (hostile_kinds.Exits(), "the poke ended its process with status 3"),
        (hostile_kinds.Eats(), "the poke took more than 400000000 bytes of memory"),
    ],
)
def test_a_poke_that_ends_its_process_ends_it_once(
    graph: Graph, server: ServerAddress, tmp_path: Path, hostile: Sensor, said: str
) -> None:
    wait_for(graph, hostile, OFTEN, job="hostile")
    good = [wait_for(graph, file(tmp_path / f"f{n}"), OFTEN, job=f"f{n}") for n in range(20)]
    process = Commands(tmp_path, settings(server, tmp_path)).start("sensor", "run")
    try:
        until(lambda: reason(graph, hostile), seconds=150)
        for number in range(20):
            (tmp_path / f"f{number}").touch()
        until(lambda: states(graph, "success") == len(good), seconds=90)
    finally:
        process.terminate()
        _, log = process.communicate(timeout=60)
    assert reason(graph, hostile) == said
    assert log.count("sensor_process_ended") == 1, log


def test_a_poke_that_holds_the_interpreter_is_ended_by_the_parent(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    wait_for(graph, file(tmp_path / "good"), OFTEN, job="good")
    hostile = hostile_kinds.HoldsLock()
    wait_for(graph, hostile, OFTEN, job="hostile")
    own = settings(server, tmp_path, LINEAGEGRAPH_SENSOR_POKE_SECONDS="2")
    process = Commands(tmp_path, own).start("sensor", "run")
    try:
        until(lambda: reason(graph, hostile), seconds=150)
        (tmp_path / "good").touch()
        until(lambda: states(graph, "success") == 1, seconds=60)
    finally:
        process.terminate()
        _, log = process.communicate(timeout=60)
    assert reason(graph, hostile) == "3 pokes in a row exceeded their time limit"
    assert log.count("its loop did not run for 4s") == 1, log
    assert log.count("sensor_process_ended") == 1, log


INTERVAL = 30.0


def test_a_thousand_good_waits_beside_all_hostile_kinds_settle_within_two_intervals(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    folder = tmp_path / "good"
    folder.mkdir()
    terms = WaitTerms(poke_interval=INTERVAL)
    park_runs(graph, [file(folder / f"{number}") for number in range(GOOD)], terms)
    os.mkfifo(tmp_path / "pipe")
    process = Commands(tmp_path, settings(server, tmp_path)).start("sensor", "run")
    try:
        until(lambda: states(graph, "smart_running") == GOOD, seconds=120)
        for number, hostile in enumerate(all_hostile(tmp_path)):
            wait_for(graph, hostile, OFTEN, job=f"hostile{number}")
        for number in range(GOOD):
            (folder / f"{number}").touch()
        until(lambda: states(graph, "success") == GOOD, seconds=2 * INTERVAL)
    finally:
        process.terminate()
        process.communicate(timeout=60)


GOOD = 1_000


def all_hostile(folder: Path) -> list[Sensor]:
    return [
        hostile_kinds.Exits(),
        hostile_kinds.HoldsLock(),
        hostile_kinds.Eats(),
        hostile_kinds.Floods(),
        *(hostile_kinds.Hangs(path=str(folder / "pipe"), number=n) for n in range(40)),
    ]


def park_runs(graph: Graph, found: list[Sensor], terms: WaitTerms) -> None:
    """Let as many parked runs wait as there are sensors, like a first one."""
    ids = [sensor_id(one) for one in found]
    rows = [
        {"id": id_, "fields": encode_sensor(one), "shard": shard_of(id_, 64)}
        for id_, one in zip(ids, found, strict=True)
    ]
    wait_for(graph, found[0], terms)
    graph.query(
        """
        MATCH (first:Run)-[w:WAITS_ON]->(s:Sensor)
        UNWIND $rows AS row
        CREATE (t:Sensor)
        SET t = s{.*, id: row.id, fields: row.fields, shard: row.shard}
        CREATE (r:Run {id: randomUUID(), namespace: 'default', name: 'good', state: 'WAITING',
          launch: 'PARKED'})
        CREATE (r)-[v:WAITS_ON]->(t)
        SET v = properties(w), v.root_id = r.id, v.open_on = row.id
        """,
        {"rows": rows[1:]},
        write=True,
    )


def states(graph: Graph, state: str) -> int:
    rows = graph.query(
        "MATCH (:Run)-[w:WAITS_ON]->(:Sensor) WHERE w.state = $state RETURN count(*) AS n",
        {"state": state},
    )
    return int(rows[0]["n"])
