# %% [markdown]
# # Drive a pipeline
#
# A pipeline defined in a cell is a normal pipeline: the graph records its runs, code and data. This one
# counts late flights by the hour of the day, from a table of the demo.

# %%
import lineagegraph as lg

graph = lg.connect()
(delays,) = [
    row["path"]
    for row in graph.cypher(
        "MATCH (d:Dataset) WHERE d.name ENDS WITH 'silver/delays' RETURN d.name AS path"
    ).records
]


# %%
@lg.task
def late_by_hour(spark, month):
    flights = spark.read.parquet(delays).where(f"month = {month}")
    counted = flights.groupBy("hour").agg({"arr_delay": "avg", "*": "count"})
    counted = counted.toDF("hour", "mean_delay", "flights").orderBy("hour")
    counted.write.mode("overwrite").parquet(delays.replace("silver/delays", "lab/late_by_hour"))
    lg.emit(hours=counted.count())


late = lg.pipeline("lab.late", tasks=[late_by_hour], params={"month": int})

# %% [markdown]
# `late.run()` starts it, in a separate process, or by the daemon if one is running. The cell shows its
# tasks, Spark's stages and the end of its log during the run, with a stop button. Interrupt also stops
# it: the Spark jobs are cancelled, and the run is KILLED.

# %%
run = late.run(month=3)
await run

# %% [markdown]
# After the run, the graph has the data that it read and wrote:

# %%
graph.lineage("lab/late_by_hour", up=2)

# %% [markdown]
# The code of the cell is part of the version. The same cell creates the same version; an edit creates
# another:

# %%
await late.run(month=4)
graph.runs("lab.late")

# %% [markdown]
# ## Plain cells
#
# The Spark work in a block is captured as a run of a job, with its lineage.

# %%
from pyspark.sql import SparkSession

spark = SparkSession.builder.config("spark.ui.showConsoleProgress", False).getOrCreate()
with lg.run("adhoc.exploration", spark=spark):
    worst = spark.read.parquet(delays).where("arr_delay > 600").select("carrier", "arr_delay")
    worst.write.mode("overwrite").parquet(delays.replace("silver/delays", "lab/worst"))

graph.lineage("lab/worst", up=2)
