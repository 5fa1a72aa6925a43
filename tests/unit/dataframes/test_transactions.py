"""What SQLite rolls back is no output, however the transaction ends."""

import sqlite3
from contextlib import suppress

import pytest


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
