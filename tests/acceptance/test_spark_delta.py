"""Lineage of real Delta tables: one identity, all commands, the table's own versions."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from pyspark import SparkContext
from pyspark.sql import functions as F  # noqa: N812

import lineagegraph as lg
from lineagegraph.errors import RunError, TableRefused
from lineagegraph.spark.tables.guard import guarding
from tests.acceptance.captured import Captured, columns, names, output, partitions, said
from tests.acceptance.delta_lake import Lake
from tests.delta_jars import delta_conf


@pytest.fixture(scope="module")
def captured(tmp_path_factory):
    end_jvm()
    captured = Captured(tmp_path_factory.mktemp("delta"), **delta_conf())
    yield captured
    captured.sessions.stop()
    end_jvm()


def end_jvm():
    """End the JVM that earlier sessions of this process left: it has its own class path."""
    if gateway := SparkContext._gateway:
        gateway.proc.kill()
        gateway.proc.wait()


@pytest.fixture(scope="module")
def table(captured):
    """The table `sales` with rows, and what its creation told."""

    def create(spark):
        spark.range(50).selectExpr("id", "id * 2 AS v", "id % 3 AS d").write.parquet(source)
        spark.read.parquet(source).write.format("delta").saveAsTable("sales")

    source = str(captured.home / "source")
    return str(captured.home / "warehouse" / "sales"), captured.run(create)


def sql(captured, *statements):
    def work(spark):
        for statement in statements:
            spark.sql(statement)

    task = captured.run(work)
    assert task.error is None
    return task.actions


def version(dataset):
    return dataset["facets"]["version"]["datasetVersion"]


def rows(action):
    return output(action)["outputFacets"]["outputStatistics"].get("rowCount")


def symlinks(dataset):
    return [one["name"] for one in dataset["facets"]["symlinks"]["identifiers"]]


def test_a_new_table_is_one_action_under_its_path_with_its_name_beside(captured, table):
    path, created = table
    action = created.named("spark.write_sales")
    assert len(created.actions) == 2
    assert names(action["inputs"]) == [str(captured.home / "source")]
    assert (output(action)["namespace"], output(action)["name"]) == ("file", path)
    assert symlinks(output(action)) == ["default.sales"]
    assert (version(output(action)), rows(action)) == ("0", 50)
    assert columns(action)[0]["v"] == {("source", "v"): ["IDENTITY"]}


def test_a_table_has_one_name_whether_it_is_used_by_path_or_by_name(captured, table):
    path, _ = table

    def work(spark):
        source = spark.read.parquet(str(captured.home / "source"))
        source.write.format("delta").mode("append").save(path)
        spark.read.format("delta").load(path).write.format("noop").mode("append").save()
        spark.read.format("delta").option("versionAsOf", 0).load(path).count()
        spark.table("sales").count()

    appended, *read = captured.run(work).actions
    assert output(appended)["name"] == path
    assert (version(output(appended)), rows(appended)) == ("1", 50)
    assert [names(action["inputs"]) for action in read[-2:]] == [[path], [path]]
    assert [version(action["inputs"][0]) for action in read[-2:]] == ["0", "1"]
    assert [action["job"]["name"] for action in read[-2:]] == ["spark.count_sales"] * 2


def test_every_command_is_one_action_with_the_version_that_it_made(captured, table):
    path, _ = table
    actions = sql(
        captured,
        "CREATE TABLE kept USING delta AS SELECT id, v FROM sales WHERE d = 1",
        "CREATE OR REPLACE TABLE kept USING delta AS SELECT id, v + 1 AS v FROM sales",
        "INSERT INTO kept SELECT id, v FROM sales WHERE id = 1",
        "OPTIMIZE kept",
        "INSERT OVERWRITE kept SELECT id, v FROM sales WHERE id < 10",
        "UPDATE kept SET v = 0 WHERE id > 7",
        "DELETE FROM kept WHERE id = 0",
        "CREATE TABLE copied SHALLOW CLONE kept",
        "RESTORE TABLE kept TO VERSION AS OF 1",
    )
    written = [(action["job"]["name"], version(output(action))) for action in actions]
    assert written == [
        # OPTIMIZE made version 3 without a change of data.
        *(("spark.write_kept", version) for version in "012456"),
        ("spark.write_copied", "0"),
        ("spark.write_kept", "7"),
    ]
    kept = str(captured.home / "warehouse" / "kept")
    assert {output(a)["name"] for a in actions if a["job"]["name"] == "spark.write_kept"} == {kept}
    sales = [path]
    assert [names(a["inputs"]) for a in actions] == [
        *[sales] * 4,
        *[[]] * 2,
        [kept],
        [],
    ]
    twice = sum(1 for id_ in range(50) if id_ % 3 == 1) * 2
    assert [rows(action) for action in actions[:6]] == [twice, 100, 2, 20, 4, None]
    changes = [
        said(output(a)["facets"].get("lifecycleStateChange", {})).get("lifecycleStateChange")
        for a in actions[:5]
    ]
    assert changes == ["CREATE", "OVERWRITE", None, "OVERWRITE", None]


def test_a_merge_reads_both_sides_and_writes_columns_from_both(captured, table):
    path, _ = table
    _, merged = sql(
        captured,
        "CREATE TABLE merged USING delta AS SELECT id, v AS w FROM sales WHERE d = 1",
        """MERGE INTO merged t USING (SELECT DISTINCT id, v FROM sales WHERE id < 4) s
        ON t.id = s.id WHEN MATCHED AND t.w > 0 THEN UPDATE SET t.w = s.v + t.w
        WHEN NOT MATCHED THEN INSERT (id, w) VALUES (s.id, s.v)""",
    )
    assert names(merged["inputs"]) == sorted([path, str(captured.home / "warehouse" / "merged")])
    fields, deciding = columns(merged)
    assert fields == {
        "id": {("sales", "id"): ["IDENTITY"], ("merged", "id"): ["IDENTITY"]},
        "w": {("sales", "v"): ["TRANSFORMATION"], ("merged", "w"): ["TRANSFORMATION"]},
    }
    assert deciding[("merged", "w")] == ["FILTER"]
    assert deciding[("merged", "id")] == ["JOIN"]
    # id 1 is there twice, and 0, 2 and 3 are new.
    assert (version(output(merged)), rows(merged)) == ("1", 5)


def test_a_stream_into_a_table_is_an_action_each_batch(captured, table):
    path, _ = table

    def stream(spark):
        writer = spark.readStream.format("delta").load(path).select("id").writeStream
        writer = writer.format("delta").trigger(availableNow=True)
        writer = writer.option("checkpointLocation", str(captured.home / "checkpoint"))
        writer.start(str(captured.home / "streamed")).awaitTermination()

    action = captured.run(stream).action
    assert action["job"]["name"] == "spark.write_streamed"
    assert names(action["inputs"]) == [path]
    assert output(action)["name"] == str(captured.home / "streamed")
    assert (version(output(action)), rows(action)) == ("0", 100)


def test_a_write_names_the_partitions_that_it_changed(captured, table):
    place = str(captured.home / "parted")

    def write(spark):
        source = spark.read.parquet(str(captured.home / "source"))
        source.write.format("delta").partitionBy("d").save(place)
        one = source.where("d = 1").write.format("delta").mode("overwrite")
        one.option("replaceWhere", "d = 1").save(place)

    first, second = captured.run(write).actions
    assert sorted(partitions(first), key=str) == [{"d": 0}, {"d": 1}, {"d": 2}]
    assert partitions(second) == [{"d": 1}]


def test_truncate_makes_a_version_that_reads_nothing(captured, table):
    [created, emptied] = sql(
        captured,
        "CREATE TABLE emptied USING delta AS SELECT id FROM sales",
        "TRUNCATE TABLE emptied",
    )
    assert [version(output(action)) for action in (created, emptied)] == ["0", "1"]
    assert output(emptied)["name"] == output(created)["name"]
    assert emptied["inputs"] == []


def test_writers_side_by_side_have_a_version_each(captured, table):
    def append(number):
        def work(spark):
            rows = spark.range(number + 1).selectExpr("id", "id AS v", "id AS d")
            rows.write.format("delta").mode("append").saveAsTable("shared")

        return captured.run(work)

    append(0)
    with ThreadPoolExecutor(4) as pool:
        done = [task.action for task in pool.map(append, range(4))]
    assert sorted(version(output(action)) for action in done) == ["1", "2", "3", "4"]


def test_a_write_that_failed_has_no_version(captured, table):
    path, _ = table

    def fail(spark):
        bad = spark.range(3).selectExpr("id", "id AS v", "raise_error('no luck') AS d")
        bad.selectExpr("id", "v", "bigint(d) AS d").write.format("delta").mode("append").save(path)

    action = captured.run(fail).action
    assert action["eventType"] == "FAIL"
    assert "version" not in output(action)["facets"]


def test_the_log_of_a_table_is_never_a_dataset(captured):
    datasets = {
        dataset["name"]
        for event in captured.events
        for use in ("inputs", "outputs")
        for dataset in event.get(use, ())
    }
    assert datasets
    assert not [name for name in datasets if "_delta_log" in name]
    jobs = {event["job"]["name"] for event in captured.events}
    assert not [name for name in jobs if "delta" in name]


@pytest.fixture(scope="module")
def lake(captured):
    return Lake(captured)


def test_a_published_table_has_lineage_by_its_path_and_is_read_in_its_old_versions(lake):
    def work(spark):
        lg.publish(lake.numbers(1), "gold.rides")
        lg.publish(lake.numbers(2, rows=7).withColumn("w", F.lit("x")), "gold.rides")
        spark.sql("SELECT v FROM gold.rides").collect()

    done = lake.captured.run(work)
    assert done.error is None
    path = str(lake.path("gold.rides"))
    first, second, read = done.actions
    assert [output(each)["name"] for each in (first, second)] == [path, path]
    assert names(read["inputs"]) == [path]
    versions = [output(each)["facets"]["version"]["datasetVersion"] for each in (first, second)]
    assert versions == ["0", "1"]
    assert lake.values("gold.rides") == {(2, 7)}
    assert lake.values("gold.rides", versionAsOf=versions[0]) == {(1, 100)}


def test_a_session_finds_a_published_table_by_name(lake):
    lg.publish(lake.numbers(3), "gold.found")
    lake.spark.sql("DROP TABLE gold.found")  # an external table: the files stay
    assert lake.spark.sql("SELECT count(*) FROM Gold.`found`").head()[0] == 100
    assert lake.spark.table("gold.found").count() == 100


def test_publishing_adds_rows_and_refuses_what_is_there(lake):
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


def test_a_publication_is_cancelled_once_another_worker_has_the_run(lake):
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
