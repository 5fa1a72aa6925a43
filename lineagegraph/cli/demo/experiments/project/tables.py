"""Paths of the tables, and functions that read and replace one partition."""

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

ROOT = Path.cwd()
WEBSITE = ROOT / "website"
LAKE = ROOT / "lake"
SPARK = {
    "spark.master": "local[1]",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.session.timeZone": "UTC",
    # Days and hours are names of partitions, and stay text.
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    # Regions write at the same time, each its own partitions.
    "spark.sql.sources.partitionOverwriteMode": "dynamic",
}


def read(spark: SparkSession, table: str, **partition: str) -> DataFrame:
    """Return the rows of a table, of the given partitions if any."""
    frame = spark.read.parquet(str(LAKE / table))
    for column, value in partition.items():
        frame = frame.where(F.col(column) == value)
    return frame


def write(frame: DataFrame, table: str, **partition: str) -> None:
    """Replace one partition of a table, or the whole table if none is given."""
    for column, value in partition.items():
        frame = frame.withColumn(column, F.lit(value))
    frame.write.mode("overwrite").partitionBy(*partition).parquet(str(LAKE / table))
