"""The same work for this program and its peers, in one run: `python -m bench.compare`.

Writes COMPARED.md. Peers are named: a Marquez by the URL of a server without data (`--marquez`),
Airflow and Dagster by the folders of their programs (`--airflow`, `--dagster`). The page says what
was not at hand, and has the figures of Marquez that were measured elsewhere.
"""

import argparse
import http.client
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from rich.progress import track

from bench.definitions import (
    AIRFLOWS,
    OURS,
    empty_graph,
    measure_airflow,
    timed,
    write,
)
from bench.layers import LAYERS, PIPELINES, Draw, layer_events
from bench.load import MANY, ONE, measure, percentile, poster, send_offered, serving
from bench.reads import Question, ask, job, lineage
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings

PAGE = Path(__file__).parent / "COMPARED.md"
DAGSTERS = """
import dagster as dg

@dg.op(name="extract{number}")
def extract():
    return 1

@dg.op(name="load{number}", retry_policy=dg.RetryPolicy(max_retries=2))
def load(extract):
    return extract

@dg.op(name="report{number}")
def report(load):
    print("{edit}")

@dg.job(name="etl{number}")
def etl():
    report(load(extract()))

defs = dg.Definitions(
    jobs=[etl], schedules=[dg.ScheduleDefinition(job=etl, cron_schedule="0 2 * * *")]
)
"""
_ALL_OF = """
import importlib, pathlib
import dagster as dg
files = sorted(pathlib.Path(__file__).parent.glob("etl*.py"))
defs = dg.Definitions.merge(*(importlib.import_module(file.stem).defs for file in files))
"""
RATE = "a second"
ELSEWHERE = {
    "events of 1 client, a second": 11.5,
    "events of 8 clients, a second": 19.6,
    "lineage to depth 5, ms": 746.0,
    "lineage to depth 10, ms": 4_476.0,
    "lineage to depth 20, ms": 18_173.0,
    "page of 25 jobs, ms": 12_322.0,
    "page of a job, ms": 479.0,
    "newest runs of a job, ms": 18.0,
}
"""Marquez 0.51.1 with PostgreSQL, on two cores of another machine."""
READS: dict[str, Question] = {
    "lineage to depth 5, ms": lineage(8, PIPELINES, depth=5),
    "lineage to depth 10, ms": lineage(8, PIPELINES, depth=10),
    "lineage to depth 20, ms": lineage(8, PIPELINES, depth=20),
    "page of 25 jobs, ms": lambda draw: (
        f"/api/v1/namespaces/bench/jobs?limit=25&offset={draw.randrange(PIPELINES * LAYERS)}"
    ),
    "page of a job, ms": job,
    "newest runs of a job, ms": lambda draw: f"{job(draw)}/runs?limit=20",
}


class Figure(NamedTuple):
    """A figure of one kind of work, ours and a peer's; more is better for a rate."""

    work: str
    ours: float | None
    theirs: float | None
    is_rate: bool = False
    is_elsewhere: bool = False

    def cells(self) -> str:
        """Return the cells of its row."""
        mark = " (elsewhere)" if self.is_elsewhere else ""
        theirs = "–" if self.theirs is None else f"{self.theirs:,.1f}{mark}"
        return f"{self.work} | {_number(self.ours)} | {theirs} | {self._ratio()}"

    def _ratio(self) -> str:
        if not self.ours or not self.theirs:
            return "–"
        ratio = self.ours / self.theirs if self.is_rate else self.theirs / self.ours
        return f"{ratio:,.1f}"


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--marquez", help="URL of a Marquez without data")
    parser.add_argument("--airflow", type=Path, help="folder of Airflow's programs")
    parser.add_argument("--dagster", type=Path, help="folder of Dagster's programs")
    parser.add_argument("--seconds", type=float, default=12.0, help="for each kind of load")
    parser.add_argument("--asked", type=int, default=20, help="how often each question is asked")
    parser.add_argument("--files", type=int, default=1_000, help="how many files are read")
    parser.add_argument("--page", type=Path, default=PAGE, help="where the page is written")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with serving(folder / "home") as url:
            ours = measure_server(url, given.seconds, given.asked)
        theirs = measure_server(given.marquez, given.seconds, given.asked) if given.marquez else {}
        servers = [
            Figure(
                work, figure, theirs.get(work, ELSEWHERE.get(work)), "second" in work, not theirs
            )
            for work, figure in ours.items()
        ]
        readers = measure_readers(folder, given.files, given.airflow, given.dagster)
    given.page.write_text(page(servers, readers, given))
    print(given.page.read_text())


def measure_server(url: str, seconds: float, asked: int) -> dict[str, float]:
    """Return the figures of a server of Marquez's API, of its writing and of its reading."""
    takes_batches = has_batches(url)
    fill(url, 100 if takes_batches else 1)
    for size in (1, 64):
        measure(url, ONE, clients=size, size=1, seconds=seconds / 2)
    figures = dict[str, float]()
    for clients in (1, 8, 64):
        count, took, times = measure(url, ONE, clients, 1, seconds)
        load = f"{clients} client{'s' * (clients > 1)}"
        figures[f"events of {load}, a second"] = count / took
        figures[f"p99 of {load}, ms"] = percentile(times, 99)
    if takes_batches:
        measure(url, MANY, 4, 100, seconds / 2)
        count, took, _ = measure(url, MANY, 4, 100, seconds)
        figures["events of 4 clients in batches of 100, a second"] = count / took
    figures["p99 of 200 events offered a second, ms"] = percentile(
        send_offered(url, 200, seconds), 99
    )
    return figures | {work: read(url, question, asked) for work, question in READS.items()}


def fill(url: str, size: int) -> None:
    """Send the runs of 2,000 jobs in layers, `size` events in one request."""
    events = list(layer_events())
    post = poster(url, MANY if size > 1 else ONE)
    for start in track(range(0, len(events), size), f"reporting runs to {url}"):
        some = events[start : start + size]
        post(msgspec.json.encode(some if size > 1 else some[0]))


def has_batches(url: str) -> bool:
    """Return whether a server takes several events in one request."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    connection.request("POST", MANY, b"[]", {"Content-Type": "application/json"})
    return connection.getresponse().status < 300


def read(url: str, question: Question, asked: int) -> float:
    """Return the median of milliseconds that the answers took, after some that do not count."""
    draw = Draw(7)
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    for _ in range(asked):
        ask(connection, question(draw))
    return statistics.median(ask(connection, question(draw)) for _ in range(asked)) * 1000


def measure_readers(
    folder: Path, files: int, airflow: Path | None, dagster: Path | None
) -> list[Figure]:
    """Return how many seconds a first reading of definition files takes, and one without change."""
    settings = Settings(home=folder / "reading", neo4j_uri=None)
    own = write(folder / "ours", OURS, files)
    with empty_graph(settings) as graph:
        ours = [timed(lambda: sync_path(graph, settings, own)) for _ in range(2)]
    figures = list[Figure]()
    works = f"first reading of {files:,} files, s", "reading them again unchanged, s"
    if airflow:
        dags = write(folder / "dags", AIRFLOWS, files)
        _, *theirs = measure_airflow(airflow, folder, dags)
        figures += [
            Figure(f"Airflow: {w}", o, t) for w, o, t in zip(works, ours, theirs, strict=True)
        ]
    if dagster:
        theirs = measure_dagster(dagster, folder, write(folder / "dagster", DAGSTERS, files))
        figures += [
            Figure(f"Dagster: {w}", o, t) for w, o, t in zip(works, ours, theirs, strict=True)
        ]
    return figures or [Figure(w, o, None) for w, o in zip(works, ours, strict=True)]


def measure_dagster(dagster: Path, folder: Path, definitions: Path) -> list[float]:
    """Return how long Dagster takes to load and check definitions, twice; it keeps nothing."""
    (definitions / "all_of_them.py").write_text(_ALL_OF)
    (folder / "dagster_home").mkdir()
    environment = os.environ | {"DAGSTER_HOME": str(folder / "dagster_home")}
    command = [dagster / "dagster", "definitions", "validate", "-m", "all_of_them"]

    def load() -> None:
        subprocess.run(command, cwd=definitions, env=environment, check=True, capture_output=True)

    return [timed(load) for _ in range(2)]


def page(servers: list[Figure], readers: list[Figure], given: argparse.Namespace) -> str:
    """Return the page."""
    absent = [
        f"{peer}: not at hand"
        for peer, named in (
            ("Marquez", given.marquez),
            ("Airflow", given.airflow),
            ("Dagster", given.dagster),
        )
        if not named
    ]
    words = ["FOLDER" if Path(word).is_dir() else word for word in sys.argv[1:]]
    return TEMPLATE.format(
        command=shlex.join(["python", "-m", "bench.compare", *words]),
        versions=", ".join(_versions(given)),
        absent="; ".join(absent) or "all were at hand",
        servers="\n".join(f"| {one.cells()} |" for one in servers),
        readers="\n".join(f"| {one.cells()} |" for one in readers),
    )


TEMPLATE = """# Compared

Made by `{command}`. Versions: {versions}. Peers: {absent}.

A ratio above 1 says that this program is quicker. What is marked "elsewhere" was measured on
another machine, with Marquez 0.51.1 on PostgreSQL: read its ratio as an order of magnitude. All
servers, their databases and the clients share the cores of one machine; each answer to an event
comes after a durable commit.

## Servers

Events have 7 kB with nine columns. Then 2,000 jobs in 20 layers are asked about.

| work | lineagegraph | Marquez | ratio |
|---|---:|---:|---:|
{servers}

## Definition files

A file states a pipeline of three tasks with a schedule. Airflow and Dagster start a program for it,
which is part of their time; lineagegraph has an empty graph and a Neo4j that was just started.

| work | lineagegraph | peer | ratio |
|---|---:|---:|---:|
{readers}
"""


def _versions(given: argparse.Namespace) -> list[str]:
    found = [f"lineagegraph {version('lineagegraph')}", f"Python {sys.version.split()[0]}"]
    found.append(f"{os.cpu_count()} cores")
    for peer, folder in (("airflow", given.airflow), ("dagster", given.dagster)):
        if folder:
            found.append(f"{peer.title()} {_version_of(folder / peer, peer)}")
    return found


def _version_of(program: Path, peer: str) -> str:
    word = "version" if peer == "airflow" else "--version"
    said = subprocess.run([program, word], capture_output=True, text=True, check=True).stdout
    return said.split()[-1]


def _number(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:,.1f}"


if __name__ == "__main__":
    main()
