"""A Spark application as anybody writes one: it knows nothing of lineage."""

import sys

from pyspark.sql import SparkSession, functions

folder = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
rows = [(1, "DE", 10.0), (2, "JP", 20.0), (3, "DE", 5.0)]
orders = spark.createDataFrame(rows, "id int, region string, amount double")
orders.write.parquet(f"{folder}/orders")
total = functions.sum("amount").alias("total")
orders = spark.read.parquet(f"{folder}/orders")
orders.groupBy("region").agg(total).write.parquet(f"{folder}/totals")
if "fail" in sys.argv:
    broken = functions.raise_error(functions.lit("no luck")).alias("never")
    orders.select(broken).write.parquet(f"{folder}/broken")
spark.stop()
