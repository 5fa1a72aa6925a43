"""Few rows in one file: a reader opens it once, and so cannot see two versions."""

import shutil
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from lineagegraph.spark.tables.hidden import hidden
from lineagegraph.spark.tables.switch import data_files

LARGEST = 64 * 1024 * 1024


def join_files(df: DataFrame, version: Path) -> None:
    """Write the files of a version as one if they are small together; rows keep their order."""
    files = data_files(version)
    if len(files) < 2 or sum(file.stat().st_size for file in files) > LARGEST:
        return
    joined = version.with_name(f"{version.name}.joined")
    with hidden(df.sparkSession):
        rows = df.sparkSession.read.schema(df.schema).parquet(str(version))
        place = [F.col("_metadata.file_name"), F.col("_metadata.row_index")]
        numbered = rows.select("*", place[0].alias("_file"), place[1].alias("_row"))
        ordered = numbered.repartition(1).sortWithinPartitions("_file", "_row")
        ordered.drop("_file", "_row").write.parquet(str(joined))
    for file in files:
        file.unlink()
    for file in data_files(joined):
        file.rename(version / file.name)
    shutil.rmtree(joined)
