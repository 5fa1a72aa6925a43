"""Runs: their facts, their place in the hierarchy, and what they read and wrote."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.names import JobName
from lineagegraph.model.states import RunState


class KnownRun(msgspec.Struct, frozen=True):
    """What the graph knows of a run; `facts` is JSON text."""

    id: str
    facts: str | None
    state: RunState
    job_key: str | None


class FamilyRun(msgspec.Struct, frozen=True):
    """A run with its own name, its parent, and the jobs that both are in.

    An adopted run is in its job because of its name alone, without a parent.
    """

    id: str
    namespace: str
    name: str
    job_key: str | None
    adopted: bool
    parent_id: str | None
    parent_job: JobName | None


@bound
def merge_runs(tx: Transaction, *, ids: list[str]) -> list[KnownRun]: ...


@bound
def set_runs(tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None) -> None: ...


@bound
def link_parents(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def list_family(tx: Transaction, *, ids: list[str]) -> list[FamilyRun]: ...


@bound
def list_adopted(tx: Transaction, *, keys: list[str]) -> list[str]: ...


@bound
def link_jobs(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_facets(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_versions(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_inputs(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_outputs(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...
