"""What Spark does with data is seen, or marked as not understood."""

from pathlib import Path

import pytest

from tests.acceptance.captured import Captured, names, output, said


@pytest.fixture(scope="module")
def captured(tmp_path_factory):
    captured = Captured(tmp_path_factory.mktemp("opaque"))
    yield captured
    captured.sessions.stop()


@pytest.fixture(scope="module")
def home(captured):
    home = captured.home

    def load(spark):
        spark.range(9).selectExpr("id", "id * 2 AS v").write.parquet(str(home / "orders"))

    captured.run(load)
    (home / "lines.txt").write_text("a\nb\n")
    return home


def opaque(event):
    facet = event["run"]["facets"].get("extractionError")
    if facet is None:
        return None
    kinds = [error["errorMessage"].removesuffix(" is not understood") for error in facet["errors"]]
    return facet["failedTasks"], facet["totalTasks"], kinds


def test_a_source_that_is_not_understood_is_named_on_the_action_and_its_application(captured, home):
    # Spark 3.5 has no sources in Python.
    from tests.acceptance.made_source import Made

    def read(spark):
        spark.dataSource.register(Made)
        made = spark.read.format("made").load()
        orders = spark.read.parquet(str(home / "orders"))
        orders.join(made, orders.id == made.a).write.parquet(str(home / "joined"))
        orders.write.parquet(str(home / "copied"))

    task = captured.run(read)
    joined = task.named("spark.write_joined")
    assert names(joined["inputs"]) == [str(home / "orders")]
    assert opaque(joined) == (1, 3, ["source made"])
    assert opaque(task.named("spark.write_copied")) is None
    assert opaque(task.application) == (1, 5, ["source made"])


def test_rows_of_an_rdd_come_from_the_files_that_it_reads(captured, home):
    def work(spark):
        orders = spark.read.parquet(str(home / "orders")).rdd.map(lambda row: (row.id,))
        orders.toDF(["id"]).write.parquet(str(home / "of_rdd"))
        lines = spark.sparkContext.textFile(str(home / "lines.txt")).map(lambda line: (line,))
        lines.toDF(["line"]).write.parquet(str(home / "of_lines"))
        spark.createDataFrame([(1,)], "a int").write.parquet(str(home / "of_here"))

    task = captured.run(work)
    read = {event["job"]["name"]: names(event["inputs"]) for event in task.actions}
    assert read["spark.write_of_rdd"] == [str(home / "orders")]
    assert read["spark.write_of_lines"] == [str(home / "lines.txt")]
    assert read["spark.write_of_here"] == []
    assert opaque(task.application) is None


def test_an_rdd_job_writes_its_folder_and_what_a_function_may_write_is_marked(captured, home):
    def work(spark):
        lines = spark.sparkContext.textFile(str(home / "lines.txt"))
        lines.map(str.upper).saveAsTextFile(str(home / "upper"))
        spark.read.parquet(str(home / "orders")).foreachPartition(lambda rows: None)
        lines.collect()

    saved, each, collected = captured.run(work).actions
    assert saved["job"]["name"] == "spark.write_upper"
    assert names(saved["inputs"]) == [str(home / "lines.txt")]
    assert output(saved)["name"] == str(home / "upper")
    assert counts(saved)["rowCount"] == 2
    assert opaque(saved) is None
    assert names(each["inputs"]) == [str(home / "orders")]
    assert opaque(each) == (1, 2, ["output of foreachPartition"])
    assert names(collected["inputs"]) == [str(home / "lines.txt")]
    assert opaque(collected) is None


def counts(event):
    return said(output(event)["outputFacets"]["outputStatistics"])


def test_outputs_of_rdds_have_the_rows_and_bytes_that_their_tasks_wrote(captured, home):
    def work(spark):
        pairs = spark.sparkContext.parallelize(range(40), 3).map(lambda n: (n % 5, 1))
        pairs.saveAsSequenceFile(str(home / "pairs"))
        pairs.reduceByKey(lambda a, b: a + b).map(str).saveAsTextFile(str(home / "sums"))
        pairs.saveAsPickleFile(str(home / "objects"))
        pairs.filter(lambda pair: pair[0] > 9).saveAsTextFile(str(home / "none"))

    task = captured.run(work)
    found = {
        name: counts(task.named(f"spark.write_{name}"))
        for name in ("pairs", "sums", "objects", "none")
    }
    # A record of an object file has many rows.
    rows = {name: each.get("rowCount") for name, each in found.items()}
    assert rows == {"pairs": 40, "sums": 5, "objects": None, "none": 0}
    # On a local disk Hadoop counts checksums, too.
    assert found["sums"]["size"] >= len("(0, 8)\n" * 5)
    assert "size" not in found["none"]


def test_a_failed_output_of_an_rdd_has_no_counts(captured, home):
    def work(spark):
        numbers = spark.sparkContext.parallelize(range(4), 2)
        numbers.map(lambda n: 1 // n).saveAsTextFile(str(home / "failed"))

    failed = captured.run(work).action
    assert failed["eventType"] == "FAIL"
    assert output(failed)["outputFacets"] == {}


def test_a_checkpoint_hides_where_rows_come_from_and_says_so(captured, home):
    def work(spark):
        kept = spark.read.parquet(str(home / "orders")).localCheckpoint()
        kept.write.parquet(str(home / "of_checkpoint"))

    kept, written = captured.run(work).actions
    assert names(kept["inputs"]) == [str(home / "orders")]
    assert opaque(written)[:2] == (1, 2)


def test_reads_without_a_name_and_writes_to_nowhere_are_understood(captured, home):
    def work(spark):
        orders = spark.read.parquet(str(home / "orders"))
        list(orders.toLocalIterator())
        orders.write.format("noop").mode("overwrite").save()
        spark.sql("SHOW TABLES").collect()
        orders.createOrReplaceTempView("seen")
        spark.sql("SET spark.sql.ansi.enabled=true")

    actions = captured.run(work).actions
    assert [event["job"]["name"] for event in actions] == [
        "spark.to_local_iterator_orders",
        "spark.run_orders",
    ]
    assert [opaque(event) for event in actions] == [None, None]


def test_a_stream_into_files_has_them_as_its_output(captured, home):
    def stream(spark):
        reader = spark.readStream.schema("id long, v long").parquet(str(home / "orders"))
        writer = reader.select("id").writeStream.format("parquet").trigger(availableNow=True)
        writer = writer.option("checkpointLocation", str(home / "checkpoint"))
        writer.start(str(home / "streamed")).awaitTermination()

    action = captured.run(stream).action
    assert names(action["inputs"]) == [str(home / "orders")]
    assert output(action)["name"] == str(home / "streamed")
    assert counts(action)["rowCount"] == 9


def test_truncate_empties_a_table(captured, home):
    def work(spark):
        spark.read.parquet(str(home / "orders")).write.saveAsTable("emptied")
        spark.sql("TRUNCATE TABLE emptied")

    _, emptied = captured.run(work).actions
    assert output(emptied)["name"] == str(captured.home / "warehouse" / "emptied")
    change = output(emptied)["facets"]["lifecycleStateChange"]["lifecycleStateChange"]
    assert change == "TRUNCATE"


def change(event):
    return output(event)["facets"]["lifecycleStateChange"]


def test_dropped_and_renamed_tables_are_told_as_such(captured, home):
    def work(spark):
        for name in ("first", "second"):
            spark.read.parquet(str(home / "orders")).write.saveAsTable(name)
        spark.sql("ALTER TABLE first RENAME TO third")
        spark.sql("DROP TABLE second")
        spark.sql(f"CREATE TABLE outside USING parquet LOCATION '{home}/orders'")
        spark.sql("ALTER TABLE outside RENAME TO abroad")

    warehouse = captured.home / "warehouse"
    task = captured.run(work)
    renamed = task.named("spark.rename_third")
    assert output(renamed)["name"] == str(warehouse / "third")
    assert change(renamed)["lifecycleStateChange"] == "RENAME"
    assert change(renamed)["previousIdentifier"]["name"] == str(warehouse / "first")
    dropped = task.named("spark.drop_second")
    assert (output(dropped)["name"], dropped["inputs"]) == (str(warehouse / "second"), [])
    assert change(dropped)["lifecycleStateChange"] == "DROP"
    abroad = task.named("spark.rename_abroad")
    assert output(abroad)["name"] == str(home / "orders")
    assert change(abroad)["previousIdentifier"]["name"] == "default.outside"
    assert opaque(task.application) is None


def test_a_table_is_dropped_once_whoever_asks_again(captured, home):
    def work(spark):
        spark.sql("DROP TABLE IF EXISTS lasting")
        spark.read.parquet(str(home / "orders")).write.saveAsTable("lasting")
        spark.read.parquet(str(home / "orders")).write.mode("overwrite").saveAsTable("lasting")
        spark.sql("DROP TABLE IF EXISTS lasting")
        spark.sql("DROP TABLE IF EXISTS lasting")
        spark.sql("DROP VIEW IF EXISTS never")

    task = captured.run(work)
    assert [event["job"]["name"] for event in task.actions] == [
        "spark.write_lasting",
        "spark.write_lasting",
        "spark.drop_lasting",
    ]
    assert opaque(task.application) is None


def test_a_dropped_partition_is_a_change_of_its_table(captured, home):
    def work(spark):
        orders = spark.read.parquet(str(home / "orders")).selectExpr("v", "id % 2 AS odd")
        orders.write.partitionBy("odd").saveAsTable("parted")
        spark.sql("ALTER TABLE parted DROP PARTITION (odd = 1)")
        spark.sql("CREATE TABLE alike LIKE parted USING parquet")

    *_, changed, alike = captured.run(work).actions
    assert output(changed)["name"] == str(captured.home / "warehouse" / "parted")
    assert "lifecycleStateChange" not in output(changed)["facets"]
    assert change(alike)["lifecycleStateChange"] == "CREATE"


def test_a_database_is_dropped_with_its_tables(captured, home):
    def work(spark):
        spark.sql("DROP DATABASE IF EXISTS shop CASCADE")
        spark.sql("CREATE DATABASE shop")
        for name in ("a", "b"):
            spark.read.parquet(str(home / "orders")).write.saveAsTable(f"shop.{name}")
        spark.sql("CREATE VIEW shop.v AS SELECT id FROM shop.a")
        spark.sql("DROP DATABASE shop CASCADE")
        spark.sql("CREATE DATABASE shop")
        spark.sql("DROP DATABASE shop")

    task = captured.run(work)
    *_, dropped = task.actions
    shop = captured.home / "warehouse" / "shop.db"
    assert names(dropped["outputs"]) == [str(shop / "a"), str(shop / "b")]
    changes = [each["facets"]["lifecycleStateChange"] for each in dropped["outputs"]]
    assert {each["lifecycleStateChange"] for each in changes} == {"DROP"}
    assert len(task.actions) == 3
    assert opaque(task.application) is None


def test_a_table_that_is_there_is_not_created_again(captured, home):
    def work(spark):
        spark.sql(f"CREATE TABLE made USING parquet AS SELECT id FROM parquet.`{home}/orders`")
        spark.sql("CREATE TABLE IF NOT EXISTS made (id INT) USING parquet")
        spark.sql("CREATE TABLE IF NOT EXISTS bare (id INT) USING parquet")

    actions = captured.run(work).actions
    assert [event["job"]["name"] for event in actions] == ["spark.write_made", "spark.write_bare"]
    assert change(actions[1])["lifecycleStateChange"] == "CREATE"


def test_a_statement_that_inserts_into_several_tables_writes_all_of_them(captured, home):
    def work(spark):
        for name in ("low", "high"):
            spark.sql(f"CREATE TABLE {name} (id LONG, v LONG) USING parquet")
        spark.read.parquet(str(home / "orders")).createOrReplaceTempView("all_orders")
        spark.sql(
            "FROM all_orders INSERT INTO low SELECT id, v WHERE id < 5"
            " INSERT INTO high SELECT id, v * 2 AS v WHERE id >= 5"
        )

    action = captured.run(work).actions[-1]
    assert names(action["inputs"]) == [str(home / "orders")]
    warehouse = captured.home / "warehouse"
    assert names(action["outputs"]) == [str(warehouse / "high"), str(warehouse / "low")]
    kinds = {
        Path(each["name"]).name: each["facets"]["columnLineage"]["fields"]["v"]["inputFields"][0][
            "transformations"
        ][0]["subtype"]
        for each in action["outputs"]
    }
    assert kinds == {"low": "IDENTITY", "high": "TRANSFORMATION"}
    assert opaque(action) is None


def test_a_refused_drop_is_nothing(captured, home):
    task = captured.run(lambda spark: spark.sql("DROP TABLE never"))
    assert task.error is not None
    assert task.actions == []
