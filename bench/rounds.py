"""The work of `bench.compare` by two checkouts: `python -m bench.rounds --before CHECKOUT`.

Round after round, each serves an empty home, and reads definition files into another empty
graph; with `--airflow FOLDER`, Airflow reads as many DAGs. The other checkout has its environment
in `.venv`.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from itertools import islice
from pathlib import Path

import msgspec

from bench.compare import measure_server
from bench.definitions import AIRFLOWS, OURS, measure_airflow, timed, write
from bench.layers import layer_events
from bench.load import HERE, ONE, caller, poster, serving

ROUNDS = 5
FILES = 1_000
_WARM_EVENTS = 60


def main() -> None:
    """Measure, and print the medians for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="the other checkout")
    parser.add_argument("--airflow", type=Path, help="folder of Airflow's programs")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each kind of load")
    parser.add_argument("--asked", type=int, default=20, help="how often each question is asked")
    given = parser.parse_args()
    checkouts = {"before": given.before.resolve(), "after": HERE}
    found = defaultdict[str, dict[str, list[float]]](lambda: defaultdict(list))
    for number in range(given.rounds):
        # Who begins has the machine as the round before has left it.
        for name in sorted(checkouts, reverse=number % 2 == 0):
            figures = measure_checkout(checkouts[name], given.seconds, given.asked)
            for work, figure in figures.items():
                found[work][name].append(figure)
        if given.airflow:
            with tempfile.TemporaryDirectory() as folder:
                dags = write(Path(folder) / "dags", AIRFLOWS, FILES)
                _, first, _ = measure_airflow(given.airflow, Path(folder), dags)
            print(f"Airflow: {first:.1f} s", file=sys.stderr, flush=True)
            found["first sync, s"]["Airflow"].append(first)
    print("| work | before | after |")
    print("|---|---:|---:|")
    for work, each in found.items():
        before, after = (statistics.median(each[name]) for name in checkouts)
        print(f"| {work} | {before:,.1f} | {after:,.1f} |")
    if given.airflow:
        print(f"Airflow: {statistics.median(found['first sync, s']['Airflow']):.1f} s")


def measure_checkout(checkout: Path, seconds: float, asked: int) -> dict[str, float]:
    """Return the figures of one round."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with serving(Path(folder) / "home", checkout) as url:
            figures = {"up to ready, s": time.perf_counter() - began}
            warm(url)
            figures |= measure_server(url, seconds, asked)
        files = write(Path(folder) / "files", OURS, FILES)
        call = caller(Path(folder) / "reading", checkout)
        call("neo4j", "start")
        try:
            call("jobs")
            figures["first sync, s"] = timed(lambda: call("sync", str(files)))
        finally:
            call("neo4j", "stop")
    print(checkout.name, figures, file=sys.stderr, flush=True)
    return figures


def warm(url: str) -> None:
    """Send a few events until they are taken: a server may be up before Neo4j can write them."""
    for event in islice(layer_events(), _WARM_EVENTS):
        for _ in range(5):
            try:
                poster(url, ONE)(msgspec.json.encode(event))
                break
            except RuntimeError:
                time.sleep(2)


if __name__ == "__main__":
    main()
