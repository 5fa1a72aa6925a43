"""A pipeline that makes a table of a file, and one that it starts."""

from pathlib import Path

import lineagegraph as lg
from lineagegraph import on


@lg.task
def load(spark):
    """Keep the orders of the file as a table."""
    orders = spark.read.csv("orders.csv", header=True, schema="day DATE, price DOUBLE")
    if orders.where("price IS NULL").count():
        raise ValueError("orders.csv has a price that is no number")
    orders.write.mode("overwrite").parquet("lake/orders")


@lg.task(after=load)
def total(spark):
    """Add up the prices of each day."""
    days = spark.read.parquet("lake/orders").groupBy("day").sum("price").toDF("day", "revenue")
    days.write.mode("overwrite").parquet("lake/revenue")


@lg.task
def write(spark):
    """Write the best day for people."""
    best = spark.read.parquet("lake/revenue").orderBy("revenue", ascending=False).first()
    Path("report.txt").write_text(f"{best.day} was the best day: {best.revenue:.2f}\n")


lg.pipeline("shop.revenue", tasks=[load, total])
lg.pipeline("shop.report", tasks=[write], trigger=on.success("shop.revenue"))
