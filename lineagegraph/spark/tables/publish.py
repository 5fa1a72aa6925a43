"""A frame becomes a table at once: readers see all of the old one or all of the new one."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame

from lineagegraph.errors import TableRefused
from lineagegraph.model.runs.ids import new_id
from lineagegraph.neo4j_server.filelock import locked
from lineagegraph.settings import load_settings
from lineagegraph.spark.gateway import is_connect
from lineagegraph.spark.tables.by_catalog import publish_by_catalog
from lineagegraph.spark.tables.guard import check_may_publish
from lineagegraph.spark.tables.one_file import join_files
from lineagegraph.spark.tables.place import (
    TABLES_AGE,
    About,
    TableFolder,
    has_catalog,
    place_of,
    read_about,
    tables_folder,
    write_about,
)
from lineagegraph.spark.tables.switch import (
    drop_extras,
    lock_of,
    sweep,
    switch,
    table_lock,
)
from lineagegraph.spark.tables.unpublished import UNPUBLISHED

MODES = ("overwrite", "append", "error")


def publish(
    df: Any, table: str, mode: str = "overwrite", partition_by: str | Sequence[str] = ()
) -> None:
    """Write a Spark frame as a table, `SCHEMA.TABLE`, and let all readers see it at once.

    It is a folder of Parquet files in the folder `tables`, which pandas and others read by its
    path. `append` adds rows, `error` refuses an existing table. If the session has a catalog of its
    own (Hive, Delta, Iceberg), the table is in its format. A run that another worker took over
    cannot publish any more.
    """
    if not isinstance(df, DataFrame):
        raise TableRefused(
            f"publish() takes a frame of Spark, not {type(df).__name__}: spark.createDataFrame(...)"
        )
    if mode not in MODES:
        raise TableRefused(f"mode {mode!r} of table {table}: use one of {', '.join(MODES)}")
    columns = (partition_by,) if isinstance(partition_by, str) else tuple(partition_by)
    if has_catalog(df.sparkSession):
        publish_by_catalog(df, table, mode, columns)
        return
    if is_connect(df.sparkSession):
        raise TableRefused(
            f"table {table}: a server of Spark Connect writes no folders of this machine: give the"
            " server a catalog of Delta or Iceberg"
        )
    place = place_of(tables_folder(df.sparkSession), table)
    place.versions.mkdir(parents=True, exist_ok=True)
    version = place.versions / new_id()
    with locked(lock_of(version)):
        _Publication(place, version, mode, columns).carry_out(df)
    lock_of(version).unlink(missing_ok=True)


@dataclass(frozen=True)
class _Publication:
    place: TableFolder
    version: Path
    mode: str
    columns: tuple[str, ...]

    def carry_out(self, df: DataFrame) -> None:
        """Write beside the table, then switch; a failure leaves nothing behind."""
        check_may_publish()
        self._refuse_what_is_there()
        with UNPUBLISHED.holding(self.version):
            try:
                self._write(df)
                self._commit(df)
            except BaseException:
                shutil.rmtree(self.version, ignore_errors=True)
                raise

    def _write(self, df: DataFrame) -> None:
        df, columns = self._fitted(df)
        writer = df.write.partitionBy(*columns) if columns else df.write
        writer.parquet(str(self.version))
        if not columns:
            join_files(df, self.version)
        drop_extras(self.version)
        write_about(self.version, About(df.schema.json(), columns))

    def _commit(self, df: DataFrame) -> None:
        with locked(table_lock(self.place)):
            self._refuse_what_is_there()
            keep = None
            if self.mode == "append":
                self._fitted(df)
                keep = self.place.current
            switch(self.place, self.version, check_may_publish, keep=keep)
            sweep(self.place, _age(df))

    def _refuse_what_is_there(self) -> None:
        if self.mode == "error" and self.place.current:
            raise TableRefused(
                f"table {self.place.name} exists already: publish it with mode overwrite"
            )

    def _fitted(self, df: DataFrame) -> tuple[DataFrame, tuple[str, ...]]:
        """Return a frame with the columns of the table that it is added to."""
        current = self.place.current
        about = read_about(current) if current and self.mode == "append" else None
        if about is None:
            return df, self.columns
        if self.columns and self.columns != about.partition_by:
            raise TableRefused(
                f"table {self.place.name} is partitioned by {about.partition_by or 'nothing'}"
            )
        there, given = _types(about.schema), _types(df.schema.json())
        if sorted(there) != sorted(given):
            raise TableRefused(
                f"append to {self.place.name}: it has {_describe_types(there)}, "
                f"the frame has {_describe_types(given)}"
            )
        return df.select(*(name for name, _ in there)), about.partition_by


def _types(schema: str) -> list[tuple[str, str]]:
    return [
        (one["name"], json.dumps(one["type"], sort_keys=True))
        for one in json.loads(schema)["fields"]
    ]


def _describe_types(types: list[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {json.loads(kind)}" for name, kind in types)


def _age(df: DataFrame) -> float:
    given = df.sparkSession.conf.get(TABLES_AGE, None)
    return float(given) if given else load_settings().tables_age.total_seconds()
