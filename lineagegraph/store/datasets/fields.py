"""Columns of datasets and their sources."""

from typing import Any

from lineagegraph.graph import Transaction, bound


@bound
def merge_fields(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def set_current(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_derivations(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_sets(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...
