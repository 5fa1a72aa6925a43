"""Reads and writes of two checkouts in turns: `python -m bench.turns --before CHECKOUT`.

Each checkout works on the same graph in a process of its own, without a server between, so that the
CPU time of an answer is its process's alone. The checkouts take turns, a block of questions or
transactions each, so that what else a machine does falls on both. All their answers must be equal,
byte for byte.
"""

import argparse
import asyncio
import gc
import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec
import psutil

HERE = Path(__file__).parents[1]
RUNS = 12
BLOCKS = 12
WARM_SECONDS = 60.0


class Asked(msgspec.Struct):
    """Paths to answer, one after the other, or transactions to commit, each of `size` events.

    With `changes`, something else is written before each answer, so that none comes from memory.
    """

    paths: list[str] = []
    changes: bool = False
    transactions: int = 0
    size: int = 1

    @property
    def count(self) -> int:
        """How many answers or transactions it asks for."""
        return len(self.paths) or self.transactions


class Answered(msgspec.Struct):
    """The seconds of each answer, the CPU time of all, their bytes and the hash of these."""

    seconds: list[float]
    cpu: float
    size: int
    digest: str


class Block(msgspec.Struct):
    """What one checkout took for a block; times are in ms, CPU time is that of one answer."""

    p50: float
    server: float
    neo4j: float


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="the other checkout")
    parser.add_argument("--home", type=Path, help="keep the graph here, and use it if it is there")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs of each of 2,000 tasks")
    parser.add_argument("--blocks", type=int, default=BLOCKS)
    parser.add_argument("--warm", type=float, default=WARM_SECONDS)
    parser.add_argument("--only", default="", help="only reads with this in their names")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compare(given, given.home or Path(folder))


def compare(given: argparse.Namespace, home: Path) -> None:
    """Print a row for each read."""
    # Not at the top: a process that answers for another checkout has only that checkout's modules.
    from bench.reads import make_graph
    from lineagegraph import neo4j_server
    from lineagegraph.graph import answers
    from lineagegraph.settings import Settings

    make_graph(home, given.runs)
    settings = Settings(home=home, neo4j_uri=None)
    address = neo4j_server.start(settings, answers)
    login = [address.bolt, address.user, address.password]
    graph_process = neo4j_of(home)
    try:
        with answering(given.before, login) as before, answering(HERE, login) as after:
            work = {name: asked for name, asked in (*reads(), *writes()) if given.only in name}
            until = time.monotonic() + given.warm
            while time.monotonic() < until:
                for asked in work.values():
                    before(asked), after(asked)
            print("| work | kB | p50 ms | server CPU ms | Neo4j CPU ms |")
            print("|---|---:|---:|---:|---:|")
            for name, asked in work.items():
                print(row(name, asked, (before, after), graph_process, given.blocks), flush=True)
    finally:
        neo4j_server.stop(settings)


def reads() -> Iterator[tuple[str, Asked]]:
    """Yield the reads by name, each with one block of them."""
    from bench.layers import NARROW, PIPELINES, Draw
    from bench.reads import job, lineage

    draw = Draw(7)
    for depth, asked in ((5, 4), (10, 2), (20, 1)):
        ask = lineage(NARROW, PIPELINES, depth)
        paths = [ask(draw) for _ in range(asked)]
        yield f"lineage to depth {depth}", Asked(paths)
        yield f"lineage to depth {depth}, after a change", Asked(paths, changes=True)
    for limit, asked in ((25, 6), (100, 3)):
        offsets = [draw.randrange(2000) for _ in range(asked)]
        paths = [f"/api/v1/jobs?limit={limit}&offset={offset}" for offset in offsets]
        yield f"page of {limit} jobs", Asked(paths)
    yield "job page", Asked([job(draw) for _ in range(20)])
    yield "newest 20 runs of a job", Asked([f"{job(draw)}/runs?limit=20" for _ in range(8)])
    yield "newest 20 runs of all jobs", Asked(["/api/v1/runs?limit=20"] * 8)


def writes() -> Iterator[tuple[str, Asked]]:
    """Yield the writes by name, each with one block of them; they come last, as reads see them."""
    for size, transactions in ((1, 120), (8, 40)):
        yield f"transaction of {size}", Asked(transactions=transactions, size=size)


Ask = Callable[[Asked], Answered]


def row(name: str, asked: Asked, sides: tuple[Ask, Ask], neo4j: psutil.Process, blocks: int) -> str:
    """Return the row of some work: before, after, and their ratio."""
    found: tuple[list[Block], list[Block]] = ([], [])
    size = 0
    for _ in range(blocks):
        answered = []
        for ask, measured in zip(sides, found, strict=True):
            began = cpu(neo4j)
            one = ask(asked)
            spent = (cpu(neo4j) - began) / asked.count * 1000
            middle = statistics.median(one.seconds) * 1000
            measured.append(Block(middle, one.cpu / asked.count * 1000, spent))
            answered.append(one.digest)
            size = one.size // asked.count
        if len(set(answered)) != 1:
            raise RuntimeError(f"the answers differ: {name}")
    cells = [
        compared(*([getattr(block, field) for block in side] for side in found))
        for field in Block.__struct_fields__
    ]
    return f"| {name} | {size / 1000:,.0f} | {' | '.join(cells)} |"


def compared(before: list[float], after: list[float]) -> str:
    """Return two medians and how many times the first is of the second."""
    first, second = statistics.median(before), statistics.median(after)
    return f"{first:.1f} → {second:.1f} ({first / max(second, 0.01):.1f} ×)"


def cpu(process: psutil.Process) -> float:
    """Return how long a process has computed."""
    times = process.cpu_times()
    return times.user + times.system


def neo4j_of(home: Path) -> psutil.Process:
    """Return the Neo4j of a home."""
    (found,) = (
        process
        for process in psutil.process_iter(["name", "cmdline"])
        if process.info["name"] == "java" and str(home) in " ".join(process.info["cmdline"] or ())
    )
    return found


@contextmanager
def answering(checkout: Path, login: list[str]) -> Iterator[Ask]:
    """Give a function that has a checkout answer in a process of its own."""
    python = checkout / ".venv" / "bin" / "python"
    command = [python if python.exists() else sys.executable, __file__, "answer", *login]
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    with subprocess.Popen(
        command, env=environment, cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sent, heard = process.stdin, process.stdout

        def ask(asked: Asked) -> Answered:
            send(sent, asked)
            return msgspec.json.decode(heard.readline(), type=Answered)

        yield ask
        sent.close()


def send(to: IO[bytes], message: Any) -> None:
    """Write a message in a line."""
    to.write(msgspec.json.encode(message) + b"\n")
    to.flush()


def answer(uri: str, user: str, password: str) -> None:
    """Answer what stdin asks for, with the code of the checkout that this process runs in."""
    from lineagegraph.graph import Graph
    from lineagegraph.http.application import make_application
    from lineagegraph.settings import Settings

    with tempfile.TemporaryDirectory() as folder, Graph(uri, user, password) as graph:
        gc.collect()
        # As the server does.
        gc.freeze()
        settings = Settings(home=Path(folder))
        application = make_application(graph, settings)
        with asyncio.Runner() as runner:
            for line in sys.stdin.buffer:
                asked = msgspec.json.decode(line, type=Asked)
                if asked.transactions:
                    send(sys.stdout.buffer, write_all(graph, asked))
                else:
                    send(sys.stdout.buffer, runner.run(answer_all(application, graph, asked)))


def write_all(graph: Any, asked: Asked) -> Answered:
    """Commit transactions one after the other."""
    from bench.events import make_events
    from lineagegraph.ingest.extract import extract
    from lineagegraph.reactions.commit import commit

    events = make_events(asked.transactions * asked.size)
    starts = range(0, len(events), asked.size)
    batches = [extract(events[start : start + asked.size]) for start in starts]
    seconds, computed = [], time.process_time()
    for batch in batches:
        began = time.perf_counter()
        graph.write(commit, batch)
        seconds.append(time.perf_counter() - began)
    return Answered(seconds, time.process_time() - computed, 0, "")


async def answer_all(application: Any, graph: Any, asked: Asked) -> Answered:
    """Answer paths one after the other."""
    seconds, computed, size, digest = [], 0.0, 0, hashlib.sha256()
    for path in asked.paths:
        if asked.changes:
            graph.query("MERGE (n:Bench) SET n.changes = rand()", write=True)
        began, before = time.perf_counter(), time.process_time()
        body = await answer_one(application, path)
        seconds.append(time.perf_counter() - began)
        computed += time.process_time() - before
        size += len(body)
        digest.update(body)
    return Answered(seconds, computed, size, digest.hexdigest())


async def answer_one(application: Any, path: str) -> bytes:
    """Return the body of the answer to a path and query."""
    place, _, query = path.partition("?")
    chunks: list[bytes] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def receive_answer(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start" and message["status"] != 200:
            raise RuntimeError(f"{message['status']} for {path}")
        chunks.append(message.get("body", b""))

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": place,
        "raw_path": place.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost")],
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
        "root_path": "",
    }
    await application(scope, receive, receive_answer)
    return b"".join(chunks)


if __name__ == "__main__":
    if sys.argv[1:2] == ["answer"]:
        answer(*sys.argv[2:])
    else:
        main()
