"""Readers of a dataset or a column, those that make nothing of it too."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.queries.find.find import find_column, find_node_or_column
from lineagegraph.queries.lineage.impact import read_impact
from lineagegraph.store.lineage.lineage import ReaderRow, list_readers


class DatasetReader(msgspec.Struct, frozen=True):
    """A job that reads a dataset.

    `use` is `makes columns` or `filters or joins` of a column that it is known to use, else
    `reads the dataset`: which columns it reads was not reported.
    """

    namespace: str
    name: str
    use: str
    outputs: int
    last_seen: datetime | None


def find_readers(graph: Graph, text: str) -> list[DatasetReader]:
    """Return the readers of a dataset or of `DATASET#COLUMN`, those that use the column first."""
    found = find_node_or_column(graph, text)
    column = find_column(graph, text) if found.column else None
    return read_readers(graph, found.node.key, column)


def read_readers(graph: Graph, key: str, column: str | None = None) -> list[DatasetReader]:
    """Return the readers of the dataset of a key; `column` is the key of one of it."""
    direct: dict[str, bool] = {}
    if column is not None:
        direct = {one.job.key: one.direct for one in read_impact(graph, column).jobs}
    rows = graph.read(list_readers, key=key)
    found = [_reader(row, direct) for row in rows]
    return sorted(found, key=lambda one: one.use == _UNKNOWN)


_UNKNOWN = "reads the dataset"


def _reader(row: ReaderRow, direct: dict[str, bool]) -> DatasetReader:
    use = {True: "makes columns", False: "filters or joins", None: _UNKNOWN}[direct.get(row.key)]
    return DatasetReader(row.namespace, row.name, use, row.outputs, row.last_seen)


def describe_reader(one: DatasetReader) -> str:
    """Return a reader in one line."""
    made = "" if one.outputs else ", makes nothing"
    return f"{one.name}: {one.use}{made}"
