"""Spark's classes as Java has loaded and verified them: `python -m tests.spark_classes` keeps them.

One small session makes them. With these the next ones begin with half the work.
"""

import os
import tempfile
from contextlib import suppress

from pyspark import SparkContext
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession

from lineagegraph.neo4j_server.java_fetch import ensure_java
from lineagegraph.settings import Settings
from tests.keep_classes import keeping_classes
from tests.quick_java import SPARK_CLASSES


def _keep_classes() -> None:
    os.environ["JAVA_HOME"] = str(ensure_java(Settings()))
    with (
        keeping_classes(SPARK_CLASSES) as options,
        tempfile.TemporaryDirectory() as folder,
        suppress(PySparkRuntimeError),
    ):
        os.environ["SPARK_SUBMIT_OPTS"] = options
        _run_session(folder)


def _run_session(folder: str) -> None:
    options = {"spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "1"}
    spark = SparkSession.builder.master("local[1]").config(map=options).getOrCreate()
    spark.range(9).selectExpr("id", "id % 2 AS odd").createOrReplaceTempView("numbers")
    sums = spark.sql("SELECT odd, sum(id) AS sum, count(*) AS count FROM numbers GROUP BY odd")
    sums.write.partitionBy("odd").parquet(f"{folder}/parquet")
    sums.write.csv(f"{folder}/csv", header=True)
    read = spark.read.csv(f"{folder}/csv", header=True, inferSchema=True)
    read.join(spark.read.parquet(f"{folder}/parquet"), "sum").orderBy("sum").collect()
    java = SparkContext._gateway.proc
    spark.stop()
    java.stdin.close()
    java.wait()


if __name__ == "__main__":
    _keep_classes()
