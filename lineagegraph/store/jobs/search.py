"""Jobs and datasets by a part of a name, or by words in their facets and tags."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class SearchRow(msgspec.Struct, frozen=True):
    """A job, by FQN, or a dataset; `top_namespace` is that of a job's topmost ancestor."""

    key: str
    namespace: str
    top_namespace: str
    name: str
    updated_at: datetime | None


class PlaceRow(msgspec.Struct, frozen=True):
    """A job or dataset with a text in a facet of this name, or in an attached tag (`tags`)."""

    key: str
    place: str


@bound
def list_described(tx: Transaction, *, words: str, limit: int) -> list[PlaceRow]: ...


@bound
def list_tagged(tx: Transaction, *, text: str, limit: int) -> list[PlaceRow]: ...


@bound
def list_jobs(tx: Transaction, *, text: str, also: list[str]) -> list[SearchRow]: ...


@bound
def list_datasets(
    tx: Transaction, *, text: str, also: list[str], columns: bool
) -> list[SearchRow]: ...
