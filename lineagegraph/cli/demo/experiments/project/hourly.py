"""Metrics of an hour, to detect a bad experiment early."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from metrics import customer_metrics, experiment_metrics
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from tables import SPARK, WEBSITE, read, write

import lineagegraph as lg

ZONES = {"US": "America/New_York", "UK": "Europe/London", "JP": "Asia/Tokyo"}
SCHEMA = "customer_id STRING, page STRING, latency_ms BIGINT, clicked_at TIMESTAMP"


def in_utc(region: str, day: str, hour: str) -> datetime:
    """Return the start of a local hour in UTC."""
    local = datetime.fromisoformat(f"{day}T{hour}:00").replace(tzinfo=ZoneInfo(ZONES[region]))
    return local.astimezone(UTC)


@lg.task(emits={"clicks": int})
def collect_clickstream(spark: SparkSession, region: str, day: str, hour: str) -> None:
    """Copy the clicks of an hour from the website, whose files are named by UTC."""
    start = in_utc(region, day, hour)
    source = WEBSITE / region / f"{start:%Y-%m-%dT%H}.csv"
    clicks = spark.read.csv(str(source), header=True, schema=SCHEMA)
    if bad := clicks.where("latency_ms IS NULL").count():
        raise ValueError(f"{source.name}: {bad} clicks that cannot be read")
    end = start + timedelta(hours=1)
    in_time = clicks.where(F.col("clicked_at").between(start, end - timedelta(microseconds=1)))
    write(in_time, "clickstream", region=region, day=day, hour=hour)
    lg.emit(clicks=read(spark, "clickstream", region=region, day=day, hour=hour).count())


@lg.task(after=collect_clickstream)
def determine_experiment_samples(spark: SparkSession, region: str, day: str, hour: str) -> None:
    """Assign customers to experiments, in bucket A or B."""
    clicks = read(spark, "clickstream", region=region, day=day, hour=hour)
    running = read(spark, "experiments").where("is_running").select("experiment", "page")
    drawn = F.crc32(F.concat_ws(":", "experiment", "customer_id")) % 2
    samples = (
        clicks.select("customer_id", "page")
        .distinct()
        .join(running, "page")
        .withColumn("bucket", F.when(drawn == 0, "A").otherwise("B"))
    )
    write(samples, "experiment_samples", region=region, day=day, hour=hour)


@lg.task(after=determine_experiment_samples)
def calculate_current_hourly_customer_experiment_metrics(
    spark: SparkSession, region: str, day: str, hour: str
) -> None:
    """Calculate the metrics of each customer in each running experiment."""
    clicks = read(spark, "clickstream", region=region, day=day, hour=hour)
    samples = read(spark, "experiment_samples", region=region, day=day, hour=hour)
    customers = customer_metrics(
        clicks.select("customer_id", "page", "latency_ms"),
        samples.select("customer_id", "page", "experiment", "bucket"),
    )
    write(customers, "hourly_customer_metrics", region=region, day=day, hour=hour)


@lg.task(after=calculate_current_hourly_customer_experiment_metrics)
def calculate_hourly_experiment_metrics(
    spark: SparkSession, region: str, day: str, hour: str
) -> None:
    """Calculate the metrics of each experiment from those of its customers."""
    customers = read(spark, "hourly_customer_metrics", region=region, day=day, hour=hour)
    experiment_metrics(
        spark, customers, "hourly_experiment_metrics", region=region, day=day, hour=hour
    )


lg.pipeline(
    "hourly_experiment_metrics",
    tasks=[
        collect_clickstream,
        determine_experiment_samples,
        calculate_current_hourly_customer_experiment_metrics,
        calculate_hourly_experiment_metrics,
    ],
    params={"region": str, "day": str, "hour": str},
    partition_by=["region", "day", "hour"],
    spark=SPARK | {"spark.app.name": "experiment_metrics_job"},
)
