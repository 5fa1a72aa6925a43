"""Nodes that a typed name may mean."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class NamedJob(msgspec.Struct, frozen=True):
    """A job that a name may mean; `name` is its FQN."""

    key: str
    namespace: str
    name: str
    kind: str | None
    rank: int
    namespaces_above: tuple[str, ...]

    @property
    def fqn(self) -> str:
        """The name."""
        return self.name


class NamedDataset(msgspec.Struct, frozen=True):
    """A dataset that a name may mean; `same_as` is common to all names of one dataset."""

    key: str
    namespace: str
    name: str
    rank: int
    same_as: str | None


class NamedRun(msgspec.Struct, frozen=True):
    """A run that a part of an id may mean."""

    id: str
    job_key: str | None
    name: str | None
    state: str | None


@bound
def list_namespaces_with_jobs(tx: Transaction, *, names: list[str]) -> list[str]: ...


@bound
def list_jobs_named(tx: Transaction, *, name: str) -> list[NamedJob]: ...


@bound
def list_datasets_named(tx: Transaction, *, name: str) -> list[NamedDataset]: ...


@bound
def list_runs_named(tx: Transaction, *, start: str, end: str | None) -> list[NamedRun]: ...


@bound
def list_job_names(tx: Transaction, *, limit: int) -> list[str]: ...


@bound
def list_dataset_names(tx: Transaction, *, limit: int) -> list[str]: ...


@bound
def list_pipelines(tx: Transaction, *, text: str, limit: int) -> list[NamedJob]: ...


@bound
def get_job_deletion(tx: Transaction, *, key: str) -> datetime | None: ...


@bound
def get_deletion(
    tx: Transaction, *, name: str, namespace: str | None, is_job: bool | None
) -> datetime | None: ...
