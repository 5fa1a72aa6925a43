"""Terms of freshness of jobs and datasets, with their latest successes."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.freshness.standing import GRACE, Terms
from lineagegraph.model.freshness.terms import Counts, Freshness


class TermsRow(msgspec.Struct, frozen=True):
    """The terms of a node and its latest success; `stated` if its definition states them.

    `told` is the last notified state, for the latest success `told_last`.
    """

    key: str
    is_job: bool
    namespace: str
    name: str
    max_age: float | None
    since: str | None
    zone: str | None
    counts: Counts | None
    any_partition: bool
    grace: float | None
    awaits: str | None
    awaits_zone: str | None
    stated: bool
    set_at: datetime
    set_by: str | None
    last_at: datetime | None
    terms_key: str
    told: str | None
    told_last: datetime | None

    @property
    def terms(self) -> Terms:
        """The terms."""
        return Terms(
            freshness=Freshness(
                max_age=self.max_age,
                since=self.since,
                zone=self.zone,
                counts=self.counts,
                any_partition=self.any_partition,
            ),
            grace=GRACE if self.grace is None else self.grace,
            awaits=self.awaits,
            awaits_zone=self.awaits_zone,
        )


class NodeRow(msgspec.Struct, frozen=True):
    """A job or dataset, and the latest run of a job."""

    key: str
    is_job: bool
    namespace: str
    name: str
    run_id: str | None
    run_state: str | None
    run_at: datetime | None
    reason: str | None
    message: str | None


class UpstreamNodeRow(msgspec.Struct, frozen=True):
    """A node, and one that it depends on or is made from."""

    key: str
    upstream: str


def terms_properties(terms: Terms) -> dict[str, Any]:
    """Return terms as the graph has them."""
    fresh = terms.freshness
    return {
        "max_age": fresh.max_age,
        "since": fresh.since,
        "zone": fresh.zone,
        "counts": fresh.counts and fresh.counts.value,
        "any_partition": fresh.any_partition,
        "grace": terms.grace,
        "awaits": terms.awaits,
        "awaits_zone": terms.awaits_zone,
    }


@bound
def set_terms(
    tx: Transaction, *, key: str, terms: dict[str, Any], by: str, now: datetime | None
) -> None: ...


@bound
def delete_terms(tx: Transaction, *, key: str) -> str | None: ...


@bound
def set_stated(tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None) -> None: ...


@bound
def get_origin(tx: Transaction, *, key: str) -> bool | None: ...


@bound
def list_keys(tx: Transaction) -> list[str]: ...


@bound
def list_terms(tx: Transaction, *, keys: list[str]) -> list[TermsRow]: ...


@bound
def list_upstream(tx: Transaction, *, keys: list[str]) -> list[UpstreamNodeRow]: ...


@bound
def list_nodes(tx: Transaction, *, keys: list[str]) -> list[NodeRow]: ...


@bound
def claim_told(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[str]: ...
