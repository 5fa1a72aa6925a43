"""How long commands take from start to exit: `python -m bench.commands [--times 20]`.

`up` starts with an empty home, and Neo4j and Java in the cache; `status` asks what it started.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

from bench.load import percentile

TIMES = 20


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES, help="how often each is run")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"LINEAGEGRAPH_HOME": home, "LINEAGEGRAPH_PORT": "0"}
        up = run(environment, "up", "--detach")
        try:
            quick = {
                command: [run(environment, command) for _ in range(given.times)]
                for command in ("--version", "--help", "status", "jobs")
            }
        finally:
            run(environment, "down")
    print("| command | p50 s | p95 s |")
    print("|---|---:|---:|")
    print(f"| up --detach, once | {up:.2f} | |")
    for command, times in quick.items():
        p95 = percentile(times, 95) / 1000
        print(f"| {command} | {statistics.median(times):.2f} | {p95:.2f} |")


def run(environment: dict[str, str], *words: str) -> float:
    """Return how many seconds a command took; it has to succeed."""
    command = [sys.executable, "-m", "lineagegraph.cli", *words]
    began = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
