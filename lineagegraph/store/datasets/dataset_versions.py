"""Versions of datasets: the output of one run to each."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class DatasetVersionRow(msgspec.Struct, frozen=True):
    """A version of a dataset, with the run that wrote it and the tags of the dataset.

    `version` is the producer's word for it, `schema` the hash of the facet with its columns. One
    that is not written is of a run that is not complete.
    """

    key: str  # key of the version
    dataset: str  # key of the dataset
    namespace: str  # namespace of the dataset
    name: str  # name of the dataset
    # time of the write, or of its last report if it does not count; None if unknown
    created_at: datetime | None
    is_written: bool  # whether it counts as written
    version: str | None  # version as the producer names it; None if it names none
    run: str | None  # id of the run that wrote it; None if unknown
    schema: str | None  # hash of the facet with its columns; None if none was reported
    tags: tuple[str, ...]  # tags of the dataset


class StatedRow(msgspec.Struct, frozen=True):
    """A dataset with its reported facts as JSON text, and its tags."""

    dataset: str
    namespace: str
    name: str
    facts: str
    tags: tuple[str, ...]


class ReportRow(msgspec.Struct, frozen=True):
    """An event of a run; `body` is JSON text with facets by hash."""

    run: str
    body: str


class UseReportRow(msgspec.Struct, frozen=True):
    """An event of a run, and the JSON paths of its claims; `body` has facets by hash."""

    run: str
    body: str
    claims: tuple[str, ...]


class LastUsesRow(msgspec.Struct, frozen=True):
    """The run that wrote a dataset's last version, and the runs that read it since, newest last."""

    key: str
    writer: str | None
    readers: tuple[str, ...]


@bound
def list_keys(tx: Transaction, *, key: str, limit: int, offset: int) -> list[str]: ...


@bound
def list_keys_of_same(
    tx: Transaction, *, keys: list[str], limit: int, offset: int
) -> list[str]: ...


@bound
def count_keys(tx: Transaction, *, keys: list[str]) -> int: ...


@bound
def list_stated(tx: Transaction, *, keys: list[str]) -> list[StatedRow]: ...


@bound
def list_versions(tx: Transaction, *, keys: list[str]) -> list[DatasetVersionRow]: ...


@bound
def list_reports(tx: Transaction, *, ids: list[str], limit: int) -> list[ReportRow]: ...


@bound
def list_use_reports(tx: Transaction, *, ids: list[str], limit: int) -> list[UseReportRow]: ...


@bound
def list_last_uses(tx: Transaction, *, keys: list[str], limit: int) -> list[LastUsesRow]: ...
