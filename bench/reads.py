"""Milliseconds of reads over HTTP on a large graph: `python -m bench.reads [--home FOLDER]`.

Makes 750,000 runs of 2,000 tasks in 20 layers under 100 pipelines, unless the folder has them, and
asks one question after the other on a kept connection; then the same beside 8 readers, who look at
something else four times a second each, while 100 events/s arrive. All clients run on the same
cores as the server and its Neo4j.
"""

import argparse
import http.client
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from urllib.parse import quote, urlsplit

from bench.layers import (
    LAYERS,
    NAMESPACE,
    NARROW,
    PIPELINES,
    Draw,
    make_layers,
    table_name,
    task_name,
)
from bench.load import ONE, Seconds, make_bodies, percentile, poster, serving
from lineagegraph import neo4j_server
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.settings import Settings

RUNS = 357
ASKED = 200
READERS = 8
RATE = 100
WRITERS = 8
MOST_SECONDS = 120
Question = Callable[[Draw], str]


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="keep the graph here, and use it if it is there")
    parser.add_argument("--asked", type=int, default=ASKED, help="how often each is asked")
    parser.add_argument("--warm", type=float, default=120, help="seconds of questions before")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = given.home or Path(folder)
        make_graph(home)
        with serving(home) as url:
            warm(url, given.warm)
            print("| read | alone p50 ms | alone p95 ms | loaded p50 ms | loaded p95 ms |")
            print("|---|---:|---:|---:|---:|")
            for name, question in QUESTIONS.items():
                asked = max(20, given.asked // 10) if "3,000" in name else given.asked
                alone = measure(url, question, asked)
                with loaded(url):
                    beside = measure(url, question, asked)
                cells = [percentile(times, p) for times in (alone, beside) for p in (50, 95)]
                print(f"| {name} | " + " | ".join(f"{c:.1f}" for c in cells) + " |", flush=True)


def make_graph(
    home: Path,
    runs: int = RUNS,
    more: Callable[[Graph], None] = lambda graph: None,
    pipelines: int = PIPELINES,
) -> None:
    """Fill the graph of a home, if it is empty, with as many runs of each task and with `more`."""
    settings = Settings(home=home, neo4j_uri=None)
    address = neo4j_server.start(settings, answers)
    try:
        with Graph(address.bolt, address.user, address.password) as graph:
            migrate(graph)
            if not graph.query("MATCH (r:Run) RETURN r.id LIMIT 1"):
                make_layers(graph, runs, pipelines)
            more(graph)
    finally:
        neo4j_server.stop(settings)


def job(draw: Draw) -> str:
    """Return the path of a task."""
    task = task_name(*draw.task())
    return f"/api/v1/namespaces/{NAMESPACE}/jobs/{task}"


def by_simple_name(draw: Draw) -> str:
    """Return the path of a task by its simple name: the answer is 301."""
    task = task_name(*draw.task())
    return f"/api/v1/namespaces/{NAMESPACE}/jobs/{task.rpartition('.')[2]}"


def lineage(first: int, last: int, depth: int = 20) -> Question:
    """Return a question for what is upstream of a table of the last layer."""

    def ask(draw: Draw) -> str:
        table = table_name(draw.randrange(first, last), LAYERS - 1)
        node = quote(f"dataset:s3://bench:{table}", safe="")
        return f"/api/v1/lineage?depth={depth}&nodeId={node}"

    return ask


def _page_of_jobs(draw: Draw, limit: int) -> str:
    offset = draw.randrange(draw.pipelines * LAYERS)
    return f"/api/v1/jobs?limit={limit}&offset={offset}"


QUESTIONS: dict[str, Question] = {
    "job page": job,
    "newest 20 runs of a job": lambda draw: f"{job(draw)}/runs?limit=20",
    "job list, 25 of all": lambda draw: _page_of_jobs(draw, 25),
    "job list, 100 of all": lambda draw: _page_of_jobs(draw, 100),
    "look-up by simple name": by_simple_name,
    "lineage to depth 20, about 300 nodes": lineage(0, NARROW),
    "lineage to depth 20, about 3,000 nodes": lineage(NARROW, PIPELINES),
}


def warm(url: str, seconds: float) -> None:
    """Ask everything in turn for a while: the JVM compiles what it does often."""
    draw = Draw(1)
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for question in QUESTIONS.values():
            ask(connection, question(draw))


def measure(url: str, question: Question, asked: int) -> Seconds:
    """Ask a question that often, and return how long each answer took."""
    draw = Draw(7)
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    for _ in range(5):
        ask(connection, question(draw))
    return [ask(connection, question(draw)) for _ in range(asked)]


def ask(connection: http.client.HTTPConnection, path: str) -> float:
    """Return how many seconds an answer took; it is read whole."""
    began = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    took = time.perf_counter() - began
    if answer.status not in (200, 301):
        raise RuntimeError(f"{answer.status} for {path}")
    return took


@contextmanager
def loaded(url: str) -> Iterator[None]:
    """Let readers ask and events arrive while this is open, from a process of their own."""
    spawn = get_context("spawn")
    ready, stop = spawn.Event(), spawn.Event()
    process = spawn.Process(target=load, args=(url, ready, stop))
    process.start()
    ready.wait()
    try:
        yield
    finally:
        stop.set()
        process.join()


def load(url: str, ready: Event, stop: Event) -> None:
    """Read and write until told to stop; `ready` is set when the events to send are made."""
    bodies = make_bodies(1, RATE * MOST_SECONDS)
    threads = [threading.Thread(target=read, args=(url, seed, stop)) for seed in range(READERS)]
    threads.append(threading.Thread(target=write, args=(url, bodies, stop)))
    for thread in threads:
        thread.start()
    ready.set()
    for thread in threads:
        thread.join()


def read(url: str, seed: int, stop: Event) -> None:
    """Ask one question after the other, as a person does with a page open: one a quarter second."""
    draw = Draw(seed)
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    questions = list(QUESTIONS.values())[:5]
    while not stop.wait(0.25):
        ask(connection, draw.choice(questions)(draw))


def write(url: str, bodies: list[bytes], stop: Event) -> None:
    """Send events at a fixed rate, each acknowledged before the next of its connection."""
    posts = [poster(url, ONE) for _ in range(WRITERS)]
    began = time.perf_counter()

    def send(writer: int) -> None:
        for number in range(writer, len(bodies), WRITERS):
            if stop.wait(max(0.0, began + number / RATE - time.perf_counter())):
                return
            posts[writer](bodies[number])

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(send, range(WRITERS)))


if __name__ == "__main__":
    main()
