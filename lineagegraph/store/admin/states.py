"""The states of things of each kind, as far as the audit log shows them."""

from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class ThingState(msgspec.Struct, frozen=True):
    """The state of a thing in the graph."""

    key: str
    state: dict[str, Any]


@bound
def claim_namespaces(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_sources(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_tags(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_tokens(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_variables(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_pools(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_skips(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_freshness(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_triggers(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_jobs(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_datasets(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_paths(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_tagged(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


@bound
def claim_pipelines(tx: Transaction, *, keys: list[str]) -> list[ThingState]: ...


CLAIMS = {
    "namespace": claim_namespaces,
    "source": claim_sources,
    "tag": claim_tags,
    "token": claim_tokens,
    "variable": claim_variables,
    "pool": claim_pools,
    "skip": claim_skips,
    "freshness": claim_freshness,
    "trigger": claim_triggers,
    "job": claim_jobs,
    "dataset": claim_datasets,
    "path": claim_paths,
    "tags": claim_tagged,
    "pipeline": claim_pipelines,
}
"""What locks the things of a kind and returns their states, one statement each: quick to plan."""
