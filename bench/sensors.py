"""What waiting costs: `python -m bench.sensors [--waits N] [--things N] [--minutes M]`.

Waits on files, partitions, datasets of the graph and HTTP on loopback in one sensor process: its
CPU, its memory, and how long after something came its waits ended. Beside it the naive forms, each
wait with a connection of its own to Neo4j: a thread for each, and a process for each, as far as
they go here. With `--airflow` also as many of Airflow's triggers for files, in one loop as its
triggerer has them, without what the triggerer does in its database.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psutil

from bench.load import percentile
from lineagegraph import neo4j_server
from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph, Transaction, answers
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.waits import WaitTerms
from lineagegraph.reactions.commit import commit
from lineagegraph.sensors import Sensor, make_sensor, sensor_id
from lineagegraph.settings import Settings
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.connect import open_graph
from lineagegraph.store.runs import launches
from lineagegraph.waits.begin import begin_wait
from lineagegraph.waits.end_events import waiting_event
from tests.acceptance.producers.environments import programs_of

AT_ONCE = 100
SHARES = {"file": 0.6, "partition": 0.2, "dataset": 0.1, "http": 0.1}
POLL = """
import os, sys, time
from lineagegraph.graph import Graph
graph = Graph(sys.argv[1], sys.argv[2], sys.argv[3])
print("ready", flush=True)
while not os.path.exists(sys.argv[4]):
    graph.query("RETURN 1")
    time.sleep(float(sys.argv[5]))
"""
AIRFLOW = """
import asyncio, json, resource, sys, time
from airflow.providers.standard.triggers.file import FileTrigger

folder, waits, things, interval = sys.argv[1], *map(int, sys.argv[2:4]), float(sys.argv[4])

async def wait(number):
    path = f"{folder}/never{number % things}"
    async for _ in FileTrigger(filepath=path, poke_interval=interval).run():
        return

async def main():
    tasks = [asyncio.create_task(wait(number)) for number in range(waits)]
    await asyncio.sleep(interval)
    cpu, began = time.process_time(), time.monotonic()
    await asyncio.sleep(2 * interval)
    share = (time.process_time() - cpu) / (time.monotonic() - began)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps([share, memory]), flush=True)

asyncio.run(main())
"""


class World:
    """The things that are waited for, and how each comes to be there."""

    def __init__(self, folder: Path, graph: Graph, things: int) -> None:
        self._folder = folder
        self._graph = graph
        self._there: set[str] = set()
        self.url = ""
        self.things: list[tuple[str, str]] = [
            (kind, f"{kind}{n}")
            for kind, share in SHARES.items()
            for n in range(round(things * share))
        ]

    def sensor(self, kind: str, name: str) -> Sensor:
        """Return what looks at a thing."""
        fields = {
            "file": {"path": str(self._folder / "files" / name)},
            "partition": {"path": str(self._folder / "table"), "partition": {"day": name}},
            "dataset": {"namespace": "bench", "name": name},
            "http": {"url": f"{self.url}/{name}"},
        }
        return make_sensor(kind, fields[kind])

    def bring(self, kind: str, name: str) -> None:
        """Let a thing come."""
        if kind == "file":
            (self._folder / "files" / name).touch()
        elif kind == "partition":
            (self._folder / "table" / f"day={name}").mkdir(parents=True)
            (self._folder / "table" / f"day={name}" / "part-0.parquet").write_bytes(b"0" * 10)
        elif kind == "dataset":
            self._graph.write(commit, extract([_written(name)]))
        else:
            self._there.add(f"/{name}")

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Answer over HTTP: 200 for what is there, 404 for what is not."""
        loop = asyncio.new_event_loop()
        server = loop.run_until_complete(asyncio.start_server(self._answer, "127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        thread = threading.Thread(target=loop.run_forever, daemon=True)
        thread.start()
        try:
            yield
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1].decode()
                status = "200 OK" if path in self._there else "404 Not Found"
                writer.write(f"HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n".encode())
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def main() -> None:
    """Measure, and print lines for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waits", type=int, default=16_000)
    parser.add_argument("--things", type=int, default=4_000)
    parser.add_argument("--interval", type=float, default=60.0, help="seconds")
    parser.add_argument("--minutes", type=float, default=5.0, help="how long it is watched")
    parser.add_argument("--coming", type=int, default=400, help="how many things come meanwhile")
    parser.add_argument("--processes", type=int, default=40, help="of the naive form")
    parser.add_argument("--airflow", action="store_true", help="beside Airflow's triggers")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "files").mkdir()
        settings = Settings(home=folder / "home", neo4j_uri=None, port=0)
        server = neo4j_server.start(settings, answers)
        try:
            with open_graph(settings) as graph:
                world = World(folder, graph, given.things)
                with world.serving():
                    smart = _smart(graph, world, settings, given)
                _naive(server, folder, smart, given)
        finally:
            neo4j_server.stop(settings)
        if given.airflow:
            _airflow(folder, given)


def _smart(
    graph: Graph, world: World, settings: Settings, given: argparse.Namespace
) -> tuple[float, float]:
    """Measure one sensor process; return its megabytes, and its share of a core."""
    began = time.perf_counter()
    _begin_waits(graph, world, given)
    taken = time.perf_counter() - began
    print(f"{given.waits:,} waits on {given.things:,} things begun in {taken:.0f} s")
    with _process(settings) as process:
        _until_all_running(graph, given.waits)
        print(f"all of them looked at after {time.perf_counter() - began - taken:.0f} s")
        time.sleep(given.interval)
        share, most, lags = _watch(graph, world, process, given)
    print(f"sensor process: {share * 100:.0f} % of a core, at most {most:.0f} MB")
    for kind, seconds in lags.items():
        p50, p95 = (percentile(seconds, percent) / 1000 for percent in (50, 95))
        print(f"{kind}: {len(seconds)} waits ended p50 {p50:.2f} s, p95 {p95:.2f} s after it came")
    return most, share


def _begin_waits(graph: Graph, world: World, given: argparse.Namespace) -> None:
    sensors = [world.sensor(*thing) for thing in world.things]
    terms = WaitTerms(poke_interval=given.interval)

    def begin(tx: Transaction, first: int) -> None:
        """Begin waits as `start_wait` does, with one report of all their runs."""
        runs = {new_id(): n for n in range(first, min(first + AT_ONCE, given.waits))}
        now = get_time(tx).isoformat()
        events = [waiting_event(id_, "bench", f"w{n % 100}", now, "") for id_, n in runs.items()]
        commit(tx, extract(events))
        for id_, number in runs.items():
            launches.set_sensing(tx, id=id_, now=None)
            sensor = sensors[number % len(sensors)]
            begin_wait(tx, run_id=id_, root_id=id_, sensor=sensor, terms=terms)

    for first in range(0, given.waits, AT_ONCE):
        graph.write(begin, first)


@contextmanager
def _process(settings: Settings) -> Iterator[psutil.Process]:
    environment = os.environ | {"LINEAGEGRAPH_HOME": str(settings.home)}
    command = [sys.executable, "-m", "lineagegraph.sensing"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def _until_all_running(graph: Graph, waits: int) -> None:
    query = "MATCH ()-[w:WAITS_ON {state: 'smart_running'}]->(:Sensor) RETURN count(w) AS n"
    from_graph = round(waits * SHARES["dataset"])
    while graph.query(query)[0]["n"] < (waits - from_graph) * 0.99:
        time.sleep(1)


def _watch(
    graph: Graph, world: World, process: psutil.Process, given: argparse.Namespace
) -> tuple[float, float, dict[str, list[float]]]:
    """Let things come, evenly spread, and watch the process meanwhile."""
    seconds = given.minutes * 60
    coming = random.Random(3).sample(world.things, min(given.coming, len(world.things)))
    came: dict[str, tuple[str, datetime]] = {}
    before, began, most = _cpu(process), time.monotonic(), 0.0
    for number, thing in enumerate(coming):
        time.sleep(max(0.0, began + seconds * number / len(coming) - time.monotonic()))
        world.bring(*thing)
        came[sensor_id(world.sensor(*thing))] = (thing[0], datetime.now(UTC))
        most = max(most, process.memory_info().rss / 1e6)
    share = (_cpu(process) - before) / (time.monotonic() - began)
    time.sleep(given.interval + 5)
    return share, most, _lags(graph, came)


def _lags(graph: Graph, came: dict[str, tuple[str, datetime]]) -> dict[str, list[float]]:
    rows = graph.query(
        "MATCH (s:Sensor)<-[w:WAITS_ON]-(:Run) WHERE s.id IN $ids "
        "RETURN s.id AS id, w.settled_at AS at",
        {"ids": list(came)},
    )
    lags: dict[str, list[float]] = {kind: [] for kind in SHARES}
    for row in rows:
        kind, at = came[row["id"]]
        lags[kind].append((row["at"] - at).total_seconds() if row["at"] else float("inf"))
    return {kind: seconds for kind, seconds in lags.items() if seconds}


def _naive(
    server: neo4j_server.ServerAddress,
    folder: Path,
    smart: tuple[float, float],
    given: argparse.Namespace,
) -> None:
    """Measure some of the naive form, and say what all of them would cost."""
    path = str(folder / "never")
    words = [server.bolt, server.user, server.password, path, str(given.interval)]
    command = [sys.executable, "-c", POLL, *words]
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    all_of_them = [
        subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(given.processes)
    ]
    for one in all_of_them:
        assert one.stdout
        one.stdout.readline()
    time.sleep(given.interval)
    memory = sum(_own_memory(one.pid) for one in all_of_them) / 1e6
    for one in all_of_them:
        one.kill()
        one.wait()
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime
    each = memory / given.processes
    print(
        f"a process for each wait: {each:.0f} MB and {cpu / given.processes:.1f} s of CPU to start "
        f"each, {each * given.waits / 1000:,.0f} GB for all: {each * given.waits / smart[0]:,.0f} "
        "times as much"
    )
    _threads(server, path, given)


def _threads(server: neo4j_server.ServerAddress, path: str, given: argparse.Namespace) -> None:
    """Begin as many threads as there are waits, each of which looks for itself."""
    over = threading.Event()
    looks = refused = 0

    def look(graph: Graph) -> None:
        nonlocal looks, refused
        over.wait(random.random() * given.interval)
        while not over.is_set() and not Path(path).exists():
            try:
                graph.query("RETURN 1")
                looks += 1
            except GraphError:  # no connection was free in time
                refused += 1
            over.wait(given.interval)

    before, process = psutil.Process().memory_info().rss, psutil.Process()
    with Graph(server.bolt, server.user, server.password) as graph:
        threads = [
            threading.Thread(target=look, args=(graph,), daemon=True) for _ in range(given.waits)
        ]
        begun = 0
        try:
            for thread in threads:
                thread.start()
                begun += 1
        except RuntimeError:
            print(f"no more than {begun:,} threads can be begun here")
        cpu, began = _cpu(process), time.monotonic()
        time.sleep(given.interval)
        share = (_cpu(process) - cpu) / (time.monotonic() - began)
        memory = (process.memory_info().rss - before) / 1e6
        print(
            f"a thread for each wait: {begun:,} threads took {memory:.0f} MB more and "
            f"{share * 100:.0f} % of a core for {looks:,} looks; {refused:,} got no connection"
        )
        over.set()
        for thread in threads[:begun]:
            thread.join()


def _airflow(folder: Path, given: argparse.Namespace) -> None:
    words = [str(folder), str(given.waits), str(given.things), str(given.interval)]
    done = subprocess.run(
        [str(programs_of("airflow") / "python"), "-c", AIRFLOW, *words],
        env=os.environ | {"AIRFLOW_HOME": str(folder / "airflow")},
        capture_output=True,
        text=True,
        check=True,
    )
    share, memory = json.loads(done.stdout.splitlines()[-1])
    print(
        f"Airflow's triggers for files, {given.waits:,} in one loop: {share * 100:.1f} % of a "
        f"core, at most {memory:.0f} MB"
    )


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _own_memory(pid: int) -> float:
    """Return what a process has for itself alone."""
    return float(psutil.Process(pid).memory_full_info().uss)


def _written(name: str) -> dict[str, object]:
    return {
        "eventTime": datetime.now(UTC).isoformat(),
        "eventType": "COMPLETE",
        "producer": "https://example.org/bench",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": new_id(), "facets": {}},
        "job": {"namespace": "bench", "name": f"writes {name}", "facets": {}},
        "inputs": [],
        "outputs": [{"namespace": "bench", "name": name}],
    }


if __name__ == "__main__":
    main()
