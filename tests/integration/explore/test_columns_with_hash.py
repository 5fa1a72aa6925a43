"""Columns and datasets with a # in their names."""

import pytest

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.queries.find.find import find_column, find_node_or_column
from lineagegraph.queries.lineage.column_node import ColumnsAsked, resolve_columns
from lineagegraph.queries.lineage.impact import find_impact
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.queries.lineage.readers import find_readers
from lineagegraph.settings import Settings
from lineagegraph.views.explorer import ExplorerView
from tests.events import run_event

# The names of two tables; each has a column with one # and one with several.
TABLES = ("rides", "rides#old")
COLUMNS = ("fare", "fare#eur", "#", "#a#b#")


@pytest.fixture
def hashes(graph: Graph) -> Graph:
    """Each column of two tables goes into its like of another."""
    for name in TABLES:
        event = run_event("load", inputs=(("lake", name),), outputs=(("lake", f"out/{name}"),))
        fields = [{"name": column, "type": "int"} for column in COLUMNS]
        event["inputs"][0]["facets"] = {"schema": {"fields": fields}}
        made = {
            column: {"inputFields": [{"namespace": "lake", "name": name, "field": column}]}
            for column in COLUMNS
        }
        event["outputs"][0]["facets"] = {
            "schema": {"fields": fields},
            "columnLineage": {"fields": made},
        }
        graph.write(record, extract([event]))
    return graph


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("column", COLUMNS)
def test_each_column_is_followed(hashes: Graph, settings: Settings, name: str, column: str) -> None:
    text = f"dataset:lake:{name}#{column}"
    found = find_node_or_column(hashes, text)
    assert (found.node.key, found.column) == (dataset_key("lake", name), column)
    (made,) = find_impact(hashes, text).columns
    assert (made.dataset.name, made.column.name) == (f"out/{name}", column)
    drawn = walk_lineage(hashes, text, LineageScope(columns=True))
    assert {one.name for dataset in drawn.datasets for one in dataset.columns} == {column}
    (reader,) = find_readers(hashes, text)
    assert reader.use == "makes columns"
    asked = resolve_columns(hashes, f"datasetField:lake:{name}:{column}", inherit=True)
    assert isinstance(asked, ColumnsAsked)
    assert [one.name for one in asked.columns] == [column]
    view = ExplorerView(hashes, settings)
    assert view.answer_find(text) == text
    assert view.answer_lineage(text, 1, 1, "").roots == (dataset_key("lake", name),)
    assert view.answer_readers(dataset_key("lake", name), column) == ["load: makes columns"]


def test_a_column_that_is_none_is_refused_by_its_name(hashes: Graph) -> None:
    for text in ("rides#no#such", "rides#old#no"):
        with pytest.raises(NotFound, match=f"no column '{text}'"):
            find_column(hashes, text)
    with pytest.raises(NotFound, match="no job or dataset 'none#a'"):
        find_column(hashes, "none#a#b")
