"""Clusters that were made for runs, and have to be removed."""

from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction, bound


class Removal(msgspec.Struct, frozen=True):
    """A cluster that is to be removed, and how; `settings`, `created` and `destroy` are JSON."""

    id: str  # id of the cluster's record
    name: str  # name of the cluster in its batch
    run_id: str  # id of the run that it was made for
    batch: str  # name of the pipeline
    settings: str  # JSON text of its Spark configuration
    created: str  # JSON text of the Spark settings that its creation returned
    destroy: str  # JSON text of the command or function that removes it
    source: str  # SHA-256 of the packed files of the run's version
    root: str  # absolute path of the project
    tries: int  # removals that were tried, with this one
    namespace: str  # namespace of the pipeline
    now: datetime  # time of the claim, by the database's clock


class LeftCluster(msgspec.Struct, frozen=True):
    """A cluster that could not be removed yet."""

    name: str
    run_id: str
    batch: str
    tries: int
    error: str
    next_at: datetime


@bound
def merge_cluster(
    tx: Transaction,
    *,
    id: str,
    run_id: str,
    fence: int,
    name: str,
    namespace: str,
    batch: str,
    settings: str,
    destroy: str,
    source: str,
    root: str,
    now: datetime | None,
) -> None: ...


@bound
def set_created(tx: Transaction, *, id: str, created: str) -> None: ...


@bound
def delete_cluster(tx: Transaction, *, id: str) -> None: ...


@bound
def due_removals(tx: Transaction, *, now: datetime | None) -> list[str]: ...


@bound
def claim_removal(
    tx: Transaction, *, id: str, lease: timedelta, now: datetime | None
) -> Removal | None: ...


@bound
def settle_failed(
    tx: Transaction, *, id: str, error: str, delay: timedelta, now: datetime | None
) -> None: ...


@bound
def list_left(tx: Transaction) -> list[LeftCluster]: ...
