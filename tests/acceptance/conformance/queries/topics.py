"""Topics of Kafka, in batches and streams."""

from tests.acceptance.conformance.query import query

TOPICS = ("t_orders", "t_copied", "t_low", "t_high")


def _kafka(spark, maker):
    servers = spark.conf.get("spark.test.kafka")
    return maker.format("kafka").option("kafka.bootstrap.servers", servers)


def _stream(spark, what, how="subscribe"):
    reader = _kafka(spark, spark.readStream).option(how, what)
    return reader.option("startingOffsets", "earliest").load()


def _end(stream, home, name):
    stream = stream.option("checkpointLocation", f"{home}/topic_checkpoints/{name}")
    stream.trigger(availableNow=True).start().awaitTermination()


@query("orders", "kafka:t_orders")
def write_topic(spark, home):
    orders = spark.read.parquet(f"{home}/orders")
    orders = orders.selectExpr("string(id) AS key", "string(amount) AS value")
    _kafka(spark, orders.write).option("topic", "t_orders").save()


@query("kafka:t_orders", "of_topic")
def read_topic(spark, home):
    rows = _kafka(spark, spark.read).option("subscribe", "t_orders").load()
    rows.selectExpr("string(value) AS amount").write.parquet(f"{home}/of_topic")


@query("kafka:t_orders kafka:t_copied", "of_topics")
def read_several_topics(spark, home):
    rows = _kafka(spark, spark.read).option("subscribe", "t_orders, t_copied").load()
    rows.selectExpr("string(value) AS amount").write.parquet(f"{home}/of_topics")


@query("kafka:t_orders", "of_pattern")
def read_pattern_of_topics(spark, home):
    rows = _kafka(spark, spark.read).option("subscribePattern", "t_ord.*").load()
    rows.selectExpr("string(value) AS amount").write.parquet(f"{home}/of_pattern")


@query("kafka:t_orders", "kafka:t_copied")
def copy_topic(spark, home):
    rows = _kafka(spark, spark.read).option("subscribe", "t_orders").load()
    _kafka(spark, rows.select("key", "value").write).option("topic", "t_copied").save()


@query("orders", "kafka:t_low kafka:t_high")
def topic_of_each_row(spark, home):
    orders = spark.read.parquet(f"{home}/orders")
    orders = orders.selectExpr("if(id < 9, 't_low', 't_high') AS topic", "string(id) AS value")
    _kafka(spark, orders.write).save()


@query("kafka:t_orders", "kafka:t_copied")
def stream_between_topics(spark, home):
    rows = _stream(spark, "t_orders").select("key", "value").writeStream
    _end(_kafka(spark, rows).option("topic", "t_copied"), home, "copied")


@query("kafka:t_orders", "of_topic_stream")
def stream_of_topic(spark, home):
    rows = _stream(spark, "t_orders").selectExpr("string(value) AS amount").writeStream
    _end(rows.format("parquet").option("path", f"{home}/of_topic_stream"), home, "files")


@query("kafka:t_orders", "of_topic_batches")
def each_batch_of_topic(spark, home):
    def write(batch, number):
        rows = batch.selectExpr("string(value) AS amount")
        rows.write.mode("append").parquet(f"{home}/of_topic_batches")

    _end(_stream(spark, "t_orders").writeStream.foreachBatch(write), home, "batches")


@query("kafka:t_orders", "topic_lines")
def rows_of_topic(spark, home):
    rows = _kafka(spark, spark.read).option("subscribe", "t_orders").load().rdd
    rows.map(lambda row: row.value.decode()).saveAsTextFile(f"{home}/topic_lines")
