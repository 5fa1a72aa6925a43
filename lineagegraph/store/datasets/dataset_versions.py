"""Versions of datasets: the output of one run to each."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class DatasetVersionRow(msgspec.Struct, frozen=True):
    """A version of a dataset, with the run that wrote it and the tags of the dataset.

    `version` is the producer's word for it, `schema` the hash of the facet with its columns. One
    that is not written is of a run that is not complete.
    """

    key: str
    dataset: str
    namespace: str
    name: str
    created_at: datetime | None
    is_written: bool
    version: str | None
    run: str | None
    schema: str | None
    tags: tuple[str, ...]


class ReportRow(msgspec.Struct, frozen=True):
    """An event of a run; `body` is JSON text with facets by hash."""

    run: str
    body: str


@bound
def list_keys(tx: Transaction, *, key: str, limit: int, offset: int) -> list[str]: ...


@bound
def count_keys(tx: Transaction, *, key: str) -> int: ...


@bound
def list_versions(tx: Transaction, *, keys: list[str]) -> list[DatasetVersionRow]: ...


@bound
def list_reports(tx: Transaction, *, ids: list[str], limit: int) -> list[ReportRow]: ...
