"""`freshness`, as somebody types it."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import Result
from typer.testing import CliRunner

from lineagegraph.cli.show import freshness
from lineagegraph.errors import InvalidFreshness, NotFound
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import load_settings
from tests.integration.freshness.test_parts import write
from tests.integration.freshness.test_standings import tell


@pytest.fixture(autouse=True)
def environment(server: ServerAddress, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LINEAGEGRAPH_NEO4J_URI", server.bolt)
    monkeypatch.setenv("LINEAGEGRAPH_NEO4J_PASSWORD", server.password)
    load_settings.cache_clear()
    yield
    load_settings.cache_clear()


def run(*words: str) -> Result:
    return CliRunner().invoke(freshness.app, words)


def test_terms_are_set_shown_with_the_cause_and_unset(graph: Graph) -> None:
    now = datetime.now(UTC)
    tell(graph, "land", writes="raw", at=now - timedelta(hours=9))
    tell(graph, "land", at=now, kind="FAIL")
    tell(graph, "kpi", reads="raw", writes="gold", at=now - timedelta(hours=5))
    assert "no freshness terms" in run().output
    said = run("set", "gold", "--max-age", "4h", "--grace", "10m")
    assert said.output == "dataset:lake:gold: max age 4h\n"
    run("set", "job:default:kpi", "--since", "hour", "--zone", "Asia/Dubai", "--max-age", "1d")
    assert len(json.loads(run("--json").output)) == 2
    (one, _) = json.loads(run("--stale", "--json").output)
    assert (one["node"], one["state"], one["path"][-1]) == (
        "dataset:lake:gold",
        "stale",
        "job:default:land",
    )
    assert one["cause"]["run_state"] == "FAILED"
    assert "gold ← kpi ← raw ← land" in run("gold").output
    assert run("unset", "gold").exit_code == 0
    assert len(json.loads(run("--stale", "--json").output)) == 1


def test_what_cannot_be_is_refused(graph: Graph) -> None:
    tell(graph, "land")
    assert isinstance(run("set", "land").exception, InvalidFreshness)
    assert isinstance(run("set", "lend", "--max-age", "1h").exception, NotFound)
    assert isinstance(run("unset", "land").exception, NotFound)
    assert run("set", "land", "--max-age", "soon").exit_code == 2
    assert run("set", "land", "--max-age", "1h", "--counts", "start").exit_code == 2
    assert run("--help").exit_code == 0


def test_terms_per_region_are_set_and_each_region_is_shown(graph: Graph) -> None:
    now = datetime.now(UTC)
    write(graph, "sales", now - timedelta(hours=3, minutes=1), {"region": "eu"})
    write(graph, "sales", now, {"region": "us"})
    said = run("set", "sales", "--max-age", "1h", "--per", "region", "--expected", "jp")
    assert said.output == "dataset:lake:sales: max age 1h per region\n"
    (one,) = json.loads(run("--json").output)
    assert {part["part"]: part["state"] for part in one["parts"]} == {
        "eu": "stale",
        "jp": "unknown",
        "us": "fresh",
    }
    assert one["why"].startswith("eu: 3h ")
    assert "ago, jp: never, us fresh; " in one["why"]
    assert isinstance(
        run("set", "sales", "--max-age", "1h", "--expected", "eu").exception, InvalidFreshness
    )


@pytest.mark.parametrize(
    ("sensor", "why"),
    [
        ("max(ts)", "malformed"),
        ("[]", "its kind"),
        ('{"query": "SELECT 1"}', "its kind"),
        ('{"kind": "sql", "pokeInterval": "often"}', "pokeInterval"),
    ],
)
def test_a_sensor_that_is_none_is_refused(graph: Graph, sensor: str, why: str) -> None:
    tell(graph, "land", writes="raw")
    said = run("set", "raw", "--max-age", "1h", "--sensor", sensor)
    assert said.exit_code == 2
    assert why in said.output


def test_a_sensor_is_set_with_its_name_and_shown(graph: Graph) -> None:
    tell(graph, "kpi", reads="orders")
    sensor = {"kind": "sql", "url": "sqlite:////data/erp.db", "query": "SELECT max(ts) FROM o"}
    said = run("set", "orders", "--max-age", "1h", "--sensor", json.dumps(sensor))
    assert said.output == "dataset:lake:orders: max age 1h by sensor sql\n"
    (one,) = json.loads(run("--json").output)
    assert (one["state"], one["terms"]["sensor"]) == ("unknown", "sql")
    wrong = json.dumps({"kind": "file", "path": "/data/orders"})
    refused = run("set", "orders", "--max-age", "1h", "--sensor", wrong)
    assert isinstance(refused.exception, InvalidFreshness)
