"""What a database rolls back is no output, however the transaction ends."""

import sqlite3
from contextlib import suppress

import duckdb
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.pool import StaticPool

from lineagegraph.dataframes.databases import DatabaseServer
from lineagegraph.dataframes.open_transaction import OpenTransaction
from lineagegraph.dataframes.turns import SqlTurn, split_turns, turn_of


class OwnConnection(sqlite3.Connection):
    """A task's own."""


@pytest.fixture(params=[sqlite3.Connection, OwnConnection])
def connect(request, noted):
    with sqlite3.connect("d.sqlite") as made:
        made.execute("CREATE TABLE s (a UNIQUE)")
        made.execute("CREATE TABLE r (a UNIQUE)")
    made.close()
    own = {} if request.param is sqlite3.Connection else {"factory": OwnConnection}
    return lambda **more: sqlite3.connect("d.sqlite", **own, **more)


def write(connection, table):
    connection.execute(f"INSERT INTO {table} VALUES (1)")


def names(noted):
    return {one["name"].split(".")[-1] for one in noted.outputs.values()}


def by_rollback(connection):
    write(connection, "r")
    connection.rollback()


def by_statement(connection):
    write(connection, "r")
    connection.execute("ROLLBACK")


def by_block(connection):
    with suppress(ZeroDivisionError), connection:
        write(connection, "r")
        raise ZeroDivisionError


def by_error(connection):
    connection.execute("BEGIN")
    write(connection, "r")
    with suppress(sqlite3.IntegrityError):
        connection.execute("INSERT OR ROLLBACK INTO r VALUES (1)")


def by_script(connection):
    connection.executescript("BEGIN; INSERT INTO r VALUES (1); ROLLBACK")


@pytest.mark.parametrize("undo", [by_rollback, by_statement, by_block, by_script])
def test_what_is_rolled_back_is_no_output(noted, connect, undo):
    with noted:
        connection = connect()
        undo(connection)
        write(connection, "s")
        connection.commit()
        connection.close()
    assert set(noted.outputs) == {"d.sqlite:s"}


# The statements of its own class are known before they fail.
@pytest.mark.parametrize("connect", [sqlite3.Connection], indirect=True)
def test_an_error_that_ends_a_transaction_undoes_what_it_wrote(noted, connect):
    with noted:
        connection = connect()
        by_error(connection)
        write(connection, "s")
        connection.commit()
        connection.close()
    assert set(noted.outputs) == {"d.sqlite:s"}


def test_what_is_not_committed_when_the_connection_closes_is_no_output(noted, connect):
    with noted:
        connection = connect()
        write(connection, "r")
        connection.close()
    assert noted.outputs == {}


def test_each_write_counts_at_once_without_transactions_and_in_a_script(noted, connect):
    with noted:
        connection = connect(isolation_level=None)
        write(connection, "s")
        connection.close()
        connection = connect()
        connection.executescript("INSERT INTO r VALUES (1)")
        connection.close()
    assert set(noted.outputs) == {"d.sqlite:s", "d.sqlite:r"}


def test_what_a_script_commits_counts_though_it_fails(noted, connect):
    with noted:
        connection = connect()
        write(connection, "s")
        with suppress(sqlite3.OperationalError):
            connection.executescript("no statement")
        connection.close()
    assert set(noted.outputs) == {"d.sqlite:s"}


def test_each_transaction_of_a_script_counts_if_it_commits(noted, connect):
    with noted:
        connection = connect()
        connection.executescript(
            "BEGIN; INSERT INTO s VALUES (';'); COMMIT; BEGIN; INSERT INTO r VALUES (1); ROLLBACK;"
        )
        connection.close()
    assert set(noted.outputs) == {"d.sqlite:s"}


def test_the_end_of_a_trigger_ends_no_transaction(noted, connect):
    with noted:
        connection = connect()
        connection.executescript(
            "BEGIN; INSERT INTO r VALUES (1);"
            "CREATE TRIGGER t AFTER INSERT ON s BEGIN UPDATE s SET a = 1; SELECT 1; END; ROLLBACK"
        )
        connection.executescript("BEGIN; INSERT INTO s VALUES (1); COMMIT")
        connection.close()
    assert set(noted.outputs) == {"d.sqlite:s"}


@pytest.mark.parametrize("level", ["", None])
def test_what_a_savepoint_undoes_is_no_output(noted, connect, level):
    with noted:
        connection = connect(isolation_level=level)
        for statement in (
            *("SAVEPOINT o", "INSERT INTO s VALUES (1)", "SAVEPOINT p", "INSERT INTO r VALUES (1)"),
            *("SAVEPOINT q", "RELEASE q", "ROLLBACK TO p", "RELEASE p", "RELEASE SAVEPOINT o"),
        ):
            connection.execute(statement)
        connection.commit()
        connection.close()
    assert set(noted.outputs) == {"d.sqlite:s"}


def test_each_transaction_of_a_text_of_duckdb_counts_if_it_commits(noted):
    with noted, duckdb.connect("d.duckdb") as connection:
        connection.execute("CREATE TABLE s (a INT); CREATE TABLE r (a INT)")
        connection.execute(
            "BEGIN; INSERT INTO s VALUES (1); COMMIT; BEGIN; INSERT INTO r VALUES (1); ROLLBACK"
        )
    assert set(noted.outputs) == {"d.duckdb:s"}


@pytest.mark.parametrize(
    ("script", "outputs"),
    [
        ("INSERT INTO s SELECT 1; COMMIT", {"s"}),
        ("INSERT INTO s SELECT ';'; END -- now", {"s"}),
        ("INSERT INTO r SELECT 1; ROLLBACK WORK; INSERT INTO s SELECT 1", {"s"}),
        ("SAVE TRAN p; INSERT INTO r SELECT 1; ROLLBACK TRAN p; COMMIT TRAN", set()),
        ("INSERT INTO s SELECT $$; ROLLBACK; $$; COMMIT", {"s"}),
        ("BEGIN INSERT INTO r SELECT 1; END;", set()),
        ("INSERT INTO s SELECT 1; /* ROLLBACK; */ COMMIT; -- ; ROLLBACK", {"s"}),
    ],
)
def test_the_turns_in_a_text_count(noted, script, outputs):
    with noted:
        transaction = OpenTransaction(DatabaseServer("postgres", "jdbc:postgresql://h/d"))
        transaction.take(script, is_open=True)
        transaction.end("rollback")
    assert names(noted) == outputs


def test_many_comments_and_quotes_take_no_time():
    assert turn_of("/* line */\n" * 5_000 + "INSERT") is None
    assert turn_of("-- line\n/* line */ " * 3_000 + "COMMIT") == SqlTurn("commit")
    for odd in (";/* ", "; ' ", "; $a$ $b$ ", '"; ', "; begin '", "; create trigger "):
        split_turns((odd * 12_000 + "; commit")[-100_000:])


class ServerOf(SQLiteDialect_pysqlite):
    """SQLite in memory by the name of another database."""

    supports_statement_cache = True


class WithoutTransactions(ServerOf):
    """A database of which a rollback does nothing."""

    supports_statement_cache = True

    def do_commit(self, dbapi_connection):
        pass

    do_rollback = do_commit


@pytest.fixture
def engine(noted):
    registry.register("cockroachdb", __name__, "ServerOf")
    registry.register("clickhouse", __name__, "WithoutTransactions")

    def made(name, **more):
        engine = create_engine(f"{name}://", poolclass=StaticPool, **more)
        with engine.begin() as connection:
            for table in "sr":
                connection.execute(text(f"CREATE TABLE {table} (a)"))
        return engine

    return made


def test_a_database_without_transactions_keeps_what_nobody_commits(noted, engine):
    used = engine("clickhouse")
    with noted, used.connect() as connection:
        connection.execute(text("INSERT INTO s SELECT 1"))
    used.dispose()
    assert names(noted) == {"s"}


def test_a_commit_by_a_statement_counts_in_sqlalchemy(noted, engine):
    used = engine("cockroachdb")
    with noted, used.connect() as connection:
        connection.execute(text("INSERT INTO s SELECT 1"))
        connection.execute(text("COMMIT"))
        connection.execute(text("INSERT INTO r SELECT 1"))
    used.dispose()
    assert names(noted) == {"s"}


def test_what_a_nested_transaction_of_sqlalchemy_undoes_is_no_output(noted, engine):
    used = engine("cockroachdb")
    with noted, used.begin() as connection:
        connection.execute(text("INSERT INTO s SELECT 1"))
        with connection.begin_nested() as nested:
            connection.execute(text("INSERT INTO r SELECT 1"))
            nested.rollback()
    used.dispose()
    assert names(noted) == {"s"}
