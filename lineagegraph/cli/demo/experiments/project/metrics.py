"""The application: the same code for an hour and for a day."""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tables import read, write

CUSTOMER = ("experiment", "bucket", "customer_id")
EXPERIMENT = ("experiment", "bucket")


def customer_metrics(clicks: DataFrame, samples: DataFrame) -> DataFrame:
    """Return the metrics of each customer in each experiment."""
    seen = clicks.join(samples, ["customer_id", "page"])
    return seen.groupBy(*CUSTOMER).agg(
        F.count("*").alias("clicks"), F.sum("latency_ms").alias("latency_ms")
    )


def add_up(metrics: DataFrame) -> DataFrame:
    """Return the metrics of customers, summed over all given hours."""
    return metrics.groupBy(*CUSTOMER).agg(
        F.sum("clicks").alias("clicks"), F.sum("latency_ms").alias("latency_ms")
    )


def experiment_metrics(
    spark: SparkSession, customers: DataFrame, target: str, **partition: str
) -> None:
    """Write metrics of experiments from those of their customers, hourly or daily."""
    names = read(spark, "experiments").select("experiment", "title")
    summed = customers.groupBy(*EXPERIMENT).agg(
        F.countDistinct("customer_id").alias("customers"),
        F.sum("clicks").alias("clicks"),
        F.sum("latency_ms").alias("latency_ms"),
    )
    write(summed.join(names, "experiment"), target, **partition)
