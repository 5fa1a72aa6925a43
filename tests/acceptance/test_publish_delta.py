"""Tables that are published as Delta tables: its commit lets readers see all of a version."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent
from threading import Event

import pytest
from pyspark.sql import functions as F  # noqa: N812

import lineagegraph as lg
from lineagegraph.errors import RunError, TableRefused
from lineagegraph.spark.tables.guard import guarding
from lineagegraph.spark.tables.place import TABLES
from tests.acceptance.captured import Captured, names, output
from tests.acceptance.processes import until
from tests.acceptance.s3_server import s3_server
from tests.acceptance.test_spark_delta import end_jvm
from tests.delta_jars import delta_conf


class Lake:
    """A session with Delta's catalog, and a folder of tables."""

    def __init__(self, home):
        self.folder = home / "lake"
        self.captured = Captured(home, **delta_conf(), **{TABLES: str(self.folder)})
        self.spark = self.captured.sessions.session()

    def numbers(self, value, rows=100):
        return self.spark.range(0, rows, 1, 2).select("id", F.lit(value).alias("v"))

    def values(self, table, **options):
        read = self.spark.read.format("delta").options(**options)
        path = self.folder.joinpath(*table.split("."))
        counted = read.load(str(path)).groupBy("v").count().collect()
        return {(row.v, row["count"]) for row in counted}


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    end_jvm()
    made = Lake(tmp_path_factory.mktemp("delta"))
    yield made
    made.captured.sessions.stop()
    end_jvm()


def test_a_table_is_delta_with_lineage_by_its_path_and_read_in_its_old_versions(lake):
    def work(spark):
        lg.publish(lake.numbers(1), "gold.rides")
        lg.publish(lake.numbers(2, rows=7).withColumn("w", F.lit("x")), "gold.rides")
        spark.sql("SELECT v FROM gold.rides").collect()

    done = lake.captured.run(work)
    assert done.error is None
    path = str(lake.folder / "gold" / "rides")
    first, second, read = done.actions
    assert [output(each)["name"] for each in (first, second)] == [path, path]
    assert names(read["inputs"]) == [path]
    versions = [output(each)["facets"]["version"]["datasetVersion"] for each in (first, second)]
    assert versions == ["0", "1"]
    assert lake.values("gold.rides") == {(2, 7)}
    assert lake.values("gold.rides", versionAsOf=versions[0]) == {(1, 100)}


def test_a_session_that_did_not_publish_a_table_finds_it_by_name(lake):
    lg.publish(lake.numbers(3), "gold.found")
    lake.spark.sql("DROP TABLE gold.found")  # an external table: the files stay
    assert lake.spark.sql("SELECT count(*) FROM Gold.`found`").head()[0] == 100
    assert lake.spark.table("gold.found").count() == 100


def test_modes_add_rows_and_refuse_what_is_there(lake):
    lg.publish(lake.numbers(1), "gold.parts", partition_by="v")
    lg.publish(lake.numbers(2), "gold.parts", mode="append", partition_by="v")
    assert lake.values("gold.parts") == {(1, 100), (2, 100)}
    with pytest.raises(TableRefused, match="exists already"):
        lg.publish(lake.numbers(3), "gold.parts", mode="error")
    with pytest.raises(TableRefused, match="name it TABLE"):
        lg.publish(lake.numbers(3), "../x")
    (lake.folder / "gold" / "linked").symlink_to(lake.folder / "gold" / "parts")
    with pytest.raises(TableRefused, match="was published without Delta"):
        lg.publish(lake.numbers(3), "gold.linked")


def test_a_run_that_was_taken_over_is_cancelled_while_it_writes(lake):
    lg.publish(lake.numbers(1), "gold.held")
    asked = Event()

    def taken_over():
        if asked.is_set():
            raise RunError("the run now has another worker")
        asked.set()

    slow = F.udf(lambda n: __import__("time").sleep(0.5) or n, "long")
    refused = pytest.raises(RunError, match="another worker")
    with guarding(taken_over), refused:
        lg.publish(lake.numbers(2).select(slow("id").alias("id"), "v"), "gold.held")
    with guarding(taken_over), pytest.raises(RunError, match="another worker"):
        lg.publish(lake.numbers(3), "gold.held")
    assert lake.values("gold.held") == {(1, 100)}


@pytest.mark.soak
def test_writers_at_once_all_publish_and_readers_see_one_version(lake):
    lg.publish(lake.numbers(0), "gold.busy")
    over = Event()

    def read():
        while not over.is_set():
            [(_, rows)] = lake.values("gold.busy")
            assert rows == 100

    with ThreadPoolExecutor(4) as pool:
        reader = pool.submit(read)
        writers = [pool.submit(lg.publish, lake.numbers(n), "gold.busy") for n in (1, 2, 3)]
        for writer in writers:
            writer.result()
        over.set()
        reader.result()
    adding = [lake.numbers(n, rows=10) for n in (4, 5)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda rows: lg.publish(rows, "gold.busy", mode="append"), adding))
    assert {(4, 10), (5, 10)} < lake.values("gold.busy")


@pytest.mark.soak
def test_a_killed_writer_leaves_the_version_before(lake, tmp_path):
    lg.publish(lake.numbers(1), "gold.killed")
    conf = {**delta_conf(), TABLES: str(lake.folder), "spark.ui.enabled": "false"}
    program = tmp_path / "writes.py"
    program.write_text(
        dedent(f"""
        import json
        from pyspark.sql import SparkSession, functions as F
        import lineagegraph as lg
        conf = json.loads({json.dumps(conf)!r})
        spark = SparkSession.builder.master("local[1]").config(map=conf).getOrCreate()
        slow = F.udf(lambda i: __import__("time").sleep(0.2) or i, "long")
        rows = spark.range(0, 1000, 1, 100).select(slow("id").alias("id"), F.lit(2).alias("v"))
        lg.publish(rows, "gold.killed")
        """)
    )
    table = lake.folder / "gold" / "killed"
    before = len(list(table.glob("*.parquet")))
    writer = subprocess.Popen(
        [sys.executable, str(program)],
        env=os.environ | {"PYTHONPATH": str(Path.cwd())},
        start_new_session=True,
    )
    try:
        until(lambda: len(list(table.glob("*.parquet"))) > before + 1, 240)
    finally:
        os.killpg(writer.pid, signal.SIGKILL)
        writer.wait()
    assert lake.values("gold.killed") == {(1, 100)}
    lg.publish(lake.numbers(3), "gold.killed")
    assert lake.values("gold.killed") == {(3, 100)}


@pytest.mark.soak
def test_a_table_on_s3_is_published_found_by_name_and_kept_from_a_fenced_run(tmp_path):
    end_jvm()

    def fenced():
        raise RunError("the run now has another worker")

    def work(spark):
        for value in (1, 2):
            lg.publish(spark.range(10).withColumn("v", F.lit(value)), "gold.rides")
        with guarding(fenced), pytest.raises(RunError, match="another worker"):
            lg.publish(spark.range(3), "gold.rides")
        spark.sql("DROP TABLE gold.rides")

    with s3_server(tmp_path) as store:
        conf = delta_conf()
        conf |= store | {"spark.jars": f"{conf['spark.jars']},{store['spark.jars']}"}
        captured = Captured(tmp_path, **conf, **{TABLES: "s3a://lake/tables"})
        done = captured.run(work)
        assert done.error is None
        written = [output(each) for each in done.actions[:2]]
        places = {(each["namespace"], each["name"]) for each in written}
        assert places == {("s3://lake", "tables/gold/rides")}
        spark = captured.sessions.session()
        found = spark.sql("SELECT v, count(*) n FROM gold.rides GROUP BY v").collect()
        assert [(row.v, row.n) for row in found] == [(2, 10)]
        captured.sessions.stop()
    end_jvm()
