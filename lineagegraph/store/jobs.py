"""Jobs: their place in the hierarchy, and what feeds them and what they produce."""

from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class Namesake(msgspec.Struct, frozen=True):
    """A job under a parent that has the namespace and FQN that were asked for."""

    wanted_namespace: str
    wanted_name: str
    key: str
    namespace: str
    name: str
    simple_name: str
    fqn: str


class EmptyJob(msgspec.Struct, frozen=True):
    """A job that was deleted, and the parent that it had."""

    key: str
    parent_key: str | None


class ReportedFacts(msgspec.Struct, frozen=True):
    """What one run or declaration of a job reported, as JSON text."""

    job_key: str
    is_run: bool
    facts: str


@bound
def list_namesakes(tx: Transaction, *, names: list[dict[str, str]]) -> list[Namesake]: ...


@bound
def merge_jobs(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def set_reports(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def set_rebuilt(tx: Transaction, *, keys: list[str]) -> None: ...


@bound
def delete_feeds(tx: Transaction, *, keys: list[str]) -> None: ...


@bound
def delete_derivations(tx: Transaction, *, keys: list[str]) -> None: ...


@bound
def delete_empty(tx: Transaction, *, keys: list[str]) -> list[EmptyJob]: ...


@bound
def list_facts(tx: Transaction, *, keys: list[str]) -> list[ReportedFacts]: ...


@bound
def link_feeds(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_products(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def set_defined(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...
