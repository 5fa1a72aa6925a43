"""The experiments table, which all regions share."""

from pyspark.sql import SparkSession
from tables import SPARK, WEBSITE, write

import lineagegraph as lg

SCHEMA = "experiment STRING, title STRING, page STRING, is_running BOOLEAN"


@lg.task
def read_experiments(spark: SparkSession) -> None:
    """Read the experiments from the shop's list."""
    source = str(WEBSITE / "experiments.csv")
    write(spark.read.csv(source, header=True, schema=SCHEMA, mode="FAILFAST"), "experiments")


# A batch: however often it is asked for, it runs once a day.
lg.batch("experiments", tasks=[read_experiments], spark=SPARK)
