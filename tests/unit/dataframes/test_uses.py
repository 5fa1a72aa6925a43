"""What pandas, polars, Arrow, DuckDB and SQL read and write is noted, with columns and rows."""

import pickle
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet
import pytest

from lineagegraph.dataframes.entry_points import names_of
from lineagegraph.dataframes.statement_effect import without_values
from lineagegraph.settings import load_settings


def columns(dataset):
    return {one["name"]: one.get("type") for one in dataset["facets"]["schema"]["fields"]}


def test_pandas_reads_and_writes(noted):
    with noted:
        frame = pandas.read_csv("in.csv")
        frame.to_parquet("out.parquet")
        frame.to_json(path_or_buf="out.json")
        pandas.read_parquet(path=Path("out.parquet"))
        with Path("in.csv").open() as file:
            pandas.read_csv(file)
        assert frame.to_csv() == ",k,v\n0,1,a\n1,2,b\n"
    assert set(noted.inputs) == {"in.csv", "out.parquet"}
    assert set(noted.outputs) == {"out.parquet", "out.json"}
    assert columns(noted.inputs["in.csv"]) == {"k": "int64", "v": "object"}
    assert noted.outputs["out.parquet"]["outputFacets"]["outputStatistics"]["rowCount"] == 2
    assert noted.inputs["out.parquet"]["inputFacets"]["inputStatistics"]["rowCount"] == 2


def test_polars_reads_lazily_too_and_writes(noted):
    with noted:
        polars.read_csv("in.csv").write_parquet("a/b.parquet", mkdir=True)
        polars.scan_parquet("a/*.parquet").filter(polars.col("k") > 1).sink_csv("out.csv")
    assert set(noted.inputs) == {"in.csv", "a"}
    assert set(noted.outputs) == {"a/b.parquet", "out.csv"}
    assert columns(noted.inputs["a"]) == {"k": "Int64", "v": "String"}
    assert columns(noted.outputs["out.csv"]) == {"k": "Int64", "v": "String"}


def test_arrow_reads_and_writes(noted):
    with noted:
        table = pyarrow.csv.read_csv("in.csv")
        pyarrow.parquet.write_table(table, "out.parquet")
        pyarrow.dataset.write_dataset(table, "parts", format="parquet")
        pyarrow.dataset.dataset("parts")
    assert set(noted.inputs) == {"in.csv", "parts"}
    assert set(noted.outputs) == {"out.parquet", "parts"}
    assert columns(noted.outputs["parts"]) == {"k": "int64", "v": "string"}


def test_a_partition_s_folder_is_a_subset_of_the_dataset(noted):
    with noted:
        Path("t/day=2026-01-02").mkdir(parents=True)
        polars.read_csv("in.csv").write_parquet("t/day=2026-01-02/x=1")
        Path("dated/2026/01").mkdir(parents=True)
        polars.read_csv("in.csv").write_parquet("dated/2026/01/02")
    name, dated = noted.outputs
    assert dated == "dated"
    subset = noted.outputs[name]["outputFacets"]["subset"]["outputCondition"]
    assert name == "t"
    assert subset["partitions"] == [{"dimensions": {"day": "2026-01-02", "x": 1}}]


def test_duckdb_s_sql_has_the_origins_of_columns(noted):
    with noted, duckdb.connect("d.duckdb") as connection:
        connection.execute("CREATE TABLE raw AS SELECT k, upper(v) AS name FROM 'in.csv'")
        connection.execute("CREATE SCHEMA s")
        connection.execute("CREATE TABLE s.totals AS SELECT name, sum(k) n FROM raw GROUP BY ALL")
        rows = connection.sql("SELECT * FROM s.totals ORDER BY n").fetchall()
        connection.execute("COPY (SELECT name FROM raw) TO 'names.parquet'")
        connection.sql("FROM read_parquet(['names.parquet'])").write_csv("names.csv")
        connection.sql("FROM read_csv('in.csv', names=['a', 'b'], skip=1)").fetchall()
    assert rows == [("A", 1), ("B", 2)]
    assert set(noted.inputs) == {"in.csv", "d.duckdb:raw", "d.duckdb:s.totals", "names.parquet"}
    assert set(noted.outputs) == {
        "d.duckdb:raw",
        "d.duckdb:s.totals",
        "names.parquet",
        "names.csv",
    }
    assert noted.origins("d.duckdb:raw") == {
        "k": [("in.csv", "k", "IDENTITY")],
        "name": [("in.csv", "v", "TRANSFORMATION")],
    }
    assert noted.origins("d.duckdb:s.totals")["n"] == [("d.duckdb:raw", "k", "AGGREGATION")]
    assert columns(noted.outputs["d.duckdb:raw"]) == {"k": "BIGINT", "name": "VARCHAR"}
    assert columns(noted.outputs["names.csv"]) == {"name": "VARCHAR"}


@pytest.mark.parametrize("end", ["COMMIT", None])
def test_duckdb_s_tables_are_noted_when_their_transaction_commits(noted, end):
    with noted, duckdb.connect("d.duckdb") as connection:
        connection.begin()
        connection.execute("CREATE TABLE t AS SELECT * FROM read_csv('in.csv')")
        connection.execute("CREATE TABLE u AS SELECT k FROM t")
        connection.execute(end) if end else connection.commit()
        connection.begin()
        connection.execute("CREATE TABLE gone AS SELECT * FROM t")
        connection.rollback()
    assert set(noted.outputs) == {"d.duckdb:t", "d.duckdb:u"}
    assert noted.origins("d.duckdb:u") == {"k": [("d.duckdb:t", "k", "IDENTITY")]}


@pytest.mark.parametrize("begin", ["BEGIN TRANSACTION", "start transaction;", None])
def test_what_duckdb_rolls_back_is_no_output_and_counts_once_it_is_done_again(noted, begin):
    def begins():
        return connection.execute(begin) if begin else connection.begin()

    with noted, duckdb.connect("d.duckdb") as connection:
        connection.execute("CREATE TABLE t (k INT); CREATE TABLE u (k INT)")
        connection.execute("CREATE TABLE v (k INT); CREATE TABLE w (k INT)")
        for end in ("ROLLBACK", "COMMIT"):
            begins()
            connection.execute("INSERT INTO t SELECT k FROM 'in.csv'")
            connection.execute(end)
        begins()
        connection.execute("INSERT INTO u VALUES (1)")
        connection.execute("COPY u TO 'u.csv'")
        connection.rollback()
        connection.execute("BEGIN; INSERT INTO v VALUES (1); ABORT")
        connection.execute("BEGIN; INSERT INTO w SELECT k FROM t; COMMIT")
        begins()
        connection.execute("INSERT INTO v VALUES (1)")
    assert set(noted.outputs) == {"d.duckdb:t", "u.csv", "d.duckdb:w"}
    assert noted.origins("d.duckdb:w") == {"k": [("d.duckdb:t", "k", "IDENTITY")]}


def test_a_transaction_of_duckdb_that_fails_writes_nothing_and_ends(noted):
    with noted, duckdb.connect("d.duckdb") as connection, connection.cursor() as other:
        connection.execute("CREATE TABLE t (k INT PRIMARY KEY); CREATE TABLE u (k INT)")
        connection.execute("CREATE TABLE v (k INT)")
        for one in (connection, other):
            one.begin()
            one.execute("INSERT INTO t VALUES (1)")
        connection.commit()
        with pytest.raises(duckdb.Error):
            other.commit()
        other.execute("INSERT INTO u VALUES (1)")
        other.execute("-- now\nBEGIN; INSERT INTO v VALUES (1)")
        with pytest.raises(duckdb.Error):
            other.execute("SELECT * FROM nothing")
        other.execute("COMMIT")
    assert set(noted.outputs) == {"d.duckdb:t", "d.duckdb:u"}


def test_a_transaction_of_duckdb_s_own_connection_counts_if_it_commits(noted):
    duckdb.execute("ATTACH 'own.duckdb' AS own")
    with noted:
        for end in (duckdb.rollback, duckdb.commit):
            duckdb.begin()
            duckdb.execute(f"CREATE TABLE own.{end.__name__} AS SELECT 1 AS k")
            end()
    duckdb.execute("DETACH own")
    assert set(noted.outputs) == {"own.duckdb:commit"}


def test_duckdb_s_readers_take_paths_and_options(noted):
    with noted:
        assert duckdb.read_csv(Path("in.csv"), sep=",").fetchall() == [(1, "a"), (2, "b")]
        duckdb.read_csv(sep=",", path_or_buffer="in.csv")
    assert set(noted.inputs) == {"in.csv"}


def test_brackets_in_the_name_of_a_folder_are_no_pattern(noted):
    Path("a[1]").mkdir()
    with noted:
        pandas.read_csv("in.csv").to_csv("a[1]/b.csv")
        polars.scan_csv("a[1]/b.csv", glob=False).collect()
    assert (set(noted.inputs), set(noted.outputs)) == ({"in.csv", "a[1]/b.csv"}, {"a[1]/b.csv"})


def test_a_url_with_a_query_is_named_without_it():
    (found,) = names_of("https://host/data[1].csv?x=1")
    assert (found.namespace, found.name) == ("https://host", "/data[1].csv")


def test_what_is_in_memory_only_is_no_dataset(noted):
    frame = pandas.DataFrame({"k": [1]})  # noqa: F841  # DuckDB looks for it here
    with noted:
        assert duckdb.sql("SELECT * FROM frame").fetchall() == [(1,)]
        duckdb.execute("CREATE OR REPLACE TABLE t AS SELECT * FROM 'in.csv'")
        with sqlite3.connect(":memory:") as memory:
            memory.execute("CREATE TABLE t (k)")
            memory.execute("INSERT INTO t VALUES (1)")
    assert (set(noted.inputs), noted.outputs) == ({"in.csv"}, {})
    assert duckdb.execute("SELECT * FROM frame").fetchall() == [(1,)]


def test_a_result_that_is_not_fetched_yet_is_left_alone(noted):
    with noted, duckdb.connect("d.duckdb") as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS k UNION ALL SELECT 2")
        assert connection.execute("SELECT k FROM t ORDER BY k").fetchall() == [(1,), (2,)]


def test_sqlite_s_statements_are_noted_and_a_loop_of_them_once(noted):
    with sqlite3.connect("d.sqlite") as made:
        made.execute("CREATE TABLE people (name TEXT, age INT)")
        made.execute("CREATE TABLE names (name TEXT)")
    with noted, sqlite3.connect("d.sqlite") as connection:
        rows = [(f"it's {number}", number) for number in range(5_000)]
        connection.executemany("INSERT INTO people VALUES (?, ?)", rows)
        connection.execute("REPLACE INTO names SELECT upper(name) FROM people WHERE name <> 'x'")
        read = pandas.read_sql("SELECT age FROM people WHERE age < 3", connection)
    assert list(read["age"]) == [0, 1, 2]
    assert set(noted.inputs) == {"d.sqlite:people"}
    assert set(noted.outputs) == {"d.sqlite:people", "d.sqlite:names"}
    assert columns(noted.outputs["d.sqlite:people"]) == {"name": "TEXT", "age": "INT"}
    assert noted.origins("d.sqlite:names") == {
        "name": [("d.sqlite:people", "name", "TRANSFORMATION")]
    }


def test_many_statements_leave_room_for_those_that_write(noted):
    with sqlite3.connect("d.sqlite") as made:
        made.execute("CREATE TABLE s (a)")
        made.execute("CREATE TABLE r (a)")
    with noted, sqlite3.connect("d.sqlite") as connection:
        for n in range(250):
            connection.execute("UPDATE s SET a = ? WHERE a = ?", (n, n))
            connection.execute(f"UPDATE s SET a = {n} WHERE a IN ({-n}, {n}.5, x'{n:04}', NULL)")
            connection.execute(f"SELECT a AS a{n} FROM s ORDER BY 1")
        connection.execute("INSERT INTO r SELECT a + 1 FROM s WHERE a > 0 ORDER BY 1")
    assert set(noted.outputs) == {"d.sqlite:s", "d.sqlite:r"}
    assert noted.origins("d.sqlite:r") == {"a": [("d.sqlite:s", "a", "TRANSFORMATION")]}


def test_a_statement_of_sqlite_that_fails_is_not_noted(noted):
    with sqlite3.connect("d.sqlite") as made:
        made.execute("CREATE TABLE s (a UNIQUE)")
        made.execute("CREATE TABLE r (a UNIQUE)")
    with noted, sqlite3.connect("d.sqlite") as connection:
        connection.executemany("INSERT INTO s VALUES (?)", [(1,), (2,)])
        for run in (connection.execute, connection.cursor().execute):
            with pytest.raises(sqlite3.IntegrityError):
                run("INSERT INTO r SELECT 1 FROM s")
    assert set(noted.outputs) == {"d.sqlite:s"}


class OwnCursor(sqlite3.Cursor):
    """A task's own."""


class OwnConnection(sqlite3.Connection):
    """A task's own, whose `cursor` takes less than Python's."""

    def cursor(self):
        return OwnCursor(self)


def test_a_task_s_own_classes_of_sqlite_stay_and_are_followed(noted):
    with sqlite3.connect("d.sqlite") as made:
        made.execute("CREATE TABLE s (a)")
        made.execute("CREATE TABLE r (a)")
    with noted:
        with sqlite3.connect("d.sqlite", 5.0, 0, None, True, OwnConnection) as by_position:
            assert type(by_position) is OwnConnection
            by_position.execute("INSERT INTO s VALUES (1)")
        with sqlite3.connect("d.sqlite") as plain:
            assert type(plain.cursor(OwnCursor)) is OwnCursor
        with sqlite3.connect("d.sqlite", factory=OwnConnection) as connection:
            assert type(connection) is OwnConnection
            assert type(connection.cursor()) is OwnCursor
            connection.execute("INSERT INTO r SELECT a FROM s")
    assert set(noted.outputs) == {"d.sqlite:s", "d.sqlite:r"}


@pytest.mark.parametrize(
    ("text", "without"),
    [
        (
            "UPDATE t SET a=N'x.' , b=(SELECT max(x) FROM s WHERE y='k')",
            "UPDATE t SET a=1 , b=(SELECT max(x) FROM s WHERE y=1)",
        ),
        (r"UPDATE t SET a=E'it\'s', b=x'0f', c=U&'d'", "UPDATE t SET a=1, b=1, c=1"),
        (
            "INSERT INTO 2020_sales SELECT * FROM 2019_sales WHERE a>5e3",
            "INSERT INTO 2020_sales SELECT * FROM 2019_sales WHERE a>1",
        ),
    ],
)
def test_values_of_all_dialects_are_values_and_names_stay(text, without):
    assert without_values(text) == without


def test_work_in_a_thread_pool_counts_too(noted):
    with noted, ThreadPoolExecutor(2) as pool:
        list(pool.map(pandas.read_csv, ["in.csv"]))
    assert set(noted.inputs) == {"in.csv"}


def test_a_call_that_fails_is_not_noted_and_fails_as_before(noted):
    with noted:
        with pytest.raises(FileNotFoundError):
            pandas.read_csv("missing.csv")
        with pytest.raises(duckdb.Error):
            duckdb.sql("SELECT * FROM 'missing.parquet'")
        with pytest.raises(duckdb.Error):
            duckdb.sql("no sql")
    assert (noted.inputs, noted.outputs) == ({}, {})


def test_functions_of_libraries_can_be_pickled_as_before(noted):
    with noted:
        for function in (pandas.read_csv, polars.read_csv, pandas.DataFrame.to_csv):
            assert pickle.loads(pickle.dumps(function)) is function
    assert pandas.read_csv.__name__ == "read_csv"
    assert "filepath_or_buffer" in pandas.read_csv.__doc__


def test_nothing_is_noted_if_the_setting_says_so(noted, monkeypatch):
    monkeypatch.setenv("LINEAGEGRAPH_FOLLOW_LIBRARIES", "false")
    load_settings.cache_clear()
    quiet = type(noted)(Path.cwd())
    with quiet:
        pandas.read_csv("in.csv")
    assert quiet.inputs == {}
