"""Seconds to publish a table, and to start the process of a cluster: `python -m bench.compute`.

The same frame is published and overwritten in place, small enough for one file and larger; then a
task's first query is timed in a session of this process and in that of a cluster.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from pyspark.sql import SparkSession

from lineagegraph.spark.tables.place import TABLES
from lineagegraph.spark.tables.publish import publish

_FIRST_QUERY = """
import time
began = time.monotonic()
from lineagegraph.spark.sessions import SparkSessions
sessions = SparkSessions({"spark.master": "local[1]"}, lambda events: None)
sessions.session().range(10).count()
print(time.monotonic() - began)
sessions.stop()
"""


def main() -> None:
    """Measure, and print a table for RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="how often each is done")
    parser.add_argument("--rows", type=int, default=5_000_000, help="of the larger frame")
    given = parser.parse_args()
    print("| frame | overwritten s | published s | ratio |")
    print("|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        spark = _session(folder)
        for rows in (10_000, given.rows):
            _compare(spark, folder, rows, given.times)
        spark.stop()
    started = [_start_seconds() for _ in range(given.times)]
    within = [float(_first_query()) for _ in range(given.times)]
    print(
        f"\nfirst query in a new process: {median(started):.1f} s, of which {median(within):.1f} s"
    )
    print("are its session")


def _session(folder: str) -> SparkSession:
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    return builder.config(TABLES, folder).config("spark.driver.host", "127.0.0.1").getOrCreate()


def _compare(spark: SparkSession, folder: str, rows: int, times: int) -> None:
    frame = spark.range(0, rows, 1, 4).selectExpr("id", "id % 97 AS k", "rand(1) AS x")
    plain = str(Path(folder) / f"plain{rows}")
    over = _seconds(lambda: frame.write.mode("overwrite").parquet(plain), times)
    made = _seconds(lambda: publish(frame, f"bench.rows{rows}"), times)
    print(f"| {rows:,} rows | {over:.2f} | {made:.2f} | {made / over:.2f} |", flush=True)


def _seconds(call: Callable[[], object], times: int) -> float:
    call()
    taken = []
    for _ in range(times):
        began = time.monotonic()
        call()
        taken.append(time.monotonic() - began)
    return median(taken)


def _start_seconds() -> float:
    began = time.monotonic()
    _first_query()
    return time.monotonic() - began


def _first_query() -> str:
    command = [sys.executable, "-c", _FIRST_QUERY]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.strip().splitlines()[-1]


if __name__ == "__main__":
    main()
