"""Datasets and what was reported of them."""

from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class KnownDataset(msgspec.Struct, frozen=True):
    """What the graph knows of a dataset; `facts` is JSON text."""

    key: str
    facts: str | None


@bound
def merge_datasets(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[KnownDataset]: ...


@bound
def set_datasets(
    tx: Transaction, *, datasets: list[dict[str, Any]], links: list[dict[str, Any]]
) -> None: ...
