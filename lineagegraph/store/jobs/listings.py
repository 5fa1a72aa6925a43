"""Which keys or ids a list has, a page at a time, and how many there are in all."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class KeyPage(msgspec.Struct, frozen=True):
    """A page of keys or ids, and how many there are in all."""

    keys: list[str]
    total: int


class LatestRun(msgspec.Struct, frozen=True):
    """A partition, as canonical JSON text, and the id of the latest run for it."""

    partition: str
    run: str


class MarkedDatasetRow(msgspec.Struct, frozen=True):
    """A dataset with the JSON texts of its facets of tags and owners.

    `tags` are those attached to it or to a column of it.
    """

    key: str
    tags: tuple[str, ...]
    tags_facet: str | None
    ownership: str | None


class JobTagsRow(msgspec.Struct, frozen=True):
    """A job with its attached tags, and the facts of job events as JSON text."""

    key: str
    tags: tuple[str, ...]
    declared: tuple[str, ...]


@bound
def list_namespaces(tx: Transaction, *, limit: int, offset: int) -> list[str]: ...


@bound
def count_namespaces(tx: Transaction) -> int: ...


@bound
def list_jobs(tx: Transaction, *, limit: int, offset: int) -> list[str]: ...


@bound
def count_jobs(tx: Transaction) -> int: ...


@bound
def list_jobs_in(tx: Transaction, *, namespace: str, limit: int, offset: int) -> list[str]: ...


@bound
def count_jobs_in(tx: Transaction, *, namespace: str) -> int: ...


@bound
def get_jobs_under(tx: Transaction, *, namespace: str, limit: int, offset: int) -> KeyPage: ...


@bound
def get_jobs_in_states(
    tx: Transaction,
    *,
    namespace: str | None,
    inherit: bool,
    states: list[str],
    limit: int,
    offset: int,
) -> KeyPage: ...


@bound
def list_child_jobs(tx: Transaction, *, key: str, limit: int, offset: int) -> list[str]: ...


@bound
def count_child_jobs(tx: Transaction, *, key: str) -> int: ...


@bound
def list_descendant_jobs(tx: Transaction, *, key: str, limit: int, offset: int) -> list[str]: ...


@bound
def count_descendant_jobs(tx: Transaction, *, key: str) -> int: ...


@bound
def list_runs(tx: Transaction, *, key: str, limit: int, offset: int) -> list[str]: ...


@bound
def count_runs(tx: Transaction, *, key: str) -> int: ...


@bound
def list_runs_in_states(
    tx: Transaction, *, key: str, states: list[str], limit: int, offset: int
) -> list[str]: ...


@bound
def count_runs_in_states(tx: Transaction, *, key: str, states: list[str]) -> int: ...


@bound
def list_all_runs(
    tx: Transaction,
    *,
    states: list[str],
    since: datetime | None,
    until: datetime | None,
    limit: int,
    offset: int,
) -> list[str]: ...


@bound
def count_all_runs(
    tx: Transaction, *, states: list[str], since: datetime | None, until: datetime | None
) -> int: ...


@bound
def list_child_runs(tx: Transaction, *, id: str, limit: int, offset: int) -> list[str]: ...


@bound
def count_child_runs(tx: Transaction, *, id: str) -> int: ...


@bound
def list_descendant_runs(tx: Transaction, *, id: str, limit: int, offset: int) -> list[str]: ...


@bound
def count_descendant_runs(tx: Transaction, *, id: str) -> int: ...


@bound
def list_partitions(tx: Transaction, *, key: str, limit: int, offset: int) -> list[LatestRun]: ...


@bound
def count_partitions(tx: Transaction, *, key: str) -> int: ...


@bound
def list_datasets(tx: Transaction, *, namespace: str, limit: int, offset: int) -> list[str]: ...


@bound
def count_datasets(tx: Transaction, *, namespace: str) -> int: ...


@bound
def list_all_datasets(tx: Transaction, *, limit: int, offset: int) -> list[str]: ...


@bound
def count_all_datasets(tx: Transaction) -> int: ...


@bound
def list_marked_datasets(tx: Transaction, *, keys: list[str]) -> list[MarkedDatasetRow]: ...


@bound
def list_job_tags(tx: Transaction, *, keys: list[str]) -> list[JobTagsRow]: ...
