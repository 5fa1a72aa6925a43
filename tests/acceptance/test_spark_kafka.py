"""Topics that Spark reads and writes, against a real broker: in batches and in streams."""

import json
import time

import pytest
from pyspark.sql.functions import udf

from tests.acceptance.captured import Captured, columns, names, output
from tests.acceptance.forwarding.kafka import kafka
from tests.acceptance.test_spark_delta import end_jvm
from tests.kafka_jars import kafka_jars

# Kafka does not read it: the connection is not encrypted.
SECRET = 'org.example.Module required password="c4n4ry";'


LOADED = {"clicks": 50, "views.a": 20, "views.b": 10, "retried": 50}
WRITTEN = ("copied", "low", "high", "orders", "stuck")


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    with kafka(tmp_path_factory.mktemp("kafka")) as broker:
        for topic in (*LOADED, *WRITTEN):
            broker.make_topic(topic, 1)
        broker.make_topic("wide", 2)
        yield broker


@pytest.fixture(scope="module")
def of(broker):
    """A function that gives a reader or writer the options of the broker."""

    def made(maker):
        made = maker.format("kafka").option("KAFKA.bootstrap.servers", broker.address)
        return made.option("kafka.sasl.jaas.config", SECRET)

    return made


@pytest.fixture(scope="module")
def captured(tmp_path_factory, of):
    # The jars of a JVM are those that it was started with.
    end_jvm()
    captured = Captured(tmp_path_factory.mktemp("spark"), **{"spark.jars": kafka_jars()})

    def load(spark):
        for topic, rows in LOADED.items():
            made = spark.range(rows).selectExpr("string(id) key", "string(id) value")
            of(made.write).option("topic", topic).save()

    captured.loaded = captured.run(load)
    yield captured
    captured.sessions.stop()
    end_jvm()


def streamed(of, spark, how="subscribe", what="clicks"):
    reader = of(spark.readStream).option(how, what).option("startingOffsets", "earliest")
    return reader.load()


def end(stream, checkpoint):
    stream = stream.option("checkpointLocation", str(checkpoint)).trigger(availableNow=True)
    stream.start().awaitTermination()


def rows(dataset):
    facets = dataset.get("inputFacets", {}) | dataset.get("outputFacets", {})
    found = facets.get("inputStatistics") or facets.get("outputStatistics") or {}
    return found.get("rowCount")


def version(dataset):
    return dataset["facets"].get("version", {}).get("datasetVersion")


def opaque(event):
    facet = event["run"]["facets"].get("extractionError", {})
    return [e["errorMessage"].removesuffix(" is not understood") for e in facet.get("errors", [])]


def test_a_batch_writes_and_reads_a_topic_under_the_address_of_its_first_server(
    captured, broker, of
):
    loaded = captured.loaded.named("spark.write_clicks")
    assert output(loaded)["namespace"] == f"kafka://{broker.address}"
    assert output(loaded)["name"] == "clicks"
    assert [each["name"] for each in output(loaded)["facets"]["schema"]["fields"]] == [
        "key",
        "value",
    ]
    place = str(captured.home / "of_clicks")

    def read(spark):
        reader = of(spark.read).option("subscribe", "clicks")
        reader.load().selectExpr("string(value) AS v").write.parquet(place)

    task = captured.run(read)
    [clicks] = task.action["inputs"]
    assert (clicks["namespace"], clicks["name"]) == (f"kafka://{broker.address}", "clicks")
    assert (rows(clicks), rows(output(task.action))) == (50, 50)
    assert columns(task.action)[0] == {"v": {("clicks", "value"): ["TRANSFORMATION"]}}
    assert opaque(task.application) == []


def test_a_stream_between_topics_is_an_action_a_batch_with_the_offsets_that_it_reads(captured, of):
    def stream(spark):
        reader = of(spark.readStream).option("subscribe", "clicks")
        reader = reader.option("startingOffsets", "earliest").option("maxOffsetsPerTrigger", 30)
        stream = of(reader.load().select("key", "value").writeStream).option("topic", "copied")
        end(stream, captured.home / "checkpoint")

    task = captured.run(stream)
    assert [action["job"]["name"] for action in task.actions] == ["spark.write_copied"] * 2
    read = [action["inputs"][0] for action in task.actions]
    assert [(version(each), rows(each)) for each in read] == [("0:30", 30), ("0:50", 20)]
    assert [rows(output(action)) for action in task.actions] == [30, 20]
    assert columns(task.actions[0])[0] == {
        "key": {("clicks", "key"): ["IDENTITY"]},
        "value": {("clicks", "value"): ["IDENTITY"]},
    }
    assert opaque(task.application) == []


@pytest.mark.soak
@pytest.mark.parametrize(
    ("how", "what"),
    [
        ("subscribe", "views.a, views.b"),
        ("subscribePattern", r"views\..*"),
        ("assign", '{"views.a": [0], "views.b": [0]}'),
    ],
)
def test_each_of_several_topics_is_a_dataset(captured, of, how, what):
    place = str(captured.home / "of_views" / how)

    def read(spark):
        of(spark.read).option(how, what).load().select("value").write.parquet(f"{place}/batch")
        stream = streamed(of, spark, how, what).select("value").writeStream
        end(stream.format("parquet").option("path", f"{place}/stream"), f"{place}/checkpoint")

    task = captured.run(read)
    batch, stream = task.actions
    assert names(batch["inputs"]) == names(stream["inputs"]) == ["views.a", "views.b"]
    found = {each["name"]: (version(each), rows(each)) for each in stream["inputs"]}
    assert found == {"views.a": ("0:20", 20), "views.b": ("0:10", 10)}
    assert (rows(output(batch)), rows(output(stream))) == (30, 30)
    assert opaque(task.application) == []


@pytest.mark.soak
def test_topics_of_a_column_are_known_if_the_query_chooses_among_names(captured, of):
    def work(spark):
        numbers = spark.range(10).selectExpr("if(id < 5, 'low', 'high') topic", "string(id) value")
        of(numbers.write).save()
        low = of(spark.read).option("subscribe", "low").load().select("topic", "value")
        of(low.union(spark.sql("SELECT 'orders', binary('x')")).write).save()
        of(numbers.selectExpr("concat('l', 'ow') topic", "value").write).save()

    chosen, joined, unknown = captured.run(work).actions
    assert names(chosen["outputs"]) == ["high", "low"]
    assert names(joined["outputs"]) == ["low", "orders"]
    assert names(joined["inputs"]) == ["low"]
    assert unknown["outputs"] == []
    [kind] = opaque(unknown)
    assert kind.startswith("topic column of kafka://127.0.0.1:")


@pytest.mark.soak
def test_a_pattern_that_a_write_to_kafka_reads_is_marked(captured, of):
    def work(spark):
        clicks = of(spark.read).option("subscribePattern", "cli.*").load()
        of(clicks.select("value").write).option("topic", "copied").save()

    action = captured.run(work).action
    assert (action["inputs"], names(action["outputs"])) == ([], ["copied"])
    [kind] = opaque(action)
    assert kind.startswith("topics cli.* of kafka://127.0.0.1:")


@pytest.mark.soak
def test_streams_into_tables_and_functions_read_their_topic(captured, of):
    place = str(captured.home / "by_function")

    def work(spark):
        stream = streamed(of, spark).selectExpr("string(value) AS v").writeStream
        stream = stream.option("checkpointLocation", str(captured.home / "of_table"))
        stream.trigger(availableNow=True).toTable("kept").awaitTermination()

        def keep(batch, number):
            batch.selectExpr("string(value) AS v").write.mode("append").parquet(place)

        end(streamed(of, spark).writeStream.foreachBatch(keep), captured.home / "of_function")

    task = captured.run(work)
    _, kept, by_function = task.actions
    assert output(kept)["name"] == str(captured.home / "warehouse" / "kept")
    assert output(by_function)["name"] == place
    for action in (kept, by_function):
        assert names(action["inputs"]) == ["clicks"]
        assert version(action["inputs"][0]) == "0:50"
        assert rows(output(action)) == 50
        assert columns(action)[0] == {"v": {("clicks", "value"): ["TRANSFORMATION"]}}
    assert opaque(task.application) == []


@pytest.mark.soak
def test_rows_of_an_rdd_come_from_the_topic_behind_it(captured, of):
    def work(spark):
        clicks = of(spark.read).option("subscribe", "clicks").load().rdd
        clicks.map(lambda row: (row.topic,)).toDF(["t"]).write.parquet(str(captured.home / "rdd"))
        clicks.map(lambda row: row.topic).saveAsTextFile(str(captured.home / "rdd_text"))

    task = captured.run(work)
    for name in ("rdd", "rdd_text"):
        action = task.named(f"spark.write_{name}")
        assert names(action["inputs"]) == ["clicks"]
        assert rows(output(action)) == 50
    assert opaque(task.application) == []


@pytest.mark.soak
def test_a_failed_batch_is_told_and_a_restart_goes_on_from_the_checkpoint(captured, of):
    checkpoint = captured.home / "restarted"

    def copy(value):
        def work(spark):
            stream = streamed(of, spark, what="retried").selectExpr(f"{value} AS value").writeStream
            end(of(stream).option("topic", "copied"), checkpoint)

        return work

    failed = captured.run(copy("if(string(value) < '2', value, binary(raise_error('no luck')))"))
    assert "no luck" in str(failed.error)
    assert failed.action["eventType"] == failed.application["eventType"] == "FAIL"
    assert names(failed.action["outputs"]) == ["copied"]
    again = captured.run(copy("value")).action
    assert version(again["inputs"][0]) == version(failed.action["inputs"][0]) == "0:50"
    assert rows(output(again)) == 50
    assert captured.run(copy("value")).actions == []

    def add(spark):
        of(spark.sql("SELECT 'more' AS value").write).option("topic", "retried").save()

    captured.run(add)
    more = captured.run(copy("value")).action
    assert (version(more["inputs"][0]), rows(output(more))) == ("0:51", 1)


@pytest.mark.soak
def test_a_stream_that_is_stopped_in_a_batch_is_no_failure(captured, of):
    def work(spark):
        slow = udf(lambda value: time.sleep(60) or "x")
        stream = of(streamed(of, spark).select(slow("value").alias("value")).writeStream)
        stream = stream.option("topic", "stuck").option(
            "checkpointLocation", str(captured.home / "stopped")
        )
        query = stream.start()
        while (
            not query.recentProgress and not spark.sparkContext.statusTracker().getActiveJobsIds()
        ):
            time.sleep(0.2)
        query.stop()

    task = captured.run(work)
    assert (task.action["eventType"], task.application["eventType"]) == ("ABORT", "COMPLETE")
    assert names(task.action["outputs"]) == ["stuck"]


@pytest.mark.soak
def test_a_continuous_stream_is_one_action(captured, of):
    def work(spark):
        stream = of(streamed(of, spark).select("key", "value").writeStream)
        stream = stream.option("topic", "copied").trigger(continuous="1 second")
        query = stream.option("checkpointLocation", str(captured.home / "continuous")).start()
        time.sleep(5)
        query.stop()

    action = captured.run(work).action
    assert (names(action["inputs"]), names(action["outputs"])) == (["clicks"], ["copied"])
    assert opaque(action) == []


@pytest.mark.soak
def test_the_version_of_a_topic_names_all_its_partitions(captured, of):
    def work(spark):
        numbers = spark.range(10).selectExpr("string(id) value", "int(id % 2) partition")
        of(numbers.where("id < 7").write).option("topic", "wide").save()
        stream = streamed(of, spark, what="wide").select("value").writeStream.format("noop")
        end(stream, captured.home / "of_wide")

    stream = captured.run(work).actions[-1]
    assert version(stream["inputs"][0]) == "0:4,1:3"


def test_no_secret_of_the_options_is_in_an_event(captured):
    assert captured.events
    assert "c4n4ry" not in json.dumps(captured.events)
