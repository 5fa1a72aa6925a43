"""Nodes that a namespace and a name in a URL may mean."""

import msgspec

from lineagegraph.graph import Transaction, bound


class AddressedJob(msgspec.Struct, frozen=True):
    """A job that was perhaps asked for; `name` is its FQN, `namespace` its own."""

    asked_namespace: str
    asked_name: str
    key: str
    namespace: str
    name: str
    top_namespace: str


@bound
def list_addressed_jobs(tx: Transaction, *, rows: list[dict[str, str]]) -> list[AddressedJob]: ...


@bound
def list_twins(tx: Transaction, *, keys: list[str], inherit: bool) -> list[str]: ...


@bound
def list_addressed_datasets(tx: Transaction, *, keys: list[str]) -> list[str]: ...
