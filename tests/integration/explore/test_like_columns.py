"""Columns whose names differ only in case, and columns that are gone but tagged."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph.admin.namespaces import attach_tags
from lineagegraph.errors import Ambiguous, NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.names.keys import dataset_key, field_key
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.find.find import find_column, find_placed_column
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.store.jobs.listings import list_marked_datasets
from lineagegraph.store.jobs.search import list_tagged
from tests.command_line import CommandLine
from tests.events import run_event
from tests.integration.ingest.test_other_names import send

TABLE = ("lake", "t")
KEY = dataset_key(*TABLE)


def write(*columns: str, hours: int = 0) -> dict[str, Any]:
    at = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(hours=hours)
    event = run_event("write", at=at, outputs=(TABLE,))
    event["outputs"][0]["facets"] = {"schema": {"fields": [{"name": name} for name in columns]}}
    return event


@pytest.mark.parametrize("columns", [("id", "ID"), ("ID", "id")])
def test_a_column_is_taken_by_its_exact_name_before_others(
    graph: Graph, server: ServerAddress, columns: tuple[str, str]
) -> None:
    send(graph, write(*columns, "Price"))
    for name in columns:
        assert find_column(graph, f"t#{name}") == field_key(KEY, name)
        found = walk_lineage(graph, f"t#{name}", LineageScope(columns=True))
        assert [column.name for one in found.datasets for column in one.columns] == [name]
    assert find_column(graph, "t#PRICE") == field_key(KEY, "Price")
    with pytest.raises(Ambiguous, match=r"'Id' matches several columns \(ID, id\)"):
        find_column(graph, "t#Id")
    with pytest.raises(Ambiguous):
        walk_lineage(graph, "t#Id", LineageScope(columns=True))
    with pytest.raises(NotFound):
        find_column(graph, "t#pri")


def test_the_tag_of_a_column_that_is_gone_selects_nothing_and_can_be_taken_off(
    graph: Graph, server: ServerAddress
) -> None:
    send(graph, write("a", "b"))
    attach_tags(graph, field_key(KEY, "b"), ["pii"])
    send(graph, write("a", hours=1))
    (marked,) = graph.read(list_marked_datasets, keys=[KEY])
    assert list(marked.tags) == []
    assert graph.read(list_tagged, text="pii", limit=5) == []
    with pytest.raises(NotFound):
        find_column(graph, "t#b")
    assert find_placed_column(graph, "t#b", with_tagged=True).name == "b"
    lineagegraph = CommandLine(server)
    assert "no tags" in lineagegraph("tag", "t#b", "pii", "--remove").stdout
    with pytest.raises(NotFound):
        find_placed_column(graph, "t#b", with_tagged=True)
