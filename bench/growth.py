"""Cost with growth: `python -m bench.growth [--homes FOLDER] [--sizes SIZE …]`.

Makes graphs of 10 thousand, 100 thousand and 1 million runs with all their facts, and one with 3
million runs of which most have none, unless the folder has them. Then a server for each answers the
same questions and takes the same events, in turns, so that what else a machine does falls on all.
"""

import argparse
import http.client
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

import msgspec
from rich.progress import track

from bench.layers import (
    LAYERS,
    NAMESPACE,
    PIPELINES,
    STORE,
    Draw,
    add_minimal,
    pipeline_name,
    run_id,
    table_name,
)
from bench.load import MANY, ONE, make_bodies, poster, serving
from bench.reads import QUESTIONS, Question, ask, make_graph
from lineagegraph.graph import Graph

Worker = Callable[[], float]
Work = Callable[[str, Draw], Worker]
"""What a client does at an address; a worker returns the seconds of one answer."""


class Size(NamedTuple):
    """Runs of each pipeline and task with all facts, runs without, and the number of pipelines."""

    runs: int
    minimal: int = 0
    pipelines: int = PIPELINES


SIZES = {
    "10k": Size(20, pipelines=24),
    "100k": Size(48),
    "1m": Size(476),
    "3m": Size(20, minimal=3_000_000),
}
"""By name; each job has at least as many runs as an answer shows, so that answers are alike."""
ROUNDS = 20
WARM_ROUNDS = 10
EACH = 3
BATCH = 100


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--homes", type=Path, help="keep the graphs here, and use those there")
    parser.add_argument("--sizes", nargs="+", default=list(SIZES), choices=SIZES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", default="", help="only work with this in its name")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        homes = [(given.homes or Path(folder)) / size for size in given.sizes]
        for home in homes:
            size = SIZES[home.name]
            fill = partial(fill_up, minimal=size.minimal)
            make_graph(home, size.runs, fill, size.pipelines)
        urls = [stack.enter_context(serving(home)) for home in homes]
        compare(given.sizes, urls, given.rounds, given.only)


def fill_up(graph: Graph, minimal: int) -> None:
    """Add runs without facts, unless they are there."""
    (found,) = graph.query("MATCH (r:Run) RETURN count(r) AS runs")
    if minimal > found["runs"]:
        add_minimal(graph, minimal)


def compare(sizes: list[str], urls: list[str], rounds: int, only: str) -> None:
    """Work in turns, and print a row for each kind of work."""
    works = {name: work for name, work in WORKS.items() if only in name}
    draws = [Draw(7, SIZES[size].pipelines) for size in sizes]
    for _ in track(range(WARM_ROUNDS), "warming"):
        for work in works.values():
            # A Neo4j that has just started may take too long for an answer.
            with suppress(RuntimeError):
                take_turns(work, urls, draws)
    print("| work, p50 ms | " + " | ".join(sizes) + " | largest ratio to the first |")
    print("|---|" + "---:|" * (len(sizes) + 1))
    for name, work in works.items():
        rows = [take_turns(work, urls, draws) for _ in range(rounds)]
        middles = [statistics.median(chain(*column)) * 1000 for column in zip(*rows, strict=True)]
        cells = " | ".join(f"{middle:.1f}" for middle in middles)
        print(f"| {name} | {cells} | {max(middles) / middles[0]:.2f} |", flush=True)


def take_turns(work: Work, urls: list[str], draws: list[Draw]) -> list[list[float]]:
    """Return how long the same took each server, a few times, on a connection of its own."""
    found = []
    for url, draw in zip(urls, draws, strict=True):
        worker = work(url, draw)
        found.append([worker() for _ in range(EACH)])
    return found


def get(question: Question) -> Work:
    """Return the work of a reader."""

    def start(url: str, draw: Draw) -> Worker:
        connection = http.client.HTTPConnection(urlsplit(url).netloc)
        connection.connect()
        return lambda: ask(connection, question(draw))

    return start


def post(path: str, make: Callable[[Draw], bytes]) -> Work:
    """Return the work of one who sends bodies, each made before the clock runs."""

    def start(url: str, draw: Draw) -> Worker:
        send = poster(url, path)

        def worker() -> float:
            body = make(draw)
            began = time.perf_counter()
            send(body)
            return time.perf_counter() - began

        return worker

    return start


def view(path: str, make: Callable[[Draw], dict[str, str]] = lambda draw: {}) -> Work:
    """Return the work of a view of the page, which asks a question."""
    return post(f"/api/v1/views/{path}", lambda draw: msgspec.json.encode(make(draw)))


def table(draw: Draw) -> str:
    """Return the path of a table."""
    name = table_name(*draw.task())
    return f"/api/v1/namespaces/{quote(STORE, safe='')}/datasets/{quote(name, safe='')}"


def first_run(draw: Draw) -> str:
    """Return the id of a pipeline's first run."""
    return run_id(draw.randrange(draw.pipelines), None)


WORKS: dict[str, Work] = {
    "an event": post(ONE, lambda draw: make_bodies(1, 1)[0]),
    "a batch of 100 events": post(MANY, lambda draw: make_bodies(BATCH, 1)[0]),
    **{name: get(question) for name, question in QUESTIONS.items() if "3,000" not in name},
    "failed runs of a day": get(lambda draw: "/api/v1/runs?state=FAILED&limit=100"),
    "a page of all runs": get(lambda draw: "/api/v1/runs?limit=100"),
    "a run": get(lambda draw: f"/api/v1/jobs/runs/{first_run(draw)}"),
    "a table": get(table),
    "versions of a table": get(lambda draw: f"{table(draw)}/versions?limit=20"),
    "metrics": get(lambda draw: "/metrics"),
    "a page of events": get(lambda draw: "/api/v1/events/lineage?limit=20"),
    "search": get(lambda draw: f"/api/v1/search?q=task_{draw.randrange(LAYERS):02}"),
    "runs an hour": get(lambda draw: "/api/v1/stats/lineage-events?period=DAY"),
    "states of freshness": get(lambda draw: "/api/v1/freshness"),
    "Now": view("now/now"),
    "run history": view(
        "run_history/runs",
        lambda draw: {"job": pipeline_name(draw.randrange(draw.pipelines)), "namespace": NAMESPACE},
    ),
    "live run": view("live_run/live", lambda draw: {"run": first_run(draw)}),
}
"""What is asked and sent."""


if __name__ == "__main__":
    main()
