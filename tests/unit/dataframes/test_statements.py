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
