"""The flow of tagged values along column lineage."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class FlowColumn(msgspec.Struct, frozen=True):
    """A column with its dataset; `source` is the key of the column before it, `job` made it."""

    key: str
    name: str
    namespace: str
    dataset: str
    source: str | None = None
    job: str | None = None


class ReachingTag(msgspec.Struct, frozen=True):
    """A watched tag, and the columns of a dataset that its values reach."""

    tag: str
    columns: tuple[str, ...]


class TagWatch(msgspec.Struct, frozen=True):
    """A watched tag, since when, and how many columns its values reach."""

    tag: str
    since: datetime
    columns: int


@bound
def list_tagged_columns(tx: Transaction, *, name: str, limit: int) -> list[FlowColumn]: ...


@bound
def list_values_passed(
    tx: Transaction, *, keys: list[str], known: list[str], limit: int
) -> list[FlowColumn]: ...


@bound
def set_watched(tx: Transaction, *, name: str, watched: bool, now: datetime | None) -> None: ...


@bound
def list_watched(tx: Transaction) -> list[str]: ...


@bound
def claim_reached(
    tx: Transaction, *, name: str, keys: list[str], now: datetime | None
) -> list[str]: ...


@bound
def list_reached(tx: Transaction, *, key: str) -> list[ReachingTag]: ...


@bound
def list_watches(tx: Transaction) -> list[TagWatch]: ...
