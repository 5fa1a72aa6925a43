"""The tables of statements are found, whatever words and names these have."""

import sqlite3
from pathlib import Path

import duckdb
import pandas
import pytest

from lineagegraph.dataframes.statement_effect import without_values


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("INSERT INTO t VALUES (1, 'a'), (2, 'b')", "INSERT INTO t VALUES (0)"),
        (
            "/* of a job */ insert or ignore into `a b` . t (k, `values`) values (?, ?)",
            "/* of a job */ insert or ignore into `a b` . t (k, `values`) values (0)",
        ),
        ('REPLACE INTO "m" ("k", "values") VALUES (?, ?)',) * 2,
        (
            "INSERT INTO t (a) OUTPUT inserted.[values] VALUES (?)",
            "INSERT INTO t (a) OUTPUT inserted.[values] VALUES (0)",
        ),
        ("INSERT INTO values VALUES (1)", "INSERT INTO values VALUES (0)"),
        ("INSERT INTO t SELECT k, values FROM src",) * 2,
        (
            "INSERT INTO d SELECT k FROM m JOIN (VALUES (2), (3)) v ON v.c = m.k",
            "INSERT INTO d SELECT k FROM m JOIN (VALUES (1), (1)) v ON v.c = m.k",
        ),
    ],
)
def test_values_are_those_behind_the_table_of_an_insert(text, without):
    assert without_values(text) == without.replace("VALUES (?, ?)", "VALUES (0)")


def test_many_brackets_and_comments_take_no_time():
    text = "INSERT INTO t (" + "/* */ [a] , " * 8_000
    assert without_values(text) == text


def test_a_column_or_a_list_named_values_hides_no_table(noted):
    with noted, sqlite3.connect("d.sqlite") as connection:
        frame = pandas.DataFrame({"k": [1, 2], "values": [3, 4]})
        frame.to_sql("m", connection, index=False)
        connection.execute("CREATE TABLE d (k)")
        connection.execute("CREATE TABLE e (k)")
        connection.execute('INSERT INTO d SELECT "values" AS k FROM m')
        connection.execute(
            "INSERT INTO e SELECT k FROM d JOIN (VALUES (3), (4)) v ON v.column1 = k"
        )
    assert {"d.sqlite:m", "d.sqlite:d"} <= set(noted.inputs)
    assert set(noted.outputs) == {"d.sqlite:m", "d.sqlite:d", "d.sqlite:e"}
    assert noted.origins("d.sqlite:d") == {"k": [("d.sqlite:m", "values", "IDENTITY")]}


def test_a_common_table_with_the_name_of_its_own_table_hides_it_outside_only(noted):
    with duckdb.connect("d.duckdb") as made:
        made.execute("CREATE TABLE orders AS SELECT 1 AS amount")
    with noted, duckdb.connect("d.duckdb") as connection:
        connection.execute(
            "CREATE TABLE big AS WITH orders AS (SELECT * FROM orders WHERE amount > 0)"
            " SELECT * FROM ORDERS"
        )
    assert set(noted.inputs) == {"d.duckdb:orders"}
    assert noted.origins("d.duckdb:big") == {"amount": [("d.duckdb:orders", "amount", "IDENTITY")]}


def test_the_home_folder_is_named_in_full(noted, monkeypatch):
    monkeypatch.setenv("HOME", str(Path.cwd()))
    with noted:
        pandas.read_csv("~/in.csv").to_json(Path("~/out.json"))
    assert (set(noted.inputs), set(noted.outputs)) == ({"in.csv"}, {"out.json"})


def test_a_view_of_duckdb_is_what_it_reads(noted):
    with noted, duckdb.connect() as memory:
        memory.execute("CREATE VIEW o AS SELECT k AS n FROM 'in.csv'")
        memory.execute("CREATE VIEW p AS WITH o AS (SELECT n FROM o) SELECT n + 1 AS m FROM o")
        memory.execute("COPY (WITH o AS (SELECT 1) SELECT q.m FROM p AS q) TO 'out.csv'")
    assert set(noted.inputs) == {"in.csv"}
    assert noted.origins("out.csv") == {"m": [("in.csv", "k", "TRANSFORMATION")]}


@pytest.fixture
def views_of_duckdb(tmp_path):
    with duckdb.connect(tmp_path / "b.duckdb") as other:
        other.execute("CREATE TABLE orders (a INT); CREATE SCHEMA s; CREATE TABLE s.x (a INT)")
    with duckdb.connect(tmp_path / "d.duckdb") as made:
        made.execute("CREATE TABLE orders (a INT, day DATE); CREATE SCHEMA analytics")
        made.execute("CREATE TABLE x (a INT); CREATE TABLE base (a INT)")
        made.execute(
            "CREATE VIEW analytics.orders AS"
            " SELECT * FROM orders WHERE day = (SELECT max(day) FROM orders)"
        )
        made.execute("CREATE VIEW o AS SELECT a FROM base")
        made.execute("CREATE VIEW analytics.o AS SELECT a FROM x")
        made.execute(f"ATTACH '{tmp_path / 'b.duckdb'}' AS b")
        made.execute("USE b.s")
        made.execute("CREATE VIEW b.s.v AS SELECT a FROM x; CREATE TABLE b.o (a INT)")


# Of the view, DuckDB itself takes no query: it is within itself.
@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("ORDERS", {"d.duckdb:orders"}),
        ("d.orders", {"d.duckdb:orders"}),
        ("b.orders", {"b.duckdb:orders"}),
        ("b.main.orders", {"b.duckdb:orders"}),
        ("o", {"d.duckdb:base"}),
        ("analytics.o", {"d.duckdb:x"}),
        ("d.analytics.o", {"d.duckdb:x"}),
        ("b.s.o", {"b.duckdb:s.o"}),
        ("b.s.v", {"b.duckdb:s.x"}),
    ],
)
def test_a_name_in_duckdb_is_what_its_search_path_finds_first(noted, views_of_duckdb, name, inputs):
    with duckdb.connect("d.duckdb") as made:
        made.execute("CREATE TABLE out (a INT)")
    with noted, duckdb.connect("d.duckdb") as connection:
        connection.execute("ATTACH 'b.duckdb' AS b")
        connection.execute(f"INSERT INTO out SELECT a FROM {name}")
    assert set(noted.inputs) == inputs


def test_views_that_read_each_other_often_take_no_time(noted):
    with duckdb.connect("d.duckdb") as made:
        made.execute("CREATE TABLE v0 (a INT); CREATE TABLE out (a INT)")
        for one in range(6):
            made.execute(f"CREATE VIEW v{one + 1} AS SELECT a FROM v{one} JOIN v{one} p USING (a)")
    with noted, duckdb.connect("d.duckdb") as connection:
        connection.execute("INSERT INTO out SELECT a FROM v6")
    assert "d.duckdb:v0" in noted.inputs
    assert set(noted.outputs) == {"d.duckdb:out"}


def test_a_view_of_sqlite_s_own_file_is_none_of_an_attached_one(noted):
    for file, kind in (("d.sqlite", "VIEW"), ("other.sqlite", "TABLE")):
        with sqlite3.connect(file) as made:
            made.execute("CREATE TABLE s (k)")
            made.execute("CREATE TABLE out (k)")
            made.execute(f"CREATE {kind} trips AS SELECT k FROM s")
    with noted, sqlite3.connect("d.sqlite") as connection:
        connection.execute("ATTACH 'other.sqlite' AS other")
        connection.execute("INSERT INTO out SELECT k FROM other.trips")
    assert (set(noted.inputs), set(noted.outputs)) == (set(), {"d.sqlite:out"})


def test_a_view_of_sqlite_is_what_it_reads(noted):
    with sqlite3.connect("d.sqlite") as made:
        made.execute("CREATE TABLE s (k)")
        made.execute("CREATE VIEW v AS SELECT k AS n FROM s")
    with noted, sqlite3.connect("d.sqlite") as connection:
        connection.execute("CREATE TABLE r AS SELECT n FROM V")
    assert set(noted.inputs) == {"d.sqlite:s"}
    assert noted.origins("d.sqlite:r") == {"n": [("d.sqlite:s", "k", "IDENTITY")]}


def test_a_table_that_takes_another_s_name_is_written_and_catalogs_are_no_inputs(noted):
    with noted, sqlite3.connect("d.sqlite") as connection:
        pandas.DataFrame({"k": [1]}).to_sql("w", connection, index=False)
        connection.execute("CREATE TABLE n AS SELECT k + 1 AS k FROM w")
        connection.execute("DROP TABLE w")
        connection.execute("ALTER TABLE n RENAME TO w")
    assert set(noted.inputs) == {"d.sqlite:w"}
    assert set(noted.outputs) == {"d.sqlite:w"}
