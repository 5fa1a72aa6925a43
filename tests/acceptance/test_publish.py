"""Tables that are published: all of the old or all of the new, for everybody who reads."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent
from threading import Event

import pandas as pd
import pytest
from pyspark.sql import functions as F  # noqa: N812

import lineagegraph as lg
from lineagegraph.errors import RunError, TableRefused
from lineagegraph.model.runs.ids import new_id
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.sessions import SparkSessions
from lineagegraph.spark.tables.guard import guarding
from lineagegraph.spark.tables.place import TABLES, TABLES_AGE, place_of
from tests.acceptance.processes import until

CONF = {"spark.master": "local[2]", "spark.sql.shuffle.partitions": "2"}


class Lake:
    """A session with tables, and the events of what it does."""

    def __init__(self, folder: Path):
        self.folder, self.events = folder, []
        conf = {**CONF, TABLES: str(folder), TABLES_AGE: "3600"}
        self.sessions = SparkSessions(conf, self.events.extend)
        self.spark = self.sessions.session()

    def numbers(self, value, rows=100, parts=4):
        return self.spark.range(0, rows, 1, parts).select("id", F.lit(value).alias("v"))

    def read(self, table):
        return pd.read_parquet(self.folder.joinpath(*table.split(".")))

    def outputs(self):
        """Return name, version and rows of what ended actions wrote."""
        ended = [e for e in self.events if e["eventType"] == "COMPLETE"]
        return [
            (o["name"], o["facets"]["version"]["datasetVersion"])
            for e in ended
            for o in e.get("outputs", [])
        ]


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    made = Lake(tmp_path_factory.mktemp("tables"))
    yield made
    made.sessions.stop()


def test_a_table_is_read_by_its_path_and_by_its_name_in_the_order_of_its_rows(lake):
    lg.publish(lake.numbers(1), "raw.rides")
    assert list(lake.read("raw.rides").id) == list(range(100))
    assert lake.spark.table("raw.rides").count() == 100
    lg.publish(lake.numbers(2, rows=7), "raw.rides")
    assert set(lake.spark.sql("select v, count(*) n from raw.rides group by v").collect()) == {
        (2, 7)
    }
    lg.publish(lake.spark.sql("select id from raw.rides"), "Raw.Rides")
    assert lake.spark.read.table("raw.rides").columns == ["id"]


def test_what_is_added_has_the_columns_of_the_table(lake):
    frame = lake.numbers(1).withColumn("p", F.col("id") % 2)
    lg.publish(frame, "raw.parts", partition_by="p")
    lg.publish(frame.select("p", "v", "id"), "raw.parts", mode="append")
    assert lake.spark.table("raw.parts").where("p = 1").count() == 100
    assert len(lake.read("raw.parts")) == 200
    with pytest.raises(TableRefused, match=r"append to raw.parts: it has id long.* frame has w"):
        lg.publish(frame.selectExpr("1 as w"), "raw.parts", mode="append")
    with pytest.raises(TableRefused, match="exists already"):
        lg.publish(frame, "raw.parts", mode="error")


def test_lineage_names_the_table_and_not_its_versions(lake):
    lake.events.clear()
    context = TaskContext(new_id(), "ns", "p.t", new_id(), "ns", "p")
    with lake.sessions.task(context):
        lg.publish(lake.numbers(1), "raw.one")
        lg.publish(lake.spark.table("raw.one"), "raw.two")
    folder = lake.folder / "raw"
    assert lake.outputs() == [
        (str(folder / name), (folder / name).resolve().name) for name in ("one", "two")
    ]
    # The last action of the test before may be told after the beginning of this one.
    own = [e for e in lake.events if e["job"]["namespace"] == "ns"]
    [read] = [e["inputs"] for e in own if e["eventType"] == "COMPLETE" and e.get("inputs")]
    assert [i["name"] for i in read] == [str(folder / "one")]
    kinds = {e["job"]["name"] for e in own}
    assert len(kinds) == 3, kinds  # the application and the two writes


def test_a_run_that_was_taken_over_publishes_nothing_and_wrote_nothing(lake):
    lg.publish(lake.numbers(1), "raw.held")
    lake.events.clear()
    asked = []

    def taken_over():
        asked.append(1)
        if len(asked) > 1:
            raise RunError("the run now has another worker")

    context = TaskContext(new_id(), "ns", "p.t", new_id(), "ns", "p")
    refused = pytest.raises(RunError, match="another worker")
    with lake.sessions.task(context), guarding(taken_over), refused:
        lg.publish(lake.numbers(2), "raw.held")
    assert set(lake.read("raw.held").v) == {1}
    assert lake.outputs() == []
    assert "FAIL" in {e["eventType"] for e in lake.events}
    assert len(list((lake.folder / "raw" / ".held").glob("*/"))) == 1


def test_readers_see_one_version_while_several_publish_at_once(lake):
    lg.publish(lake.numbers(0), "raw.busy")
    over = Event()

    def read():
        seen = 0
        while not over.is_set():
            found = lake.read("raw.busy")
            assert len(found) == 100
            assert found.v.nunique() == 1
            seen += 1
        return seen

    with ThreadPoolExecutor(5) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        writers = [
            pool.submit(lambda n=n: lg.publish(lake.numbers(n), "raw.busy")) for n in range(1, 7)
        ]
        for writer in writers:
            writer.result()
        over.set()
        assert all(reader.result() for reader in readers)


def test_additions_at_once_are_all_kept(lake):
    lg.publish(lake.numbers(0, rows=10), "raw.sum")
    with ThreadPoolExecutor(3) as pool:
        list(
            pool.map(
                lambda n: lg.publish(lake.numbers(n, rows=10), "raw.sum", mode="append"),
                range(1, 4),
            )
        )
    assert sorted(lake.read("raw.sum").v.unique()) == [0, 1, 2, 3]


def test_what_a_killed_writer_left_is_nobodys_and_goes(lake, tmp_path):
    lg.publish(lake.numbers(1), "raw.killed")
    program = tmp_path / "writes.py"
    program.write_text(
        dedent(f"""
        from pyspark.sql import SparkSession, functions as F
        import lineagegraph as lg
        spark = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
            .config("{TABLES}", "{lake.folder}").getOrCreate())
        slow = F.udf(lambda i: __import__("time").sleep(0.2) or i, "long")
        lg.publish(spark.range(10000).select(slow("id").alias("id"), F.lit(2).alias("v")),
            "raw.killed")
        """)
    )
    versions = lake.folder / "raw" / ".killed"
    writer = subprocess.Popen([sys.executable, str(program)], start_new_session=True)
    try:
        until(lambda: len(list(versions.glob("*/"))) == 2, 240)
    finally:
        os.killpg(writer.pid, signal.SIGKILL)
        writer.wait()
    assert set(lake.read("raw.killed").v) == {1}
    lake.spark.conf.set(TABLES_AGE, "0")
    try:
        lg.publish(lake.numbers(3), "raw.killed")
    finally:
        lake.spark.conf.set(TABLES_AGE, "3600")
    assert set(lake.read("raw.killed").v) == {3}
    assert len(list(versions.glob("*/"))) == 1
    assert not list(versions.glob("*.lock"))


@pytest.mark.parametrize(
    ("table", "why"), [("a.b.c", "name it TABLE or SCHEMA.TABLE"), ("../x", "name it")]
)
def test_names_that_no_table_can_have_are_refused(lake, table, why):
    with pytest.raises(TableRefused, match=why):
        lg.publish(lake.numbers(1), table)


def test_other_frames_modes_and_places_are_refused_in_a_line(lake):
    with pytest.raises(TableRefused, match=r"spark\.createDataFrame"):
        lg.publish(pd.DataFrame({"a": [1]}), "raw.x")
    with pytest.raises(TableRefused, match="one of overwrite, append, error"):
        lg.publish(lake.numbers(1), "raw.x", mode="replace")
    with pytest.raises(TableRefused, match="Delta or Iceberg"):
        place_of("s3a://lake/tables", "raw.x")
    (lake.folder / "raw" / "own").mkdir()
    with pytest.raises(TableRefused, match="was not published"):
        lg.publish(lake.numbers(1), "raw.own")
