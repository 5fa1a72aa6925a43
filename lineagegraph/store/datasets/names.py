"""Other names of datasets, and which datasets are the same by them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class Member(msgspec.Struct, frozen=True):
    """A dataset that names connect with the dataset `start`; `names` has the keys of its names."""

    start: str
    key: str
    namespace: str
    name: str
    names: tuple[str, ...]


class ShownName(msgspec.Struct, frozen=True):
    """A dataset with several names, and the one that stands for all of them, by key."""

    key: str
    shown: str


@bound
def list_next(tx: Transaction, *, keys: list[str]) -> list[str]: ...


@bound
def list_same(tx: Transaction, *, key: str) -> list[str]: ...


@bound
def list_shown(tx: Transaction, *, keys: list[str]) -> list[ShownName]: ...


def shown_names(tx: Transaction, keys: Iterable[str]) -> dict[str, str]:
    """Return for each of these datasets the key of the one that stands for all its names."""
    shown = {key: key for key in keys}
    return shown | {name.key: name.shown for name in list_shown(tx, keys=sorted(shown))}


@bound
def list_members(tx: Transaction, *, keys: list[str], limit: int) -> list[Member]: ...


@bound
def link_names(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def set_unjudged(tx: Transaction, *, keys: list[str], now: datetime | None) -> None: ...


@bound
def set_same(
    tx: Transaction, *, rows: list[dict[str, str | None]], pairs: list[dict[str, str]]
) -> None: ...
