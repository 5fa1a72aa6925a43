"""Pipelines over the flights that left New York in 2013.

Three use Spark, each triggering the next: nyc.load reads CSV into Parquet, nyc.delays joins flights
with weather and planes and sums up each day, nyc.report sums up each month and finds the worst
routes. The others are small: one for each day, one that an event starts, one that waits for a file,
and one that follows a table of another team.
"""

import csv
import shutil
from datetime import date
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import lineagegraph as lg
from lineagegraph import on

ROOT = Path.cwd()
DATA = ROOT / "data"
LAKE = ROOT / "lake"
SCHEMAS = {
    "flights": (
        "year INT, month INT, day INT, dep_time INT, sched_dep_time INT, dep_delay DOUBLE, "
        "arr_time INT, sched_arr_time INT, arr_delay DOUBLE, carrier STRING, flight INT, "
        "tailnum STRING, origin STRING, dest STRING, air_time DOUBLE, distance DOUBLE, "
        "hour INT, minute INT, time_hour STRING"
    ),
    "weather": (
        "origin STRING, year INT, month INT, day INT, hour INT, temp DOUBLE, dewp DOUBLE, "
        "humid DOUBLE, wind_dir DOUBLE, wind_speed DOUBLE, wind_gust DOUBLE, precip DOUBLE, "
        "pressure DOUBLE, visib DOUBLE, time_hour STRING"
    ),
    "planes": (
        "tailnum STRING, year INT, type STRING, manufacturer STRING, model STRING, "
        "engines INT, seats INT, speed DOUBLE, engine STRING"
    ),
    "airports": (
        "faa STRING, name STRING, lat DOUBLE, lon DOUBLE, alt INT, tz INT, dst STRING, tzone STRING"
    ),
    "airlines": "carrier STRING, name STRING",
}


def read(spark: SparkSession, table: str) -> DataFrame:
    return spark.read.parquet(str(LAKE / table))


def write(frame: DataFrame, table: str, *partitions: str) -> None:
    frame.write.mode("overwrite").partitionBy(*partitions).parquet(str(LAKE / table))


def load(spark: SparkSession, table: str) -> None:
    source = str(DATA / f"{table}.csv")
    frame = spark.read.csv(source, header=True, schema=SCHEMAS[table], nullValue="NA")
    write(frame, f"bronze/{table}")


@lg.task
def flights(spark: SparkSession) -> None:
    load(spark, "flights")


@lg.task
def weather(spark: SparkSession) -> None:
    load(spark, "weather")


@lg.task
def planes(spark: SparkSession) -> None:
    load(spark, "planes")


@lg.task
def airports(spark: SparkSession) -> None:
    load(spark, "airports")


@lg.task
def airlines(spark: SparkSession) -> None:
    load(spark, "airlines")


@lg.task
def clean(spark: SparkSession) -> None:
    """Keep the flights that were not cancelled."""
    flown = read(spark, "bronze/flights").where("arr_delay IS NOT NULL")
    write(flown, "silver/flights")


@lg.task(after=clean)
def enrich(spark: SparkSession) -> None:
    """Add the weather at departure and the plane's seats."""
    weather = read(spark, "bronze/weather").select("origin", "time_hour", "visib", "wind_speed")
    planes = read(spark, "bronze/planes").select("tailnum", "seats")
    joined = (
        read(spark, "silver/flights")
        .join(weather.dropDuplicates(["origin", "time_hour"]), ["origin", "time_hour"], "left")
        .join(planes, "tailnum", "left")
    )
    write(joined, "silver/delays")


@lg.task(after=enrich)
def daily(spark: SparkSession, late_after: int) -> None:
    """Sum up each day per carrier and origin."""
    delays = read(spark, "silver/delays")
    summed = delays.groupBy("month", "day", "carrier", "origin").agg(
        F.count("*").alias("flights"),
        F.sum("dep_delay").alias("dep_delay"),
        F.sum("arr_delay").alias("arr_delay"),
        F.sum((F.col("arr_delay") > late_after).cast("int")).alias("late"),
        F.avg("visib").alias("visib"),
        F.sum("seats").alias("seats"),
    )
    write(summed, "gold/daily_delay", "month")


@lg.task
def monthly(spark: SparkSession) -> None:
    """Sum up each month, with the airlines' names."""
    summed = (
        read(spark, "gold/daily_delay")
        .groupBy("month", "carrier", "origin")
        .agg(
            F.sum("flights").alias("flights"),
            F.sum("dep_delay").alias("dep_delay"),
            F.sum("arr_delay").alias("arr_delay"),
            F.sum("late").alias("late"),
        )
    )
    named = summed.join(read(spark, "bronze/airlines"), "carrier")
    write(named.withColumnRenamed("name", "airline"), "gold/monthly_delay")
    totals = read(spark, "gold/monthly_delay").agg(F.sum("flights"), F.sum("arr_delay"))
    flights, arr_delay = totals.collect()[0]
    lg.emit(flights=flights, arr_delay=arr_delay)


@lg.task
def worst_routes(spark: SparkSession) -> None:
    """Find the twenty routes with the longest average delay."""
    routes = (
        read(spark, "silver/delays")
        .groupBy("origin", "dest")
        .agg(F.count("*").alias("flights"), F.avg("arr_delay").alias("mean_arr_delay"))
        .where("flights >= 100")
    )
    airports = read(spark, "bronze/airports").select(F.col("faa").alias("dest"), "name")
    worst = routes.join(airports, "dest", "left").orderBy(F.desc("mean_arr_delay")).limit(20)
    write(worst.withColumnRenamed("name", "airport"), "gold/worst_routes")


lg.pipeline("nyc.load", tasks=[flights, weather, planes, airports, airlines])

lg.pipeline(
    "nyc.delays",
    tasks=[clean, enrich, daily],
    params={"late_after": 15},
    trigger=on.success("nyc.load"),
)

lg.pipeline(
    "nyc.report",
    tasks=[monthly, worst_routes],
    trigger=on.success("nyc.delays") & on.dataset("file", str(LAKE / "bronze/airlines")),
)


@lg.task
def this_day(day: date) -> None:
    """Count the flights that left on this day of 2013."""
    with (DATA / "flights.csv").open(encoding="utf-8") as rows:
        lg.emit(flights=sum(row.startswith(f"2013,{day.month},{day.day},") for row in rows))


lg.pipeline(
    "nyc.day",
    tasks=[this_day],
    params={"day": date},
    partition_by=["day"],
    trigger=on.cron("0 6 * * *"),
)


@lg.task
def airlines_by_name(edition: str) -> None:
    """Write the bulletin: the names of the airlines."""
    with (DATA / "airlines.csv").open(encoding="utf-8", newline="") as file:
        names = sorted(row["name"] for row in csv.DictReader(file))
    (ROOT / "bulletin.txt").write_text("\n".join([f"The {edition} bulletin", *names]))


lg.pipeline(
    "nyc.bulletin",
    tasks=[airlines_by_name],
    params={"edition": str},
    trigger=on.event("bulletin.asked"),
)

of_2014 = lg.sensor("file", "flights_of_2014", path=str(DATA / "flights_2014.csv"))


@lg.task(after=of_2014)
def next_year() -> None:
    """Count the flights of 2014, when they have arrived."""
    with (DATA / "flights_2014.csv").open(encoding="utf-8") as rows:
        lg.emit(flights=sum(1 for _ in rows) - 1)


lg.pipeline("nyc.next_year", tasks=[of_2014, next_year])


@lg.task
def fares() -> None:
    """Take over the vendor's list of fares."""
    shutil.copyfile(DATA / "fares.csv", ROOT / "fares.csv")


lg.pipeline("nyc.fares", tasks=[fares], trigger=on.dataset("warehouse", "vendor.fares"))
