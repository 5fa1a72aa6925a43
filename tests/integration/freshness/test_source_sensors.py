"""Terms of a source that nobody reports: a sensor answers when it was last new."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pydantic import SecretStr

from lineagegraph.admin.freshness import set_terms, unset_terms
from lineagegraph.admin.source_sensor import SourceSensor, source_sensor
from lineagegraph.daemon.freshness import notify_freshness
from lineagegraph.errors import InvalidFreshness, InvalidSensor
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.describe import describe_terms
from lineagegraph.model.freshness.standing import FreshState, Terms
from lineagegraph.model.freshness.terms import Counts, Freshness
from lineagegraph.model.outbox.routes import Occasion, Route
from lineagegraph.model.runs.ids import new_id
from lineagegraph.queries.find.find import find_node
from lineagegraph.queries.freshness.freshness import Standing, describe_staleness
from lineagegraph.queries.jobs.outbox import read_notifications
from lineagegraph.settings import Settings
from lineagegraph.store.sensors.sensor_views import count_sensors
from lineagegraph.waits.idle import release_idle
from tests.events import run_event
from tests.integration.freshness.test_standings import look, tell
from tests.integration.sensors.looks import look_at
from tests.integration.sensors.theatre import T0, Theatre, at

HOUR = 3600.0
ONE_HOUR = Terms(freshness=Freshness(max_age=HOUR))
FIELDS = {"url": "sqlite:////data/erp.db", "query": "SELECT max(ts) FROM orders"}


@pytest.fixture
def theatre(graph: Graph) -> Theatre:
    tell(graph, "kpi", reads="orders", at=T0)
    return Theatre(graph)


@pytest.fixture
def watching(settings: Settings) -> Settings:
    route = Route(on=(Occasion.STALE, Occasion.FRESH), to=SecretStr("log:"))
    return settings.model_copy(update={"notify": (route,)})


@pytest.fixture
def source() -> SourceSensor:
    return source_sensor("sql", FIELDS, name="orders_max", poke_interval=60)


def expect(graph: Graph, source: SourceSensor | None, node: str = "orders") -> None:
    set_terms(graph, find_node(graph, node).key, ONE_HOUR, source=source, by="ann", now=T0)


def answer(theatre: Theatre, source: SourceSensor, stated: object, began: float) -> None:
    theatre.poke(source.sensor, True, began, value=msgspec.json.encode({"at": stated}).decode())


def orders(graph: Graph, seconds: float) -> Standing:
    return look(graph, at(seconds))["orders"]


def test_the_time_that_its_sensor_answers_is_that_of_its_last_success(
    theatre: Theatre, source: SourceSensor
) -> None:
    graph = theatre.graph
    expect(graph, source)
    assert describe_terms(orders(graph, 0).about.terms) == "max age 1h by sensor orders_max"
    assert orders(graph, 0).state is FreshState.UNKNOWN
    assert describe_staleness(orders(graph, 0)) == "sensor orders_max has not answered yet"
    answer(theatre, source, "2026-03-01T11:30:00", began=1)
    found = orders(graph, 10)
    assert (found.state, found.judged.age) == (FreshState.FRESH, 1810)
    tell(graph, "other", writes="orders", at=at(3000))
    assert orders(graph, 2 * HOUR).state is FreshState.STALE
    assert describe_staleness(orders(graph, 2 * HOUR)) == "the source has nothing newer"
    answer(theatre, source, "2026-03-01T15:00:00+01:00", began=2 * HOUR)
    assert orders(graph, 2 * HOUR).judged.age == 0


@pytest.mark.parametrize("stated", ["2026-03-01 11:30:00", 1772364600, 1772364600.0])
def test_a_time_is_a_text_or_seconds(
    theatre: Theatre, source: SourceSensor, stated: object
) -> None:
    expect(theatre.graph, source)
    answer(theatre, source, stated, began=1)
    assert orders(theatre.graph, 0).judged.age == 1800


@pytest.mark.parametrize("stated", ["soon", None, True, [], 1e300, "0000-00-00", ""])
def test_an_answer_without_a_time_says_so_and_leaves_the_known_one(
    theatre: Theatre, source: SourceSensor, stated: object
) -> None:
    expect(theatre.graph, source)
    answer(theatre, source, "2026-03-01T12:00:00Z", began=1)
    answer(theatre, source, stated, began=2)
    assert orders(theatre.graph, 60).state is FreshState.FRESH
    said = describe_staleness(orders(theatre.graph, 2 * HOUR))
    assert said == "sensor orders_max answers without a time"


def test_a_sensor_that_fails_makes_it_unknown_and_stale_after_its_age(
    theatre: Theatre, source: SourceSensor, watching: Settings
) -> None:
    graph = theatre.graph
    expect(graph, source)
    answer(theatre, source, "2026-03-01T12:00:00Z", began=1)
    for minutes in (10, 20):
        theatre.poke(source.sensor, None, minutes * 60, error="no such table: orders\nor other")
    for minutes in (21, 61, 89):
        found = orders(graph, minutes * 60)
        assert found.state is FreshState.UNKNOWN
        assert found.judged.since == at(600)
        assert found.judged.until == at(5400) + timedelta(microseconds=1)
    why = "sensor orders_max fails since 2026-03-01T12:10:00Z: no such table: orders"
    assert describe_staleness(found) == why
    assert notify_freshness(graph, watching, at(5399)) == 0
    for _ in range(2):
        notify_freshness(graph, watching, at(5401))
    (one,) = read_notifications(graph, 10)
    assert (one.type, one.job, one.message) == (
        "dataset.stale",
        "orders",
        f"last success at 2026-03-01T12:00:00Z, terms: max age 1h by sensor orders_max; {why}",
    )
    answer(theatre, source, "2026-03-01T13:29:00Z", began=5500)
    assert orders(graph, 5500).state is FreshState.FRESH
    notify_freshness(graph, watching, at(5500))
    assert [one.type for one in read_notifications(graph, 10)] == ["dataset.fresh", "dataset.stale"]


def test_a_sensor_that_never_answered_is_reported_after_the_grace(
    theatre: Theatre, source: SourceSensor, watching: Settings
) -> None:
    graph = theatre.graph
    expect(graph, source)
    theatre.poke(source.sensor, None, 10, error="connection refused")
    assert orders(graph, 1799).state is FreshState.UNKNOWN
    assert notify_freshness(graph, watching, at(1799)) == 0
    assert notify_freshness(graph, watching, at(1801)) == 1
    (one,) = read_notifications(graph, 10)
    assert "orders_max fails since 2026-03-01T12:00:10Z: connection refused" in str(one.message)


def test_its_sensor_is_poked_while_terms_need_it_at_the_shortest_interval(
    theatre: Theatre, source: SourceSensor
) -> None:
    graph = theatre.graph
    tell(graph, "kpi", reads="orders prices", at=T0)
    expect(graph, source)
    hourly = msgspec.structs.replace(source, poke_interval=HOUR)
    expect(graph, hourly, "prices")
    assert theatre.sensor(source.sensor)["interval"] == 60
    graph.write(release_idle, age=timedelta(0), now=at(10))
    assert theatre.sensor(source.sensor)["interval"] == 60
    theatre.wait(source.sensor, poke_interval=5, poke_backoff=2)
    assert theatre.sensor(source.sensor)["interval"] == 5
    assert theatre.sensor(source.sensor)["poke_backoff"] == 1
    expect(graph, None)
    answer(theatre, source, "2026-03-01T12:00:00Z", began=10)
    assert theatre.sensor(source.sensor)["interval"] == HOUR
    unset_terms(graph, find_node(graph, "prices").key, "prices")
    assert "interval" not in theatre.sensor(source.sensor)
    graph.write(release_idle, age=timedelta(0))
    assert graph.read(count_sensors, kind=None) == 0


def test_another_sensor_takes_the_place_of_the_first(
    theatre: Theatre, source: SourceSensor
) -> None:
    expect(theatre.graph, source)
    other = source_sensor("sql", FIELDS | {"query": "SELECT max(day) FROM orders"})
    expect(theatre.graph, other)
    assert "interval" not in theatre.sensor(source.sensor)
    assert theatre.sensor(other.sensor)["interval"] == 300
    answer(theatre, other, "2026-03-01T12:00:00Z", began=10)
    assert orders(theatre.graph, 10).state is FreshState.FRESH


def test_terms_by_a_sensor_go_with_a_job_that_gets_another_parent(
    theatre: Theatre, source: SourceSensor
) -> None:
    graph = theatre.graph
    load, parent = run_event("load", at=T0), new_id()
    graph.write(record, extract([load]))
    expect(graph, source, "job:default:load")
    answer(theatre, source, "2026-03-01T12:00:00Z", began=10)
    again = run_event("load", run_id=load["run"]["runId"], at=T0, parent=(parent, "etl"))
    graph.write(record, extract([again, run_event("etl", run_id=parent, at=T0)]))
    found = look(graph, at(10))["etl.load"]
    assert found.about.sensor is not None
    assert found.state is FreshState.FRESH


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "erp.db", isolation_level=None)) as database:
        database.execute("CREATE TABLE orders (ts TEXT)")
        yield database


def test_a_query_answers_its_first_value_under_a_name(
    database: sqlite3.Connection, tmp_path: Path
) -> None:
    fields: dict[str, Any] = FIELDS | {"url": f"sqlite:///{tmp_path}/erp.db"}
    sensor = source_sensor("sql", fields).sensor
    assert look_at(sensor) is False
    database.execute("INSERT INTO orders VALUES ('2026-03-01 11:00:00'), ('2026-03-01 12:00:00')")
    assert look_at(sensor) == {"at": "2026-03-01 12:00:00"}
    assert look_at(source_sensor("sql", fields | {"value": "newest"}).sensor) == {
        "newest": "2026-03-01 12:00:00"
    }


def test_a_kind_without_a_time_and_terms_that_need_more_than_one_are_refused(
    theatre: Theatre, source: SourceSensor
) -> None:
    with pytest.raises(InvalidFreshness, match="of kind file answers no time"):
        source_sensor("file", {"path": "/data/x"})
    with pytest.raises(InvalidSensor):
        source_sensor("sql", {})
    key = find_node(theatre.graph, "orders").key
    hour = Freshness(max_age=HOUR)
    for terms in (
        Terms(freshness=hour, per="region"),
        Terms(freshness=Freshness(max_age=HOUR, counts=Counts.DATA_END)),
    ):
        with pytest.raises(InvalidFreshness, match="one time"):
            set_terms(theatre.graph, key, terms, source=source)
