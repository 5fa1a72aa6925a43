"""Metrics of a local day and of all days of an experiment, once the hours are complete."""

from metrics import add_up, experiment_metrics
from pyspark.sql import SparkSession
from tables import SPARK, read, write

import lineagegraph as lg
from lineagegraph import on

# A day of the shop; each region has its own, by its own clock.
HOURS = lg.variable("shop_hours", default=["21", "22", "23"])


def is_done(hour: str):
    """Return whether an hour of the day has its metrics."""
    return on.success("hourly_experiment_metrics").where(hour=hour)


@lg.task(
    dependencies=[
        lg.depends("hourly_experiment_metrics.calculate_hourly_experiment_metrics", max_age="24h"),
        lg.depends("experiments.read_experiments"),
    ]
)
def calculate_daily_customer_metrics(spark: SparkSession, region: str, day: str) -> None:
    """Calculate the metrics of each customer from those of the day's hours."""
    hours = read(spark, "hourly_customer_metrics", region=region, day=day)
    write(add_up(hours), "daily_customer_metrics", region=region, day=day)


@lg.task(after=calculate_daily_customer_metrics, emits={"clicks": int})
def calculate_aggregate_experiment_metrics(spark: SparkSession, region: str, day: str) -> None:
    """Calculate the metrics of each experiment over all its days."""
    days = read(spark, "daily_customer_metrics", region=region).where(f"day <= '{day}'")
    experiment_metrics(spark, days, "aggregate_experiment_metrics", region=region)
    found = read(spark, "aggregate_experiment_metrics", region=region).agg({"clicks": "sum"})
    lg.emit(clicks=found.collect()[0][0])


lg.batch(
    "daily_experiment_metrics",
    tasks=[calculate_daily_customer_metrics, calculate_aggregate_experiment_metrics],
    params={"region": str, "day": str},
    partition_by=["region", "day"],
    # An hour that is calculated again belongs to its day: it must not wait for the next one.
    trigger=lg.trigger(on.all_of(*map(is_done, HOURS)), correlate_by="region", pick="latest"),
    spark=SPARK | {"spark.app.name": "experiment_metrics_job"},
)
