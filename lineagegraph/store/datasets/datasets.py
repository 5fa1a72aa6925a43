"""Datasets and their facts."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class KnownDataset(msgspec.Struct, frozen=True):
    """A dataset in the graph; `facts` is JSON text."""

    key: str
    facts: str | None


class UsedDataset(msgspec.Struct, frozen=True):
    """A dataset, how many jobs read and write it, and when they last did."""

    key: str
    namespace: str
    name: str
    readers: int
    read_at: datetime | None
    writers: int
    written_at: datetime | None


@bound
def merge_datasets(
    tx: Transaction, *, rows: list[dict[str, Any]], shown_by: str | None
) -> list[KnownDataset]: ...


@bound
def set_datasets(
    tx: Transaction, *, datasets: list[dict[str, Any]], links: list[dict[str, Any]]
) -> None: ...


@bound
def list_uses(tx: Transaction) -> list[UsedDataset]: ...
