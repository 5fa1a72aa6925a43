"""Interrupts while py4j waits: it has the JVM close all connections, and the next call fails."""

import os
import subprocess
import sys
from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared

TIMES = 4
# The more connections there are, the surer one that is just being opened is closed.
PROGRAM = """
import os, signal, threading, time
import lineagegraph as lg
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
# What a notebook's kernel does while a cell runs.
signal.signal(signal.SIGINT, signal.default_int_handler)
nap = spark.range(0, 2, 1, 2).select(
    F.expr("reflect('java.lang.Thread', 'sleep', cast(id * 0 + 60000 as bigint))"))
held = threading.Event()

def hold():
    spark.sparkContext._jsc.sc().applicationId()
    held.wait()

def interrupt():
    while not spark.sparkContext.statusTracker().getActiveJobsIds():
        time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGINT)

for number in range({times}):
    for _ in range(40):
        threading.Thread(target=hold, daemon=True).start()
    time.sleep(1)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        with lg.run("adhoc"):
            nap.collect()
    except BaseException as error:
        print(type(error).__name__, flush=True)
    # A cancelled job ends a little later, and by itself only after a minute.
    for _ in range(200):
        if not (jobs := spark.sparkContext.statusTracker().getActiveJobsIds()):
            break
        time.sleep(0.1)
    print(len(jobs), flush=True)
os._exit(0)
"""
STATES = "MATCH (:Job {fqn: 'adhoc'})-[:HAS_RUN]->(r) RETURN r.state AS state"


def test_an_interrupt_is_one_whatever_py4j_makes_of_it(
    server: ServerAddress, graph: Graph, tmp_path: Path
) -> None:
    (tmp_path / "lineagegraph.toml").touch()
    own = Commands(tmp_path, shared(server, tmp_path / "home"))
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(times=TIMES)],
        cwd=tmp_path,
        env=os.environ | own.environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.stdout.split() == ["KeyboardInterrupt", "0"] * TIMES, ended.stderr
    assert [row["state"] for row in graph.query(STATES)] == ["KILLED"] * TIMES
