"""Why a table is stale, to its end, and who reads a column."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lineagegraph.admin.freshness import set_terms
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.queries.analysis.stale_why import find_stale_why
from lineagegraph.queries.lineage.readers import describe_reader, find_readers
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from lineagegraph.views.freshness_board import FreshnessBoardView
from tests.events import run_event

OWNERS = {"ownership": {"owners": [{"name": "team:pricing"}]}}
FARES = """
import lineagegraph as lg

lg.pipeline("fares", tasks=[lg.command("take", ["true"])],
    trigger=lg.on.dataset("lake", "vendor") & lg.on.event("agreed"))
"""


@pytest.fixture
def stale(graph: Graph, tmp_path: Path) -> None:
    """`prices` is stale, as the vendor's job fails before the job `fares` that follows it."""
    (tmp_path / "fares.py").write_text(FARES)
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "fares.py")
    old = datetime.now(UTC) - timedelta(days=3)
    prices = run_event("fares", at=old, inputs=(("lake", "vendor"),), outputs=(("lake", "prices"),))
    prices["outputs"][0]["facets"] = OWNERS
    failed = run_event("publish", "FAIL", outputs=(("lake", "vendor"),))
    failed["job"]["facets"] = {"ownership": {"owners": [{"name": "the vendor"}]}}
    events = [run_event("publish", at=old, outputs=(("lake", "vendor"),)), prices, failed]
    graph.write(record, extract(events))
    terms = Terms(freshness=Freshness(max_age=86400.0))
    set_terms(graph, dataset_key("lake", "prices"), terms)


@pytest.mark.usefixtures("stale")
def test_one_answer_has_writer_trigger_missing_event_cause_and_owners(graph: Graph) -> None:
    found = find_stale_why(graph, "UTC", "prices")
    assert found.owners == ("team:pricing",)
    (writer,) = found.writers
    assert writer.name == "fares"
    (trigger,) = writer.triggers
    assert trigger.enabled
    assert len(trigger.missing) == 2
    assert trigger.missing[0].startswith("lake:vendor written: ")
    assert trigger.missing[1].startswith("event agreed: ")
    assert [step.name for step in found.path] == ["prices", "fares", "vendor", "publish"]
    assert found.cause_owners == ("the vendor",)
    lines = dict(found.lines())
    assert lines["state"].startswith("stale, 3d")
    assert lines["cause"].startswith("publish is FAILED")
    assert lines["cause"].endswith("; owner the vendor")


def test_the_page_has_the_time_of_the_writer_in_the_zone_of_all_its_times(graph: Graph) -> None:
    at = datetime(2026, 1, 31, 23, 30, tzinfo=UTC)
    graph.write(record, extract([run_event("load", at=at, outputs=(("lake", "raw"),))]))
    view = FreshnessBoardView(graph, Settings(zone="Asia/Tokyo"))
    facts = {fact.name: fact.text for fact in view.answer_why("raw")}
    assert facts["writer"] == "load, COMPLETED 2026-02-01 08:30:00 JST; owner unknown"


def test_what_is_fresh_or_has_no_terms_has_its_writer_and_no_cause(graph: Graph) -> None:
    graph.write(record, extract([run_event("load", outputs=(("lake", "raw"),))]))
    lines = find_stale_why(graph, "UTC", "raw").lines()
    assert ("state", "without terms") in lines
    assert ("owner", "unknown") in lines
    assert ("trigger", "no trigger here starts load") in lines
    assert "cause" not in dict(lines)


def test_the_readers_of_a_column_include_those_that_make_nothing(graph: Graph) -> None:
    raw, gold = ("lake", "raw"), ("lake", "gold")
    made = run_event("sum", inputs=(raw,), outputs=(gold,))
    made["inputs"][0]["facets"] = schema("price", "day")
    made["outputs"][0]["facets"] = schema("total") | derived("total", "raw", "price")
    looked = run_event("dashboard", inputs=(raw,))
    graph.write(record, extract([made, looked]))
    said = [describe_reader(one) for one in find_readers(graph, "raw#price")]
    assert said == ["sum: makes columns", "dashboard: reads the dataset, makes nothing"]
    assert [one.name for one in find_readers(graph, "raw")] == ["dashboard", "sum"]
    assert find_readers(graph, "gold#total") == []


def schema(*names: str) -> dict[str, Any]:
    return {"schema": {"fields": [{"name": name, "type": "double"} for name in names]}}


def derived(name: str, dataset: str, column: str) -> dict[str, Any]:
    source = {"namespace": "lake", "name": dataset, "field": column}
    return {"columnLineage": {"fields": {name: {"inputFields": [source]}}}}
