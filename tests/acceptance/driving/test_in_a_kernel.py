"""Pipelines that are stated in cells and run from them, on the Spark session of the notebook."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.runs.hierarchy import read_run_tree
from lineagegraph.reading.parser import parse
from tests.acceptance.driving.kernel import CellFailed, Kernel, kernel
from tests.acceptance.processes import Commands, shared, until

SESSION = """
import lineagegraph as lg
from pyspark.sql import SparkSession, functions as F
session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
spark = session.getOrCreate()
spark.range(3).count()
"""
PIPELINE = """
RATE = {rate}

@lg.task
def rides(spark, month):
    print("month", month)
    rows = spark.range(10).select(F.col("id").alias("ride"), (F.col("id") * RATE).alias("fare"))
    rows.write.mode("overwrite").parquet("{folder}/rides")

@lg.task(after=rides)
def totals(spark):
    table = spark.read.parquet("{folder}/rides")
    table.agg(F.sum("fare").alias("total")).write.mode("overwrite").parquet("{folder}/totals")

p = lg.pipeline("taxi", tasks=[rides, totals], params={{"month": 3}})
"""
NAP = """spark.range(0, 2, 1, 2).select(
    F.expr("reflect('java.lang.Thread', 'sleep', cast(id * 0 + 60000 as bigint))")).collect()"""
SLOW = f"""
@lg.task
def slow(spark):
    {NAP}

s = lg.pipeline("slow", tasks=[slow])
"""
CAPTURED = """
with lg.run("adhoc"):
    spark.range(5).write.mode("overwrite").parquet("{folder}/ids")
    total = spark.read.parquet("{folder}/ids").agg(F.sum("id").alias("total"))
    total.write.mode("overwrite").parquet("{folder}/adhoc")
    {fault}
"""
CAPTURED_RUNS = """
MATCH (:Job {fqn: 'adhoc'})-[:HAS_RUN]->(r)
RETURN r.state AS state ORDER BY r.created_at
"""
PARTS = (
    "import json, os\nfrom math import *",
    "PLACES = ['a']\nPLACES.append('b')",
    "RATE = 2",
    "def fare(km): return ceil(km * RATE)",
    "@lg.task\ndef first(km): lg.emit(fare=fare(km))",
    "%matplotlib --list\n@lg.task(after=first)\ndef then(): print(json.dumps(PLACES))",
    "parts = lg.pipeline('parts', tasks=[first, then], params={'km': 1.2})",
)
PAGE = Path(__file__).parents[3] / "docs" / "notebook_runs.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DERIVED = """
MATCH (made:Field {name: 'total'})-[:DERIVED_FROM]->(of:Field)
RETURN made.name AS column, of.name AS made_of
"""
VERSIONS = "MATCH (r:Run)-[:RAN]->(v:JobVersion) WHERE r.id IN $ids RETURN v.hash AS version"
APPLICATION = "MATCH (r:Run {kind: 'application', state: 'RUNNING'}) RETURN r.id"
RERUN = """
MATCH (r:Run {id: $id})-[:RERUN_OF]->(o)
RETURN o.id AS of, r.rerun_policy AS policy, r.params AS params, r.state AS state
"""
NEWEST = """
MATCH (:Job {fqn: 'slow'})-[:HAS_RUN]->(r)
RETURN r.state AS state, r.reason AS reason ORDER BY r.created_at DESC LIMIT 1
"""
ENDS = """
MATCH (j:Job)-[:HAS_RUN]->(r:Run) WHERE j.fqn IN $jobs
RETURN j.fqn AS job, r.state AS state ORDER BY job
"""
PROGRAMS = """
quick = lg.pipeline("quick", tasks=[lg.command("say", ["echo", "{word}"])], params={"word": "here"})
endless = lg.pipeline("endless", tasks=[lg.command("naps", ["sleep", "600"])])
"""
OWNER = "MATCH (:Job {fqn: 'endless'})-[:HAS_RUN]->(r) RETURN r.owner AS owner"
BUSY = "len(spark.sparkContext.statusTracker().getActiveJobsIds())"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "lineagegraph.toml").touch()
    return folder


@pytest.fixture(scope="module")
def kept(server: ServerAddress, folder: Path) -> Iterator[Kernel]:
    """A kernel in a project, with a session of Spark."""
    own = Commands(folder, shared(server, folder / "home"))
    with kernel(folder, own.environment | {"IPYTHONDIR": str(folder / "ipython")}) as started:
        started.run(SESSION, seconds=300)
        yield started


@pytest.fixture
def cells(kept: Kernel, graph: Graph) -> Kernel:
    """The kernel on an empty graph."""
    return kept


def test_a_pipeline_of_cells_runs_in_their_session(
    cells: Kernel, graph: Graph, folder: Path
) -> None:
    cells.run(PIPELINE.format(rate=2, folder=folder))
    cells.run("end = await p.run(month=4, spark=spark)")
    assert cells.value("spark.read.parquet('totals').first().total") == 90
    run = read_run_tree(graph, cells.value("end.run_id"))
    assert [child.item.simple_name for child in run.children] == ["rides", "totals"]
    assert [*graph.query(DERIVED)] == [{"column": "total", "made_of": "fare"}]
    before = cells.value("end.run_id")
    cells.run(PIPELINE.format(rate=3, folder=folder))
    cells.run("end = await p.run(spark=spark)")
    again = cells.value("end.run_id")
    assert cells.value("spark.read.parquet('totals').first().total") == 135
    versions = {row["version"] for row in graph.query(VERSIONS, {"ids": [before, again]})}
    assert len(versions) == 2


def test_an_interrupt_ends_the_job_and_the_run(cells: Kernel, graph: Graph) -> None:
    cells.run(SLOW)
    for cell in ("await s.run(spark=spark)", "s.run(spark=spark).wait()"):
        started = cells.start(cell)
        until(lambda: graph.query(APPLICATION), 60)
        cells.interrupt()
        with pytest.raises(CellFailed, match=r"KeyboardInterrupt|CancelledError"):
            cells.finish(started)
        (row,) = graph.query(NEWEST)
        assert row == {"state": "KILLED", "reason": "CANCELLED"}
        assert cells.value(BUSY) == 0


def test_a_daemon_runs_what_asks_for_no_session_and_hears_of_stop(
    cells: Kernel, server: ServerAddress, graph: Graph, folder: Path
) -> None:
    command = Commands(folder, shared(server, folder / "home"))
    assert command("up", "--detach", "--only", "daemon").returncode == 0
    try:
        cells.run(PROGRAMS)
        cells.run("end = await quick.run(word='there')")
        cells.run("long = endless.run()")
        until(lambda: cells.value("long.state") == "RUNNING", 60)
        (daemon,) = json.loads(command("status", "--json").stdout)["daemons"]
        (row,) = graph.query(OWNER)
        assert psutil.Process(int(row["owner"].split(":")[-1])).ppid() == daemon["pid"]
        cells.run("long.stop()")
        with pytest.raises(CellFailed, match=r"RunKilled: run .* of endless is KILLED"):
            cells.run("await long")
    finally:
        command("down")


DEFERS = """
flag, seen = lg.sensor("file", path="{folder}/flag", poke_interval="0.2s"), []

@lg.task
def load(spark):
    seen.append("begins")
    lg.defer(flag)
    seen.append(spark.range(3).count())

defers = lg.pipeline("defers", tasks=[load])
"""
PARK_AT_ONCE = """
import os
from lineagegraph.settings import load_settings
os.environ["LINEAGEGRAPH_RESTING_WORKERS"] = "{number}"
load_settings.cache_clear()
"""


def test_a_task_of_cells_defers_and_goes_on_in_the_kernel_which_has_its_session(
    cells: Kernel, server: ServerAddress, graph: Graph, folder: Path
) -> None:
    command = Commands(folder, shared(server, folder / "home"))
    cells.run(PARK_AT_ONCE.format(number=0))
    assert command("up", "--detach", "--only", "daemon").returncode == 0
    waits = "MATCH (:Run)-[w:WAITS_ON]->(:Sensor) WHERE w.outcome IS NULL RETURN w.asked"
    try:
        for cell in ("went = defers.run(spark=spark)", "went = defers.run()"):
            cells.run(DEFERS.format(folder=folder))
            cells.run(cell)
            until(lambda: graph.query(waits), 60)
            (folder / "flag").touch()
            cells.run("await went")
            (folder / "flag").unlink()
            # Without spark= a worker calls the function, which has a copy of the list.
            assert cells.value("seen") == (["begins", "begins", 3] if "spark=" in cell else [])
    finally:
        command("down")
        cells.run(PARK_AT_ONCE.format(number=8))


def test_what_plain_cells_do_is_captured(cells: Kernel, graph: Graph, folder: Path) -> None:
    cells.run(CAPTURED.format(folder=folder, fault=""))
    with pytest.raises(CellFailed, match="ZeroDivisionError"):
        cells.run(CAPTURED.format(folder=folder, fault="1 / 0"))
    started = cells.start(f"with lg.run('adhoc'): {NAP}")
    until(lambda: graph.query(APPLICATION), 60)
    cells.interrupt()
    with pytest.raises(CellFailed, match="KeyboardInterrupt"):
        cells.finish(started)
    assert cells.value(BUSY) == 0
    states = [row["state"] for row in graph.query(CAPTURED_RUNS)]
    assert states == ["COMPLETED", "FAILED", "KILLED"]
    assert [*graph.query(DERIVED)] == [{"column": "total", "made_of": "id"}]
    cells.run("spark.range(2).write.mode('overwrite').parquet('nobodys')")
    assert not graph.query("MATCH (d:Dataset) WHERE d.name ENDS WITH 'nobodys' RETURN d")
    with pytest.raises(CellFailed, match="wait for it or stop it"):
        cells.run("with lg.run('one'), lg.run('two'): pass")
    with pytest.raises(CellFailed):
        cells.run("with lg.run('broken', spark='no session'): pass")
    cells.run("with lg.run('mended'): pass")
    assert [*graph.query(ENDS, {"jobs": ["broken", "mended"]})] == [
        {"job": "broken", "state": "FAILED"},
        {"job": "mended", "state": "COMPLETED"},
    ]


def test_what_plain_cells_do_with_pandas_and_duckdb_is_captured(
    cells: Kernel, graph: Graph, folder: Path
) -> None:
    cells.run("import lineagegraph as lg, pandas as pd, duckdb")
    cells.run("block = lg.run('frames').begin()")
    cells.run(f"pd.DataFrame({{'k': [1]}}).to_csv('{folder}/k.csv', index=False)")
    cells.run(f"duckdb.sql(\"COPY (SELECT k FROM '{folder}/k.csv') TO '{folder}/k.parquet'\")")
    cells.run("block.end()")
    cells.run(f"pd.read_csv('{folder}/k.csv').to_csv('{folder}/nobodys.csv')")
    flows = graph.query(
        "MATCH (:Job {fqn: 'frames'})-[:PRODUCES]->(d:Dataset) RETURN d.name AS name ORDER BY name"
    )
    assert [row["name"] for row in flows] == [f"{folder}/k.csv", f"{folder}/k.parquet"]


def test_a_pipeline_of_many_cells_is_exported_as_a_file_that_runs(
    cells: Kernel, server: ServerAddress, folder: Path
) -> None:
    for part in PARTS:
        cells.run(part)
    cells.run("parts.export('parts.py')")
    text = (folder / "parts.py").read_text()
    assert "import lineagegraph as lg" in text
    assert "matplotlib" not in text
    command = Commands(folder, shared(server, folder / "home"))
    assert command("sync", "parts.py").returncode == 0
    ran = command("run", "parts", "--param", "km=1.6", "--wait")
    assert ran.returncode == 0, ran.stderr
    shown = command("show", ran.stdout.split("run ")[-1].split()[0], "--log", "--json")
    assert '"fare":4' in shown.stdout.replace(" ", "")
    for part in ("%%time\nTIMED = 3", "@lg.task\ndef third(): print(TIMED)"):
        cells.run(part)
    cells.run("timed = lg.pipeline('timed', tasks=[third])")
    with pytest.raises(CellFailed, match="no cell of plain Python defines TIMED, which it needs"):
        cells.run("timed.export('timed.py')")
    assert not (folder / "timed.py").exists()


def test_what_the_page_shows_works(cells: Kernel, graph: Graph, folder: Path) -> None:
    said = [cells.run(block, seconds=300) for block in BLOCK.findall(PAGE.read_text("utf-8"))]
    assert "COMPLETED" in said[1]
    (row,) = graph.query(RERUN, {"id": cells.value("again.run_id")})
    first, month = cells.value("latest.run_id"), '{"month":6}'
    assert row == {"of": first, "policy": "as_was", "params": month, "state": "COMPLETED"}
    assert any("no trigger starts it" in text for text in said)
    (row,) = graph.query("MATCH (j:Job {fqn: 'taxi'}) RETURN j.current_version AS version")
    (parsed,) = parse(folder / "taxi.py", folder, 60.0)
    assert row["version"]
    assert [task.name for task in parsed.version.pipeline.tasks] == ["rides", "totals"]
    states = "MATCH (:Job {fqn: 'adhoc.exploration'})-[:HAS_RUN]->(r) RETURN r.state AS state"
    assert [row["state"] for row in graph.query(states)] == ["COMPLETED", "COMPLETED"]


def test_the_death_of_spark_s_jvm_is_the_reason_of_a_failed_block(
    cells: Kernel, graph: Graph
) -> None:
    """It is the last test here: no session is left."""
    with pytest.raises(CellFailed):
        cells.run(f"with lg.run('dies'):\n    {KILL_SPARK}\n    spark.range(4).count()")
    (run,) = graph.query("MATCH (:Job {fqn: 'dies'})-[:HAS_RUN]->(r) RETURN r.error AS error")
    assert "\nSpark's JVM died (SIGKILL): " in run["error"]


KILL_SPARK = "spark.sparkContext._gateway.proc.kill()"
