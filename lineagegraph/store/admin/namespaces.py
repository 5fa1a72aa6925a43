"""Namespaces that people created, and whether there is one of a name."""

from datetime import datetime

from lineagegraph.graph import Transaction, bound


@bound
def merge_namespace(
    tx: Transaction, *, name: str, owner: str, description: str | None, now: datetime | None
) -> None: ...


@bound
def get_name(tx: Transaction, *, name: str) -> str | None: ...
