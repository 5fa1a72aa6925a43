"""Tables that `lg.publish` writes into a folder of a session with Delta's catalog."""

from pathlib import Path
from typing import Any

from pyspark.sql import functions as F  # noqa: N812

from lineagegraph.spark.tables.place import TABLES
from tests.acceptance.captured import Captured


class Lake:
    """The tables of a captured session."""

    def __init__(self, captured: Captured) -> None:
        self.folder = captured.home / "lake"
        self.captured = captured
        self.spark = captured.sessions.session()
        self.spark.conf.set(TABLES, str(self.folder))

    def numbers(self, value: int, rows: int = 100) -> Any:
        """Return a frame of numbers beside a value."""
        return self.spark.range(0, rows, 1, 2).select("id", F.lit(value).alias("v"))

    def path(self, table: str) -> Path:
        """Return the folder of a table."""
        return self.folder.joinpath(*table.split("."))

    def values(self, table: str, **options: Any) -> set[tuple[int, int]]:
        """Return the values in a table, each with the number of its rows."""
        rows = self.spark.read.format("delta").options(**options).load(str(self.path(table)))
        return {(row.v, row["count"]) for row in rows.groupBy("v").count().collect()}
