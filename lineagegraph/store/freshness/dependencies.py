"""Dependencies between jobs, with their terms."""

from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class DependencyJob(msgspec.Struct, frozen=True):
    """The job that a dependency names; it is known unless it was only ever named.

    `candidates` are the full names of several jobs that have the simple name.
    """

    namespace: str
    fqn: str
    key: str | None
    full_name: str | None
    is_known: bool
    candidates: list[str]


class Awaited(msgspec.Struct, frozen=True):
    """A job, and one that it waits for."""

    key: str
    namespace: str
    fqn: str
    next_key: str
    next_namespace: str
    next_fqn: str


class StatedJob(msgspec.Struct, frozen=True):
    """A job, and the definition of the pipeline that it is in, as JSON text."""

    namespace: str
    fqn: str
    definition: str
    is_withdrawn: bool


class RemovedJob(msgspec.Struct, frozen=True):
    """A job that no definition states any more, and the pipeline that had it."""

    key: str
    pipeline: str
    is_withdrawn: bool


@bound
def delete_parents(tx: Transaction, *, keys: list[str]) -> list[str]: ...


@bound
def link_parents(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def list_named(tx: Transaction, *, rows: list[dict[str, str]]) -> list[DependencyJob]: ...


@bound
def walk_awaited(tx: Transaction, *, keys: list[str]) -> list[Awaited]: ...


@bound
def list_stated(tx: Transaction, *, rows: list[dict[str, str]]) -> list[StatedJob]: ...


@bound
def list_removed(tx: Transaction, *, keys: list[str]) -> list[RemovedJob]: ...
