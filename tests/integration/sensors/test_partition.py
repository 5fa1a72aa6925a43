"""A partition is there once its folder has data, or the metastore knows it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import fsspec
import pytest

from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.sensors import make_sensor, sensor_id
from tests.integration.sensors.looks import empty, look


def test_a_partition_is_there_once_it_has_data(tmp_path: Path) -> None:
    wanted = {"path": str(tmp_path), "partition": "day=2026-01-01"}
    assert not look("partition", **wanted)
    empty(tmp_path / "day=2026-01-01" / "_temporary")
    assert not look("partition", **wanted)
    empty(tmp_path / "day=2026-01-01" / "part-0.parquet")
    assert look("partition", **wanted)
    assert not look("partition", **wanted, marker="_SUCCESS")
    empty(tmp_path / "day=2026-01-01" / "_SUCCESS")
    assert look("partition", **wanted, marker="_SUCCESS")


def test_a_folder_that_a_store_has_in_itself_is_no_data() -> None:
    memory = fsspec.filesystem("memory")
    wanted = {"path": "memory://lg-table", "partition": "day=1"}
    memory.makedirs("/lg-table/day=1")
    try:
        assert not look("partition", **wanted)
        memory.pipe("/lg-table/day=1/x", b"")
        assert look("partition", **wanted)
        memory.pipe("/lg-table/day=2", b"")
        assert not look("partition", path="memory://lg-table", partition="day=2")
    finally:
        memory.rm("/lg-table", recursive=True)


def test_keys_in_a_map_are_found_in_any_order_of_folders(tmp_path: Path) -> None:
    empty(tmp_path / "region=eu" / "day=1" / "x")
    assert look("partition", path=str(tmp_path), partition={"day": 1, "region": "eu"})
    assert not look("partition", path=str(tmp_path), partition="day=1/region=eu")
    assert look("partition", path=str(tmp_path), partition="region=eu/day=1")


def test_values_are_written_as_hive_writes_them(tmp_path: Path) -> None:
    empty(tmp_path / "at=2026-01-01 10%3A00%3A00" / "x")
    assert look("partition", path=str(tmp_path), partition={"at": "2026-01-01 10:00:00"})


def test_a_value_cannot_leave_the_table(tmp_path: Path) -> None:
    empty(tmp_path / "x")
    assert not look("partition", path=f"{tmp_path}/t", partition={"a": "1/../../.."})
    roots = {"sensor_roots": (f"{tmp_path}/t",)}
    with pytest.raises(PokeFailed, match="outside"):
        look("partition", path=f"{tmp_path}/x/../u", partition="a=1", settings=roots)


def test_a_table_is_found_where_the_installation_has_its_tables(tmp_path: Path) -> None:
    version = empty(tmp_path / "tables" / "nyc" / ".delays" / "v1" / "month=1" / "x").parents[1]
    (tmp_path / "tables" / "nyc" / "delays").symlink_to(version)
    settings = {"home": tmp_path}
    assert look("partition", table="NYC.delays", partition={"month": "1"}, settings=settings)
    assert not look("partition", table="nyc.delays", partition={"month": "2"}, settings=settings)


@pytest.fixture
def metastore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """A database with the tables that Hive's metastore has."""
    file = tmp_path / "metastore.db"
    monkeypatch.setenv("LINEAGEGRAPH_CONNECTION_METASTORE", f"sqlite:///{file}")
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute('CREATE TABLE "DBS" ("DB_ID", "NAME")')
        database.execute('CREATE TABLE "TBLS" ("TBL_ID", "DB_ID", "TBL_NAME")')
        database.execute('CREATE TABLE "PARTITIONS" ("TBL_ID", "PART_NAME")')
        database.execute("INSERT INTO \"DBS\" VALUES (1, 'sales'), (2, 'raw')")
        database.execute("INSERT INTO \"TBLS\" VALUES (7, 1, 'orders'), (8, 2, 'orders')")
        yield database


def test_a_metastore_is_asked_for_a_table(metastore: sqlite3.Connection) -> None:
    metastore.execute("INSERT INTO \"PARTITIONS\" VALUES (8, 'day=1/hour=2')")
    wanted = {"partition": {"hour": 2, "day": 1}, "metastore": "metastore"}
    assert not look("partition", table="sales.orders", **wanted)
    assert look("partition", table="raw.orders", **wanted)
    metastore.execute("INSERT INTO \"PARTITIONS\" VALUES (7, 'day=1/hour=2')")
    assert look("partition", table="sales.orders", **wanted)


def test_one_key_is_the_same_as_text_and_in_a_map() -> None:
    text = make_sensor("partition", {"path": "/t", "partition": "day=1/"})
    assert sensor_id(text) == sensor_id(
        make_sensor("partition", {"path": "/t", "partition": {"day": 1}})
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"partition": "a=1"}, "either a path or a table"),
        ({"partition": "a=1", "path": "/t", "table": "t"}, "either a path or a table"),
        ({"partition": "a", "path": "/t"}, "write it as day="),
        ({"partition": "", "path": "/t"}, "write it as day="),
        ({"partition": "../x=1", "path": "/t"}, "write it as day="),
        ({"partition": {}, "path": "/t"}, "partition is empty"),
        ({"partition": {"a/b": 1}, "path": "/t"}, "not a valid key"),
        ({"partition": dict.fromkeys("abcde", 1), "path": "/t"}, "in their order"),
        ({"partition": "a=1", "table": "a.b.c"}, "SCHEMA.TABLE"),
        ({"partition": "a=1", "path": "/t", "metastore": "m"}, "metastore goes with a table"),
        ({"partition": "a=1", "path": "https://h/t"}, "no folders"),
        ({"partition": "a=1", "path": "/t", "marker": ""}, "not a file name"),
    ],
)
def test_what_names_no_partition_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSensor, match=said):
        make_sensor("partition", fields)
