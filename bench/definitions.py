"""From files to versions: `python -m bench.definitions [--files 1000] [--edits 100]`.

Reads a folder of definition files into an empty graph, reads it again unchanged, and then edits one
file after the other while the folder is watched: how long until the new version is the current one.
Beside it, in the same run, Airflow reads as many DAGs of the same shape into its database, twice;
its environment is the one that the tests of producers make.
"""

import argparse
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from bench.load import percentile
from lineagegraph import neo4j_server
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.reading.sync import sync_path
from lineagegraph.reading.watch import Watch
from lineagegraph.settings import Settings
from tests.acceptance.producers.environments import programs_of

FILES = 1_000
EDITS = 100
PAUSE_SECONDS = 0.3
OURS = """
import lineagegraph as lg
from lineagegraph import on

@lg.task
def extract(day: str = ""):
    print("extract", day)

@lg.task(after=extract, retries=2)
def load(day: str = ""):
    print("load", day)

lg.pipeline(
    "etl{number}",
    tasks=[extract, load, lg.command("report", ["echo", "{edit}"], after=load)],
    trigger=on.cron("0 2 * * *"),
)
"""
AIRFLOWS = """
from datetime import datetime

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import dag, task

@dag(dag_id="etl{number}", schedule="0 2 * * *", start_date=datetime(2026, 1, 1), catchup=False)
def etl():
    @task
    def extract(day: str = ""):
        print("extract", day)

    @task(retries=2)
    def load(day: str = ""):
        print("load", day)

    extract() >> load() >> BashOperator(task_id="report", bash_command="echo {edit}")

etl()
"""


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="keep the graph here")
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--edits", type=int, default=EDITS)
    parser.add_argument("--no-airflow", action="store_true", help="leave Airflow out")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = Settings(home=given.home or folder / "home", neo4j_uri=None)
        print(f"{given.files:,} files", flush=True)
        with empty_graph(settings) as graph:
            measure(graph, settings, write(folder / "ours", OURS, given.files), given.edits)
        if not given.no_airflow:
            airflow = programs_of("airflow")
            dags = write(folder / "theirs", AIRFLOWS, given.files)
            idle, first, again = measure_airflow(airflow, folder, dags)
            print(f"Airflow: first {first:.1f} s, unchanged {again:.1f} s", flush=True)
            print(f"(of each, {idle:.1f} s to start its program)", flush=True)


@contextmanager
def empty_graph(settings: Settings) -> Iterator[Graph]:
    """Give the graph of a home, without any nodes."""
    address = neo4j_server.start(settings, answers)
    try:
        with Graph(address.bolt, address.user, address.password) as graph:
            migrate(graph)
            with graph.autocommit() as session:
                wipe = "MATCH (n) WHERE NOT n:Migration CALL (n) {DETACH DELETE n} IN TRANSACTIONS"
                session.run(wipe).consume()
            yield graph
    finally:
        neo4j_server.stop(settings)


def write(folder: Path, text: str, files: int) -> Path:
    """Write so many definition files."""
    folder.mkdir()
    for number in range(files):
        file = folder / f"etl{number}.py"
        file.write_text(text.replace("{number}", str(number)).replace("{edit}", "first"))
    return folder


def measure(graph: Graph, settings: Settings, folder: Path, edits: int) -> None:
    """Print how long the first reading takes, the second, and each edit."""
    first = timed(lambda: sync_path(graph, settings, folder))
    again = timed(lambda: sync_path(graph, settings, folder))
    print(f"lineagegraph: first sync {first:.1f} s, unchanged {again:.2f} s", flush=True)
    over, draw = Event(), random.Random(1)
    watch = Thread(target=Watch(graph, settings, lambda result: None).run, args=[over])
    watch.start()
    time.sleep(5)
    files = sorted(folder.iterdir())
    seconds = [edit(graph, draw.choice(files), number) for number in range(edits)]
    over.set()
    watch.join()
    middle, most = (percentile(seconds, part) for part in (50, 95))
    print(f"lineagegraph: edit to new version p50 {middle:.0f} ms, p95 {most:.0f} ms", flush=True)


def edit(graph: Graph, file: Path, number: int) -> float:
    """Edit a file, and return how long its pipeline's new version takes to be the current one."""
    job = f"(j:Job {{namespace: 'default', fqn: '{file.stem}'}})"
    current = f"MATCH {job} RETURN j.current_version AS version"
    (before,) = graph.query(current)
    text = OURS.replace("{number}", file.stem.removeprefix("etl")).replace("{edit}", str(number))
    began = time.perf_counter()
    file.write_text(text)
    while graph.query(current)[0] == before:
        time.sleep(0.005)
    took = time.perf_counter() - began
    time.sleep(PAUSE_SECONDS)
    return took


def measure_airflow(airflow: Path, folder: Path, dags: Path) -> tuple[float, float, float]:
    """Return how long Airflow takes to start, to read its DAGs into its database, and again.

    `airflow` is the folder of its programs; `folder` gets its database.
    """
    environment = os.environ | {
        "AIRFLOW_HOME": str(folder / "airflow"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(dags),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "false",
        "AIRFLOW__CORE__DAGBAG_IMPORT_TIMEOUT": "600",
    }

    def call(*words: str) -> None:
        command = [airflow / "airflow", *words]
        subprocess.run(command, env=environment, check=True, capture_output=True)

    call("db", "migrate")
    idle = timed(lambda: call("version"))
    first, again = (timed(lambda: call("dags", "reserialize")) for _ in range(2))
    return idle, first, again


def timed(step: Callable[[], object]) -> float:
    """Return how long a step takes, in seconds."""
    began = time.perf_counter()
    step()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
