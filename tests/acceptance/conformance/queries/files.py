"""Files: formats, partitions, globs, dated paths, caches and reads without an output."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyspark.sql import functions as F  # noqa: N812

from tests.acceptance.conformance.query import query


@query("orders", "f_json f_orc f_text f_csv")
def write_formats(spark, home):
    orders = spark.read.parquet(f"{home}/orders")
    orders.write.json(f"{home}/f_json")
    orders.write.orc(f"{home}/f_orc")
    orders.selectExpr("string(id) AS v").write.text(f"{home}/f_text")
    orders.write.option("header", True).csv(f"{home}/f_csv")


@query("f_json f_orc f_text", "of_formats")
def read_formats(spark, home):
    frames = (
        spark.read.json(f"{home}/f_json").selectExpr("int(id) AS id"),
        spark.read.orc(f"{home}/f_orc").select("id"),
        spark.read.text(f"{home}/f_text").selectExpr("int(value) AS id"),
    )
    frames[0].union(frames[1]).union(frames[2]).write.parquet(f"{home}/of_formats")


@query("orders", "f_xml")
def write_xml(spark, home):
    orders = spark.read.parquet(f"{home}/orders").select("id", "amount")
    orders.write.format("xml").option("rowTag", "order").save(f"{home}/f_xml")


@query("orders f_avro", "f_avro of_avro")
def avro(spark, home):
    spark.read.parquet(f"{home}/orders").write.format("avro").save(f"{home}/f_avro")
    found = spark.read.format("avro").load(f"{home}/f_avro").select("id")
    found.write.parquet(f"{home}/of_avro")


@query("orders", "by_day")
def partitions(spark, home):
    orders = spark.read.parquet(f"{home}/orders")
    orders.write.partitionBy("day").parquet(f"{home}/by_day")
    again = orders.where("day = 1").write.mode("overwrite").partitionBy("day")
    again.option("partitionOverwriteMode", "dynamic").parquet(f"{home}/by_day")


@query("by_day", "of_partition")
def read_partition(spark, home):
    spark.read.parquet(f"{home}/by_day/day=1").write.parquet(f"{home}/of_partition")


@query("orders", "of_cache")
def cached(spark, home):
    first = spark.read.parquet(f"{home}/orders").where("day = 1").cache()
    first.count()
    first.select("id", "amount").write.parquet(f"{home}/of_cache")
    first.unpersist()


@query("in", "of_glob")
def glob_of_dates(spark, home):
    spark.read.parquet(f"{home}/in/2026-01-0*").write.parquet(f"{home}/of_glob")


@query("", "out")
def dated_folder(spark, home):
    spark.range(3).write.parquet(f"{home}/out/2026/11/22")


@query("orders", "of_parts")
def many_files(spark, home):
    parts = [str(path) for path in Path(home, "orders").glob("part-*")]
    spark.read.parquet(*parts).write.parquet(f"{home}/of_parts")


@query("customers.csv", "of_binary")
def binary_files(spark, home):
    found = spark.read.format("binaryFile").load(f"{home}/customers.csv")
    found.select("path", "length").write.parquet(f"{home}/of_binary")


@query("orders customers.csv", "named_files")
def names_of_files(spark, home):
    lines = spark.read.text(f"{home}/customers.csv").select(F.input_file_name().alias("file"))
    orders = spark.read.parquet(f"{home}/orders").select(F.col("_metadata.file_path").alias("file"))
    lines.union(orders).write.parquet(f"{home}/named_files")


@query("orders", "by_two_0 by_two_1")
def two_threads(spark, home):
    def write(number):
        spark.read.parquet(f"{home}/orders").write.parquet(f"{home}/by_two_{number}")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, range(2)))


@query("orders", "of_new_session")
def new_session(spark, home):
    spark.newSession().read.parquet(f"{home}/orders").write.parquet(f"{home}/of_new_session")


@query("orders", "")
def to_nowhere(spark, home):
    orders = spark.read.parquet(f"{home}/orders")
    orders.write.format("noop").mode("overwrite").save()
    list(orders.toLocalIterator())
    orders.describe("amount").collect()
    orders.show()


@query("orders", "sampled")
def sample_and_fill(spark, home):
    sample = spark.read.parquet(f"{home}/orders").sample(0.5, seed=1).na.fill(0)
    sample.drop("tags").withColumnRenamed("id", "number").write.parquet(f"{home}/sampled")


@query("orders", "orders", fails=True)
def refused_output(spark, home):
    spark.read.parquet(f"{home}/orders").write.parquet(f"{home}/orders")


@query("orders", "never", fails=True)
def failing_function(spark, home):
    fault = F.udf(lambda value: 1 // 0, "int")
    spark.read.parquet(f"{home}/orders").select(fault("id").alias("x")).write.parquet(
        f"{home}/never"
    )
