"""Rows that Python makes: functions, pandas, sources of packages, models."""

import pandas as pd
from pyspark.ml.feature import VectorAssembler
from pyspark.ml.regression import LinearRegression
from pyspark.sql import functions as F  # noqa: N812

from tests.acceptance.conformance.query import query


@query("orders", "by_udf")
def python_function(spark, home):
    twice = F.udf(lambda amount: amount * 2.0, "double")
    orders = spark.read.parquet(f"{home}/orders")
    orders.select("id", twice("amount").alias("twice")).write.parquet(f"{home}/by_udf")


@query("orders", "by_pandas_udf")
def pandas_function(spark, home):
    @F.pandas_udf("double")
    def twice(amount: pd.Series) -> pd.Series:
        return amount * 2

    orders = spark.read.parquet(f"{home}/orders")
    orders.select("id", twice("amount").alias("twice")).write.parquet(f"{home}/by_pandas_udf")


@query("orders", "mapped")
def map_in_pandas(spark, home):
    orders = spark.read.parquet(f"{home}/orders").select("id")
    orders.mapInPandas(lambda frames: frames, "id int").write.parquet(f"{home}/mapped")


@query("orders", "by_group")
def apply_in_pandas(spark, home):
    orders = spark.read.parquet(f"{home}/orders").select("customer", "amount").groupBy("customer")
    orders.applyInPandas(lambda frame: frame, "customer int, amount double").write.parquet(
        f"{home}/by_group"
    )


@query("orders", "through_pandas")
def to_pandas_and_back(spark, home):
    frame = spark.read.parquet(f"{home}/orders").toPandas()
    spark.createDataFrame(frame[["id"]]).write.parquet(f"{home}/through_pandas")


@query("orders", "of_pandas_api")
def pandas_on_spark(spark, home):
    import pyspark.pandas as ps

    ps.read_parquet(f"{home}/orders")[["id", "amount"]].to_parquet(f"{home}/of_pandas_api")


@query("orders", "predicted model/metadata model/data")
def model(spark, home):
    assembler = VectorAssembler(inputCols=["id"], outputCol="features")
    orders = assembler.transform(spark.read.parquet(f"{home}/orders"))
    fitted = LinearRegression(labelCol="amount").fit(orders)
    fitted.write().overwrite().save(f"{home}/model")
    fitted.transform(orders).select("prediction").write.parquet(f"{home}/predicted")


@query("", "of_made", opaque=("source made",))
def python_source(spark, home):
    _register_made(spark)
    spark.read.format("made").load().write.parquet(f"{home}/of_made")


@query("orders", "", opaque=("output made",))
def python_sink(spark, home):
    _register_made(spark)
    spark.read.parquet(f"{home}/orders").selectExpr("id AS a").write.format("made").mode(
        "append"
    ).save()


def _register_made(spark):
    # Spark 3.5 has no sources in Python.
    from tests.acceptance.made_source import Made

    spark.dataSource.register(Made)
