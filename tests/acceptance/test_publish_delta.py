"""Delta tables that are published by several writers, by one that is killed, and on S3."""

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
from lineagegraph.errors import RunError
from lineagegraph.spark.tables.guard import guarding
from lineagegraph.spark.tables.place import TABLES
from tests.acceptance.captured import Captured, output
from tests.acceptance.delta_lake import Lake
from tests.acceptance.processes import until
from tests.acceptance.s3_server import s3_server
from tests.acceptance.test_spark_delta import end_jvm
from tests.delta_jars import delta_conf

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    end_jvm()
    captured = Captured(tmp_path_factory.mktemp("delta"), **delta_conf())
    yield Lake(captured)
    captured.sessions.stop()
    end_jvm()


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
    table = lake.path("gold.killed")
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
