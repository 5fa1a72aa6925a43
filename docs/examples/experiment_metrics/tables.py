"""What an event says of the tables that it reads and writes: columns, their origins, partitions."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Any

from docs.examples.experiment_metrics.facets import facet
from docs.examples.experiment_metrics.story import CODE, JOINED, LAKE, NEW_COLUMN, TABLES, WEBSITE

_COLUMN = re.compile(r"(\w+)\.(\w+)")
_SPEC = "https://openlineage.io/spec/facets"
_SUBSET = f"{_SPEC}/1-0-0/BaseSubsetDatasetFacet.json#/$defs/"


def read_table(name: str, day: date, partitions: Iterable[dict[str, str]]) -> dict[str, Any]:
    """Return a table as an input, of which some partitions are read."""
    condition = _condition(partitions)
    subset = facet(f"{_SUBSET}InputSubsetInputDatasetFacet", inputCondition=condition)
    return _table(name, day) | {"inputFacets": {"subset": subset}}


def written_table(
    name: str, day: date, partitions: Iterable[dict[str, str]], rows: int
) -> dict[str, Any]:
    """Return a table as an output, with the partitions written and where its columns come from."""
    condition = _condition(partitions)
    facets = {
        "subset": facet(f"{_SUBSET}OutputSubsetOutputDatasetFacet", outputCondition=condition),
        "outputStatistics": facet(
            f"{_SPEC}/1-0-2/OutputStatisticsOutputDatasetFacet.json", rowCount=rows, size=64 * rows
        ),
    }
    table = _table(name, day)
    table["facets"]["columnLineage"] = _column_lineage(name, day)
    return table | {"outputFacets": facets}


def _table(name: str, day: date) -> dict[str, Any]:
    columns = [column.split() for column in _columns(name, day)]
    fields = [{"name": column, "type": kind} for column, kind in columns]
    schema = facet(f"{_SPEC}/1-2-0/SchemaDatasetFacet.json", fields=fields)
    space = _namespace(name)
    source = facet(f"{_SPEC}/1-0-1/DatasourceDatasetFacet.json", name=space, uri=space)
    return {"namespace": space, "name": name, "facets": {"schema": schema, "dataSource": source}}


def _columns(name: str, day: date) -> dict[str, str]:
    """Return the columns that a table has on a day, and what each is made from."""
    is_new = day >= max(CODE)
    return {c: made for c, made in TABLES[name].items() if is_new or c != NEW_COLUMN}


def _column_lineage(name: str, day: date) -> dict[str, Any]:
    fields = {
        column.split()[0]: {
            "inputFields": [_source(table, source, made) for table, source in sources]
        }
        for column, made in _columns(name, day).items()
        if (sources := _COLUMN.findall(made))
    }
    address = f"{_SPEC}/1-2-0/ColumnLineageDatasetFacet.json"
    joined = [_joined(column) for column in JOINED.get(name, ())]
    return facet(address, fields=fields, dataset=joined)


def _source(table: str, column: str, made: str) -> dict[str, Any]:
    kinds = {"count": "AGGREGATION", "sum": "AGGREGATION", "avg": "AGGREGATION"}
    kind = kinds.get(made.partition("(")[0], "TRANSFORMATION" if "(" in made else "IDENTITY")
    said = "" if kind == "IDENTITY" else _COLUMN.sub(r"\2", made)
    how = {"type": "DIRECT", "subtype": kind, "description": said, "masking": False}
    return _column(table, column, how)


def _joined(name: str) -> dict[str, Any]:
    table, column = name.split(".")
    how = {"type": "INDIRECT", "subtype": "JOIN", "description": "", "masking": False}
    return _column(table, column, how)


def _column(table: str, column: str, how: dict[str, Any]) -> dict[str, Any]:
    place = {"namespace": _namespace(table), "name": table, "field": column}
    return place | {"transformations": [how]}


def _namespace(table: str) -> str:
    return WEBSITE if table == "page_views" else LAKE


def _condition(partitions: Iterable[dict[str, str]]) -> dict[str, Any]:
    return {"type": "partition", "partitions": [{"dimensions": one} for one in partitions]}
