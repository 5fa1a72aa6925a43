"""Runs: their facts, their place in the hierarchy, and their uses of datasets."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.jobs.jobs import PlacedJob


class KnownRun(msgspec.Struct, frozen=True):
    """A run in the graph, and its job; `facts` is JSON text."""

    id: str
    facts: str | None
    state: RunState
    job: PlacedJob | None


class KnownFacts(msgspec.Struct, frozen=True):
    """The facts of a run or declaration, as JSON text."""

    id: str
    facts: str


class PlacedRun(msgspec.Struct, frozen=True):
    """A run with its own name, its parent, and the jobs that both are in.

    An adopted run is in its job because of its name alone, without a parent; one on a cycle of
    parents has none that counts.
    """

    id: str  # id of the run
    namespace: str  # namespace that its producer gives it
    name: str  # name that its producer gives it
    job_key: str | None  # key of its job; None before it has one
    adopted: bool  # whether it is in its job because of its name alone
    parent_id: str | None  # id of its parent; None without one
    parent_job: PlacedJob | None  # job of the parent; None without one
    on_cycle: bool = False  # whether it is among its own ancestors


class ChildRun(msgspec.Struct, frozen=True):
    """A run and its parent."""

    parent_id: str
    id: str


class RunOnCycle(msgspec.Struct, frozen=True):
    """A run on a cycle of parents, its parent, and its job."""

    id: str
    parent_id: str
    namespace: str
    job: str


class ToldRun(msgspec.Struct, frozen=True):
    """A run, and the namespace that it gives its job."""

    id: str
    namespace: str


class Unsettled(msgspec.Struct, frozen=True):
    """A run whose children, those with ids after `after`, are still to be moved.

    `after` is None if another transaction has just moved them; `id` too, if it deleted the run.
    """

    id: str | None
    after: str | None


class Concerned(msgspec.Struct, frozen=True):
    """The kinds of conditions that runs may concern; `hops` is the longest reach upstream.

    `waits` is whether some wait for a sensor.
    """

    statuses: bool
    writes: bool
    reruns: bool
    waits: bool
    hops: int


@bound
def merge_runs(tx: Transaction, *, ids: list[str]) -> list[KnownRun]: ...


@bound
def set_runs(
    tx: Transaction,
    *,
    facets: list[dict[str, Any]],
    runs: list[dict[str, Any]],
    parents: list[dict[str, Any]],
    links: list[dict[str, Any]],
    follows: list[dict[str, Any]],
    versions: list[dict[str, Any]],
    events: list[dict[str, Any]],
    is_news: bool,
    now: datetime | None,
) -> list[str]: ...


@bound
def list_facts(tx: Transaction, *, ids: list[str]) -> list[KnownFacts]: ...


@bound
def list_placed(tx: Transaction, *, ids: list[str]) -> list[PlacedRun]: ...


@bound
def list_next_above(tx: Transaction, *, ids: list[str]) -> list[ChildRun]: ...


@bound
def set_on_cycle(tx: Transaction, *, ids: list[str]) -> None: ...


@bound
def set_off_cycle(tx: Transaction, *, ids: list[str]) -> None: ...


@bound
def list_on_cycles(tx: Transaction, *, limit: int) -> list[RunOnCycle]: ...


@bound
def list_children(tx: Transaction, *, rows: list[dict[str, Any]], limit: int) -> list[ChildRun]: ...


@bound
def list_adopted(tx: Transaction, *, keys: list[str], limit: int) -> list[str]: ...


@bound
def list_told_elsewhere(tx: Transaction, *, ids: list[str], mine: list[str]) -> list[ToldRun]: ...


@bound
def claim_unsettled(tx: Transaction) -> Unsettled | None: ...


@bound
def set_unsettled(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def settle_judged(
    tx: Transaction, *, run_ids: list[str], now: datetime | None
) -> Concerned | None: ...


@bound
def due_unjudged(tx: Transaction, *, most: int) -> list[str]: ...


@bound
def link_jobs(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def delete_uses(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_uses(
    tx: Transaction, *, inputs: list[dict[str, Any]], outputs: list[dict[str, Any]]
) -> None: ...
