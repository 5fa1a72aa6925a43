"""Lineage between runs."""

from lineagegraph.graph import Transaction, bound


@bound
def list_readers(tx: Transaction, *, keys: list[str], limit: int) -> list[str]: ...


@bound
def list_partition_readers(tx: Transaction, *, keys: list[str], limit: int) -> list[str]: ...


@bound
def list_below(tx: Transaction, *, id: str, limit: int) -> list[str]: ...
