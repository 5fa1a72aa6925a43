"""Datasets with their columns, and the columns that these come from."""

from collections.abc import Mapping
from typing import NamedTuple

from lineagegraph.spark.dataset_names import DatasetName

Columns = Mapping[str, str]
"""Types by column."""


class DescribedData(NamedTuple):
    """A dataset and what is known of its columns."""

    name: DatasetName
    columns: Columns


class ColumnOrigin(NamedTuple):
    """A column that a written column comes from, and how, as OpenLineage names it."""

    dataset: DatasetName
    column: str
    subtype: str


Origins = Mapping[str, list[ColumnOrigin]]
"""Origins by written column."""
