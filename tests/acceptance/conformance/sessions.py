"""The two sessions of the suite, and the data that their queries start from."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from lineagegraph.neo4j_server.lock import Artifact
from tests.acceptance.conformance.both import Both, fetched
from tests.acceptance.conformance.postgres import postgres
from tests.acceptance.conformance.queries import MAIN, delta, tables, topics
from tests.acceptance.conformance.query import queries_of
from tests.acceptance.forwarding.kafka import kafka
from tests.delta_jars import delta_conf
from tests.kafka_jars import kafka_jars

DRIVERS = (
    Artifact(
        "org.postgresql:postgresql:42.7.8",
        "2a32a9dcbc42d67a50ad3a0de5efd102c8d2be46720045f2cbd6689f160ab7c7",
        1116727,
    ),
    Artifact(
        "org.duckdb:duckdb_jdbc:1.4.1.0",
        "038db35c2c8fdab337cf0592f1213ba3eac04cdb51b91485adf20b97a0aa3f93",
        81010538,
    ),
)
AVRO = Artifact(
    "org.apache.spark:spark-avro_2.13:4.2.0",
    "4c186cedc03cbe4ee356a94b32232b347ef48611c3209400b3a77e4fe4abff4f",
    92286,
)
QUERIES = queries_of(*MAIN)
DELTA_QUERIES = queries_of(delta)


@contextmanager
def main_session(home: Path) -> Iterator[Both]:
    """Run a session with Hive's catalog, the databases and the broker."""
    (home / "kafka").mkdir()
    with postgres(home / "postgres") as port, kafka(home / "kafka") as broker:
        for topic in topics.TOPICS:
            broker.make_topic(topic, 1)
        url = f"jdbc:postgresql://127.0.0.1:{port}/postgres?user=postgres"
        conf = {
            "spark.jars": f"{fetched(*DRIVERS, AVRO)},{kafka_jars()}",
            "spark.sql.catalogImplementation": "hive",
            "spark.test.postgres": url,
            "spark.test.kafka": broker.address,
        }
        aliases = {
            f"postgres://127.0.0.1:{port}": "postgres",
            f"kafka://{broker.address}": "kafka",
        }
        both = Both(home, conf, aliases)
        with _stopped(both):
            both.prepare(prepare)
            _prepare(both, MAIN)
            yield both


@contextmanager
def delta_session(home: Path) -> Iterator[Both]:
    """Run a session with Delta's catalog."""
    both = Both(home, delta_conf())
    with _stopped(both):
        both.prepare(delta.prepare)
        yield both


@contextmanager
def small_session(home: Path) -> Iterator[Both]:
    """Run a session with Spark's own catalog and the data for a few queries."""
    both = Both(home, {})
    with _stopped(both):
        both.prepare(prepare)
        both.prepare(tables.prepare)
        yield both


def prepare(spark: Any, home: Path) -> None:
    """Make the files that most queries read."""
    orders = "".join(f"{i},{i % 7},{i * 1.5},{i % 3},a b\n" for i in range(100))
    (home / "orders.csv").write_text("id,customer,amount,day,tags\n" + orders)
    (home / "customers.csv").write_text(
        "customer,name\n" + "".join(f"{i},n{i}\n" for i in range(6))
    )
    (home / "lines.txt").write_text("a\nb\n")
    types = "id int, customer int, amount double, day int, tags string"
    read = spark.read.schema(types).csv(f"{home}/orders.csv", header=True)
    read.write.parquet(f"{home}/orders")
    read = spark.read.schema("customer int, name string").csv(f"{home}/customers.csv", header=True)
    read.write.parquet(f"{home}/customers")
    for day in range(1, 4):
        spark.range(2).write.parquet(f"{home}/in/2026-01-0{day}")


@contextmanager
def _stopped(both: Both) -> Iterator[None]:
    try:
        yield
    finally:
        both.stop()


def _prepare(both: Both, themes: tuple[ModuleType, ...]) -> None:
    for theme in themes:
        if work := getattr(theme, "prepare", None):
            both.prepare(work)
