"""Acknowledged events a second over HTTP: `python -m bench.load [--events N]`.

Starts `lineagegraph up` with a Neo4j of its own, warms it, and sends events of about 7 kB from
clients that keep their connections and wait for each answer. The clients run beside the server on
the same cores. With `--events` it goes on sending batches up to that number, and prints memory.
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import psutil

from bench.events import make_events

HERE = Path(__file__).parents[1]
ONE = "/api/v1/lineage"
MANY = "/api/v1/lineage/batch"
SECONDS = 12.0
# More than is written in a second; as many are made for each second, before the clock runs.
MOST_A_SECOND = 3_000
Seconds = list[float]


def main() -> None:
    """Measure, and print tables for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=0, help="go on up to that many events")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each row")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as url:
        for size in (1, 8, 64, 400):
            measure(url, MANY if size > 1 else ONE, clients=1, size=size, seconds=10)
        print(
            "| clients | events a request | acknowledged events/s | p50 ms | p99 ms "
            "| server CPU ms an event | Neo4j CPU ms an event |"
        )
        print("|---:|---:|---:|---:|---:|---:|---:|")
        for clients, size in ((1, 1), (8, 1), (64, 1), (4, 100)):
            row(url, Path(folder), clients, size, given.seconds)
        offered(url, 200, given.seconds)
        if given.events:
            fill(url, Path(folder), given.events)


@contextmanager
def serving(home: Path, checkout: Path = HERE) -> Iterator[str]:
    """Run `lineagegraph up` of a checkout on a home of its own, and give its address."""
    call = caller(home, checkout)
    call("up", "--detach")
    try:
        yield msgspec.json.decode(call("status", "--json"))["http"]
    finally:
        call("down")


def caller(home: Path, checkout: Path) -> Callable[..., bytes]:
    """Return a function that runs a command of a checkout on a home, and returns what it printed.

    Another checkout than this one has its environment in `.venv`.
    """
    python = Path(sys.executable) if checkout == HERE else checkout / ".venv" / "bin" / "python"
    environment = os.environ | {
        "LINEAGEGRAPH_HOME": str(home),
        "LINEAGEGRAPH_PORT": "0",
        "PYTHONPATH": str(checkout),
    }

    def call(*words: str) -> bytes:
        command = [python, "-m", "lineagegraph.cli", *words]
        return subprocess.run(
            command, cwd=checkout, env=environment, check=True, stdout=subprocess.PIPE
        ).stdout

    return call


def row(url: str, home: Path, clients: int, size: int, seconds: float) -> None:
    """Print the row of one kind of load."""
    before = [cpu_seconds(process) for process in processes(home)]
    count, took, times = measure(url, MANY if size > 1 else ONE, clients, size, seconds)
    after = [cpu_seconds(process) for process in processes(home)]
    server, graph = ((b - a) / count * 1000 for a, b in zip(before, after, strict=True))
    middle, high = percentile(times, 50), percentile(times, 99)
    print(
        f"| {clients} | {size} | {count / took:,.0f} | {middle:.0f} | {high:.0f} "
        f"| {server:.2f} | {graph:.2f} |",
        flush=True,
    )


def measure(
    url: str, path: str, clients: int, size: int, seconds: float
) -> tuple[int, float, Seconds]:
    """Send for that long; return the events acknowledged, the time it took, and each wait."""
    jobs = [(url, path, size, seconds)] * clients
    with get_context("spawn").Pool(1) as pool:
        waits = pool.apply(send_all, [jobs])
    count = sum(len(times) for times, _ in waits) * size
    return count, max(took for _, took in waits), [wait for times, _ in waits for wait in times]


def send_all(jobs: list[tuple[str, str, int, float]]) -> list[tuple[Seconds, float]]:
    """Send with a thread for each client, in a process apart from the server's."""
    bodies = [
        make_bodies(size, 1 + int(seconds * MOST_A_SECOND / len(jobs) / size))
        for _, _, size, seconds in jobs
    ]
    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(send, jobs, bodies))


def make_bodies(size: int, count: int) -> list[bytes]:
    """Return that many bodies: an event each, or an array of them."""
    events = make_events(size * count)
    if size == 1:
        return [msgspec.json.encode(event) for event in events]
    return [msgspec.json.encode(events[n : n + size]) for n in range(0, len(events), size)]


def send(job: tuple[str, str, int, float], bodies: list[bytes]) -> tuple[Seconds, float]:
    """Send one body after the other, and return how long each answer took."""
    url, path, _, seconds = job
    post = poster(url, path)
    times: Seconds = []
    began = time.perf_counter()
    for body in bodies:
        at = time.perf_counter()
        if at - began > seconds:
            break
        post(body)
        times.append(time.perf_counter() - at)
    return times, time.perf_counter() - began


def poster(url: str, path: str) -> Callable[[bytes], None]:
    """Return a function that sends a body on one connection, with as little work as can be."""
    address = urlsplit(url)
    connection = socket.create_connection((address.hostname, address.port))
    answers = connection.makefile("rb")
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {address.netloc}\r\n"
        "Content-Type: application/json\r\nContent-Length: "
    )

    def post(body: bytes) -> None:
        connection.sendall(f"{head}{len(body)}\r\n\r\n".encode() + body)
        status, length = answers.readline(), 0
        if not status:
            raise ConnectionError(f"{url} closed the connection")
        while (line := answers.readline().lower()) != b"\r\n":
            if line.startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        said = answers.read(length)
        if status.split()[1] not in (b"200", b"201"):
            raise RuntimeError(f"{status!r}: {said[:200]!r}")

    return post


def offered(url: str, rate: int, seconds: float) -> None:
    """Send at a fixed rate, whatever the answers take, and print how long they took."""
    times = send_offered(url, rate, seconds)
    middle, high = percentile(times, 50), percentile(times, 99)
    print(f"\n{rate} events/s offered: p50 {middle:.0f} ms, p99 {high:.0f} ms")


def send_offered(url: str, rate: int, seconds: float) -> Seconds:
    """Send at a fixed rate from a process apart, and return how long each answer took."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(send_at, (url, rate, seconds))


def send_at(url: str, rate: int, seconds: float) -> Seconds:
    """Send events at their times; a late one counts from when it should have been sent."""
    bodies = [msgspec.json.encode(event) for event in make_events(int(rate * seconds))]
    clients = 32
    began = time.perf_counter() + 0.5

    def one(client: int) -> Seconds:
        post, times = poster(url, ONE), []
        for number in range(client, len(bodies), clients):
            due = began + number / rate
            time.sleep(max(0.0, due - time.perf_counter()))
            post(bodies[number])
            times.append(time.perf_counter() - due)
        return times

    with ThreadPoolExecutor(clients) as pool:
        return [wait for times in pool.map(one, range(clients)) for wait in times]


def fill(url: str, home: Path, events: int) -> None:
    """Send batches up to a number of events, and print memory and disk on the way."""
    print("\n| events | server MB | Neo4j MB | data MB | events/s |")
    print("|---:|---:|---:|---:|---:|")
    sent, step = 0, events // 10
    while sent < events:
        post, bodies = poster(url, MANY), make_bodies(200, step // 200)
        began = time.perf_counter()
        for body in bodies:
            post(body)
        sent += step
        rate = step / (time.perf_counter() - began)
        server, graph = memory(home)
        print(
            f"| {sent:,} | {server:.0f} | {graph:.0f} | {disk(home):.0f} | {rate:,.0f} |",
            flush=True,
        )


def memory(home: Path) -> tuple[float, float]:
    """Return the resident memory of `up` and of its Neo4j, in MB."""
    server, graph = (process.memory_info().rss / 1e6 for process in processes(home))
    return server, graph


def processes(home: Path) -> tuple[psutil.Process, psutil.Process]:
    """Return `up` and its Neo4j."""
    up = psutil.Process(msgspec.json.decode((home / "up.json").read_bytes())["pid"])
    (neo4j,) = (
        process
        for process in psutil.process_iter(["name", "cmdline"])
        if process.info["name"] == "java" and str(home) in " ".join(process.info["cmdline"] or ())
    )
    return up, neo4j


def cpu_seconds(process: psutil.Process) -> float:
    """Return how long a process has computed."""
    times = process.cpu_times()
    return times.user + times.system


def disk(home: Path) -> float:
    """Return the size of the data folder in MB."""
    return sum(path.stat().st_size for path in home.rglob("*") if path.is_file()) / 1e6


def percentile(seconds: Seconds, percent: int) -> float:
    """Return a percentile in milliseconds."""
    return statistics.quantiles(seconds, n=100)[percent - 1] * 1000


if __name__ == "__main__":
    main()
