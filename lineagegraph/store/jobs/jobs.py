"""Jobs: their place in the hierarchy, their inputs and outputs."""

from typing import Any, Self

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.names.keys import Alias, JobName, alias_key, canonical_json


class PlacedJob(msgspec.Struct, frozen=True):
    """A job as it is kept; each of `cuts` is JSON text."""

    key: str
    namespace: str
    name: str
    simple_name: str
    fqn: str
    cuts: list[str] | None = None

    @classmethod
    def of(cls, job: JobName) -> Self:
        """Return a job as it would be kept."""
        cuts = [canonical_json(cut) for cut in job.cuts]
        return cls(job.key, job.namespace, job.name, job.simple_name, job.fqn, cuts)

    @property
    def full_name(self) -> JobName:
        """The job as its parent places it."""
        cuts = tuple(Alias(*msgspec.json.decode(cut)) for cut in self.cuts or ())
        return JobName(self.key, self.namespace, self.name, self.simple_name, self.fqn, cuts)


class UndefinedJob(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A job that had neither a definition nor a run of its own; a new one was not in the graph."""

    key: str
    is_new: bool


class OutsideSpark(msgspec.Struct, frozen=True):
    """A job that is no part of a Spark application; `name` is its FQN."""

    key: str
    namespace: str
    name: str
    kind: str | None


class Namesake(msgspec.Struct, frozen=True):
    """A job under a parent that has the namespace and FQN that were asked for."""

    wanted_namespace: str
    wanted_name: str
    job: PlacedJob


class EmptyJob(msgspec.Struct, frozen=True):
    """A job that was deleted, and the parent that it had."""

    key: str
    parent_key: str | None


class ReportedFacts(msgspec.Struct, frozen=True):
    """The facts of one run or declaration of a job, as JSON text."""

    job_key: str
    is_run: bool
    facts: str


class UnsettledJob(msgspec.Struct, frozen=True):
    """A job with pending work, and its kind; None if another transaction has just done it.

    `key` is None if it deleted the job then.
    """

    key: str | None
    unsettled: str | None


class Successor(msgspec.Struct, frozen=True):
    """A job whose runs are in another now, and that one."""

    old_key: str
    new_key: str


class ColumnFacet(msgspec.Struct, frozen=True):
    """A column lineage facet, by hash, that a job reported of an output."""

    job_key: str
    dataset_key: str
    hash: str


def job_row(job: JobName, parent_key: str | None) -> dict[str, Any]:
    """Return the row that `merge_jobs` takes, and `merge_defined` with a kind."""
    return {
        "key": job.key,
        "namespace": job.namespace,
        "name": job.name,
        "simple_name": job.simple_name,
        "fqn": job.fqn,
        "cuts": [canonical_json(cut) for cut in job.cuts],
        "aliases": [alias._asdict() | {"key": alias_key(alias)} for alias in job.aliases],
        "parent_key": parent_key,
    }


@bound
def list_namesakes(tx: Transaction, *, names: list[dict[str, str]]) -> list[Namesake]: ...


@bound
def merge_jobs(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[str]: ...


@bound
def set_rebuilt(tx: Transaction, *, keys: list[str]) -> None: ...


@bound
def delete_flows(tx: Transaction, *, keys: list[str]) -> None: ...


@bound
def claim_unsettled(tx: Transaction) -> UnsettledJob | None: ...


@bound
def set_unsettled(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def list_replaced(tx: Transaction, *, keys: list[str]) -> list[Successor]: ...


@bound
def list_successors(tx: Transaction, *, keys: list[str]) -> list[Successor]: ...


@bound
def link_attached(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def delete_empty(tx: Transaction, *, keys: list[str]) -> list[EmptyJob]: ...


@bound
def due_spared(tx: Transaction, *, limit: int) -> list[str]: ...


@bound
def list_facts(tx: Transaction, *, keys: list[str]) -> list[ReportedFacts]: ...


@bound
def link_flows(
    tx: Transaction,
    *,
    facets: list[dict[str, Any]],
    reports: list[dict[str, Any]],
    feeds: list[dict[str, Any]],
    products: list[dict[str, Any]],
    shown_by: str | None,
) -> list[ColumnFacet]: ...


@bound
def link_orders(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def merge_defined(
    tx: Transaction, *, application: str, rows: list[dict[str, Any]]
) -> list[UndefinedJob]: ...


@bound
def list_outside_spark(tx: Transaction) -> list[OutsideSpark]: ...
