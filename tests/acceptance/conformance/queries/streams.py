"""Streams into files, tables, functions and memory."""

from tests.acceptance.conformance.query import query

SCHEMA = "id int, customer int, amount double"


def _end(stream, home, name):
    stream = stream.option("checkpointLocation", f"{home}/stream_checkpoints/{name}")
    stream.trigger(availableNow=True).start().awaitTermination()


def _orders(spark, home):
    return spark.readStream.schema(SCHEMA).parquet(f"{home}/orders")


@query("orders", "streamed")
def stream_to_files(spark, home):
    stream = _orders(spark, home).select("id").writeStream.format("parquet")
    _end(stream.option("path", f"{home}/streamed"), home, "files")


@query("orders", "warehouse/t_streamed")
def stream_to_table(spark, home):
    stream = _orders(spark, home).select("id").writeStream.trigger(availableNow=True)
    stream = stream.option("checkpointLocation", f"{home}/stream_checkpoints/table")
    stream.toTable("t_streamed").awaitTermination()


@query("orders", "of_batches")
def for_each_batch(spark, home):
    def write(batch, number):
        batch.selectExpr("id * 2 AS twice").write.mode("append").parquet(f"{home}/of_batches")

    _end(_orders(spark, home).writeStream.foreachBatch(write), home, "batches")


@query("orders", "")
def stream_to_memory(spark, home):
    counts = _orders(spark, home).groupBy("customer").count().writeStream.format("memory")
    _end(counts.queryName("counts").outputMode("complete"), home, "memory")


@query("orders", "", opaque=("output ForeachSink",))
def for_each_row(spark, home):
    _end(_orders(spark, home).writeStream.foreach(lambda row: None), home, "rows")


@query("orders customers", "stream_joined")
def stream_joined_with_files(spark, home):
    customers = spark.read.parquet(f"{home}/customers")
    joined = _orders(spark, home).join(customers, "customer").select("name", "amount")
    stream = joined.writeStream.format("parquet").option("path", f"{home}/stream_joined")
    _end(stream, home, "joined")


@query("streamed", "of_stream")
def read_of_stream(spark, home):
    spark.read.parquet(f"{home}/streamed").write.parquet(f"{home}/of_stream")


@query("", "of_rate", opaque=("source RatePerMicroBatchTable",))
def rate_source(spark, home):
    rows = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 5)
    stream = rows.option("numPartitions", 1).load().writeStream.format("parquet")
    stream = stream.option("checkpointLocation", f"{home}/stream_checkpoints/rate")
    found = stream.option("path", f"{home}/of_rate").trigger(once=True).start()
    found.awaitTermination()
