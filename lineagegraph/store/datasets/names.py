"""Other names of datasets, and which datasets are the same by them."""

from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class StatedName(msgspec.Struct, frozen=True):
    """A dataset that another has as its other name, by key, and the first time of that."""

    key: str
    at: str


class Member(msgspec.Struct, frozen=True):
    """A dataset that names connect with the dataset `start`, by key."""

    start: str
    key: str
    namespace: str
    name: str
    names: tuple[StatedName, ...]


@bound
def list_next(tx: Transaction, *, keys: list[str]) -> list[str]: ...


@bound
def list_members(tx: Transaction, *, keys: list[str], limit: int) -> list[Member]: ...


@bound
def claim_members(tx: Transaction, *, keys: list[str]) -> None: ...


@bound
def link_names(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def set_same(
    tx: Transaction, *, rows: list[dict[str, str | None]], pairs: list[dict[str, str]]
) -> None: ...
