"""A sql sensor is true once a query returns something, and changes nothing."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.sensors import SensorPolicy, make_sensor, open_context, poke_sensor
from lineagegraph.settings import Settings
from tests.integration.sensors.looks import look


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A database with one table."""
    with closing(sqlite3.connect(tmp_path / "state.db", isolation_level=None)) as database:
        database.execute("CREATE TABLE loads (day TEXT, done INTEGER)")
        yield database


@pytest.fixture
def url(database: sqlite3.Connection, tmp_path: Path) -> str:
    """Its URL."""
    return f"sqlite:///{tmp_path}/state.db"


def test_it_is_true_once_a_row_says_so(database: sqlite3.Connection, url: str) -> None:
    wanted = {"url": url, "query": "SELECT done FROM loads WHERE day = :day"}
    assert not look("sql", **wanted, parameters={"day": "1"})
    database.execute("INSERT INTO loads VALUES ('1', 0)")
    assert not look("sql", **wanted, parameters={"day": "1"})
    database.execute("UPDATE loads SET done = 1")
    assert look("sql", **wanted, parameters={"day": "1"})
    assert not look("sql", **wanted, parameters={"day": "2"})


@pytest.mark.parametrize("value", ["NULL", "0", "''", "'0'", "0.0"])
def test_what_is_empty_or_zero_is_not_true(url: str, value: str) -> None:
    assert not look("sql", url=url, query=f"SELECT {value}")


def test_bytes_of_zeros_are_not_true(url: str) -> None:
    assert not look("sql", url=url, query="SELECT x'00'")
    assert not look("sql", url=url, query="SELECT x''")
    assert look("sql", url=url, query="SELECT x'0001'")


def test_a_connection_is_asked(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGEGRAPH_CONNECTION_STATE", url)
    assert look("sql", connection="state", query="SELECT 'yes'")


def test_a_query_changes_nothing(database: sqlite3.Connection, url: str) -> None:
    query = "WITH x AS (SELECT 1) INSERT INTO loads VALUES ('1', 1) RETURNING 1"
    with pytest.raises(PokeFailed, match="attempt to write a readonly database"):
        look("sql", url=url, query=query)
    assert database.execute("SELECT count(*) FROM loads").fetchone() == (0,)


@pytest.mark.parametrize(
    "query",
    [
        "select done FROM loads",
        " -- all\n /* of\n it */ (SELECT 1);\n",
        "WITH n AS (SELECT 1) SELECT * FROM n",
        "VALUES (1)",
    ],
)
def test_a_query_that_reads_is_taken(query: str) -> None:
    make_sensor("sql", {"query": query, "connection": "state"})


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM loads",
        "DROP TABLE loads",
        "VACUUM INTO '/tmp/copy'",
        "/* SELECT */ DROP TABLE loads",
        "/* /* */ SELECT */ DROP TABLE loads",
        "/*! CREATE TABLE x AS */ SELECT 1",
        "--SELECT\nDROP TABLE loads",
        "SELECT 1; DROP TABLE loads",
        "SELECTED",
        "-- nothing",
    ],
)
def test_what_does_not_read_is_refused_where_it_is_stated(query: str) -> None:
    with pytest.raises(InvalidSensor, match="the query must be"):
        make_sensor("sql", {"query": query, "connection": "state"})


def test_a_database_that_is_written_meanwhile_is_read(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "50% #1.db", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE loads (day TEXT)")
        database.execute("INSERT INTO loads VALUES ('1')")
        database.execute("BEGIN IMMEDIATE")
        assert look("sql", url=f"sqlite:///{tmp_path}/50% #1.db", query="SELECT day FROM loads")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT * FROM gone", "OperationalError: no such table: gone"),
        ("WITH x AS (SELECT 1) DELETE FROM loads", "readonly database"),
        ("SELECT :day", "value is required for bind parameter 'day'"),
    ],
)
def test_a_query_that_gives_no_answer_is_an_error(url: str, query: str, said: str) -> None:
    with pytest.raises(PokeFailed, match=said):
        look("sql", url=url, query=query)


def test_a_database_that_is_not_there_is_an_error_and_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(PokeFailed, match="there is no database"):
        look("sql", url=f"sqlite:///{tmp_path}/none.db", query="SELECT 1")
    assert not (tmp_path / "none.db").exists()


def test_a_connection_that_is_not_set_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PokeFailed, match="connection none is not set here"):
        look("sql", connection="none", query="SELECT 1", settings={"home": tmp_path})


def test_a_query_that_does_not_end_holds_up_nobody(url: str) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 30000000)"
    with pytest.raises(PokeFailed, match=r"no answer within 0\.3s"):
        look(
            "sql",
            url=url,
            query=f"{endless} SELECT max(x) FROM n",
            settings={"sensor_poke_seconds": 0.3},
        )


def test_a_query_that_nobody_waits_for_ends(url: str) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
    sensor = make_sensor("sql", {"url": url, "query": f"{endless} SELECT max(x) FROM n"})

    async def leave() -> None:
        async with open_context(Settings()) as context:
            poke = asyncio.create_task(poke_sensor(sensor, context))
            while not context.threads.running:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.3)
            poke.cancel()
            async with asyncio.timeout(10):
                while context.threads.running:
                    await asyncio.sleep(0.01)

    asyncio.run(leave())


def test_a_database_outside_of_the_roots_is_refused_where_it_is_stated() -> None:
    policy = SensorPolicy.of(Settings(sensor_roots=("/data",)))
    sensor = make_sensor("sql", {"url": "sqlite:////etc/x.db", "query": "SELECT 1"})
    with pytest.raises(InvalidSensor, match="outside"):
        sensor.permit(policy)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"query": " ", "connection": "c"}, "needs a query"),
        ({"query": "SELECT 1"}, "either a connection or a url"),
        ({"query": "SELECT 1", "url": "nothing"}, "write the URL of a database as"),
        ({"query": "SELECT 1", "url": "mysql://h/d?local_infile=1"}, "must not have options"),
    ],
)
def test_what_asks_nobody_or_nothing_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSensor, match=said):
        make_sensor("sql", fields)
