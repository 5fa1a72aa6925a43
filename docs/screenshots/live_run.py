"""A run that goes on: its tasks, Spark's stages, and the button that stops it."""

from playwright.sync_api import Locator, expect

from docs.screenshots.stage import Stage

SESSION = """
import lineagegraph as lg
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.master("local[2]").getOrCreate()
spark.range(3).count()
"""
RIDES = """
@lg.task
def rides(spark):
    print("reading the rides of March")
    nap = F.expr("reflect('java.lang.Thread', 'sleep', cast(id * 0 + 700 as bigint))")
    spark.range(0, 60, 1, 60).select(nap).collect()

@lg.task(after=rides)
def totals(spark):
    pass

run = lg.pipeline("taxi", tasks=[rides, totals]).run(spark=spark)
run
"""


def going_on(stage: Stage) -> Locator:
    """A third of a stage's tasks are done."""
    live = stage.run(SESSION, RIDES).locator(".lg-live")
    live.locator(".lg-step", has_text="rides").first.click(timeout=90_000)
    expect(live.locator(".lg-stage progress").first).to_be_visible(timeout=90_000)
    expect(live.locator(".lg-stage").first).to_contain_text("20", timeout=90_000)
    return live
