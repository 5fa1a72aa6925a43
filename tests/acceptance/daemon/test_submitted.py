"""The Spark work of Python files that tasks submit is in the lineage, below the task's run."""

from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state
from tests.acceptance.processes import Commands

JOB = """
import sys
from concurrent.futures import ThreadPoolExecutor
import helper
from pyspark.sql import SparkSession, functions as F

if __name__ == "__main__":
    source, target = sys.argv[1:]
    with ThreadPoolExecutor(1) as pool:
        spark = pool.submit(SparkSession.builder.appName("totals").getOrCreate).result()
    orders = spark.read.option("header", True).csv(source)
    totals = orders.groupBy("region").agg(F.sum("amount").alias(helper.NAME))
    totals.write.mode("overwrite").parquet(target)
    spark.stop()
    # Another session, and an end that programs often have.
    SparkSession.builder.getOrCreate().range(3).write.mode("overwrite").parquet(target + "-ids")
    sys.exit(0)
"""
FAILS = """
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.range(3).write.mode("overwrite").parquet("{folder}/half")
raise SystemExit("no more")
"""
DIES = """
import os, signal, time
from pyspark.sql import SparkSession

SparkSession.builder.getOrCreate().range(3).write.mode("overwrite").parquet("{folder}/dead")
time.sleep(2)  # for the listener
os.kill(os.getpid(), signal.SIGKILL)
"""
PIPELINES = """
import lineagegraph as lg

CONF = {{"spark.master": "local[1]", "spark.ui.enabled": "false"}}
args = ["{folder}/orders.csv", "{folder}/totals"]
lg.pipeline("submits", tasks=[lg.spark_submit("job", "job.py", args=args, conf=CONF)])
lg.pipeline("breaks", tasks=[lg.spark_submit("job", "fails.py", conf=CONF)])
lg.pipeline("dies", tasks=[lg.spark_submit("job", "dies.py", conf=CONF)])
"""
FLOWS = """
MATCH (task:Job {fqn: $task})-[:HAS_RUN]->(:Run)-[:PARENT_OF*1..3]->(r:Run)<-[:HAS_RUN]-(j:Job)
MATCH (r)-[:WRITES]->(:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset)
OPTIONAL MATCH (r)-[:READS]->(source:Dataset)
RETURN DISTINCT d.name AS target, source.name AS source ORDER BY target
"""
STATES = """
MATCH (task:Job {fqn: $task})-[:HAS_RUN]->(:Run)-[:PARENT_OF*1..3]->(r:Run)
RETURN r.state AS state
"""
ORIGIN = """
MATCH (d:Dataset)-[:HAS_FIELD]->(f:Field {name: 'total'})
MATCH (f)-[:IN_SET*0..1]->()-[derived:DERIVED_FROM]->(s:Field)
WHERE derived.type = 'DIRECT'
RETURN s.name AS column
"""


def test_a_submitted_file_has_lineage_with_columns_and_fails_as_it_does(
    commands: Commands, graph: Graph, tmp_path: Path
) -> None:
    (tmp_path / "orders.csv").write_text("region,amount\neu,1\neu,2\nuk,3\n")
    (tmp_path / "helper.py").write_text('NAME = "total"\n')
    (tmp_path / "job.py").write_text(JOB)
    (tmp_path / "fails.py").write_text(FAILS.format(folder=tmp_path))
    (tmp_path / "submits.py").write_text(PIPELINES.format(folder=tmp_path))
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "submits.py")
    done = commands("run", "submits", "--wait")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [*graph.query(FLOWS, {"task": "submits.job"})] == [
        {"target": f"{tmp_path}/totals", "source": f"{tmp_path}/orders.csv"},
        {"target": f"{tmp_path}/totals-ids", "source": None},
    ]
    assert [row["column"] for row in graph.query(ORIGIN)] == ["amount"]
    broken = commands("run", "breaks", "--wait")
    assert (broken.returncode, state(graph, "breaks")) == (1, "FAILED")
    assert [row["target"] for row in graph.query(FLOWS, {"task": "breaks.job"})] == [
        f"{tmp_path}/half"
    ]


def test_anybody_s_file_has_lineage_by_one_command(
    commands: Commands, graph: Graph, tmp_path: Path
) -> None:
    (tmp_path / "orders.csv").write_text("region,amount\neu,1\n")
    (tmp_path / "helper.py").write_text('NAME = "total"\n')
    (tmp_path / "job.py").write_text(JOB)
    (tmp_path / "fails.py").write_text(FAILS.format(folder=tmp_path))
    options = ("--master", "local[1]", "--conf", "spark.ui.enabled=false")
    paths = (f"{tmp_path}/orders.csv", f"{tmp_path}/totals")
    done = commands("spark-submit", "--", *options, "job.py", *paths)
    assert (done.returncode, state(graph, "job")) == (0, "COMPLETED"), done.stderr
    assert [row["target"] for row in graph.query(FLOWS, {"task": "job"})] == [
        f"{tmp_path}/totals",
        f"{tmp_path}/totals-ids",
    ]
    broken = commands("spark-submit", "--name", "mine", "--", *options, "fails.py")
    assert (broken.returncode, state(graph, "mine")) == (1, "FAILED")
    assert "no more" in broken.stdout
    latin = "# -*- coding: latin-1 -*-\nassert 'é' == chr(0xE9)\n".encode("latin-1")
    (tmp_path / "latin.py").write_bytes(latin)
    (tmp_path / "odd.py").write_bytes(b"x = 'caf\xe9'")
    assert commands("spark-submit", "latin.py").returncode == 0
    odd = commands("spark-submit", "odd.py")
    assert "Traceback" not in odd.stderr
    assert (odd.returncode, state(graph, "odd")) == (1, "FAILED")
    for words in (["a.jar"], ["--deploy-mode", "cluster", "job.py"], ["--master", "local[1]"]):
        refused = commands("spark-submit", "--", *words)
        assert refused.returncode == 1
        assert refused.stderr.startswith("error: spark-submit")


def test_a_killed_driver_leaves_no_run_open(
    commands: Commands, graph: Graph, tmp_path: Path
) -> None:
    (tmp_path / "dies.py").write_text(DIES.format(folder=tmp_path))
    (tmp_path / "submits.py").write_text(PIPELINES.format(folder=tmp_path))
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "submits.py")
    assert commands("run", "dies", "--wait").returncode == 1
    states = {row["state"] for row in graph.query(STATES, {"task": "dies.job"})}
    assert "FAILED" in states  # the application
    assert not states & {"PENDING", "RUNNING"}
