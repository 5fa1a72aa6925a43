"""Declarations: facts of job events, apart from any run."""

from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.store.runs.runs import KnownFacts


class KnownDeclaration(msgspec.Struct, frozen=True):
    """A declaration in the graph; `facts` is JSON text."""

    key: str
    facts: str | None
    job_key: str | None


class StrayDeclaration(msgspec.Struct, frozen=True):
    """A declaration whose job would be another now."""

    key: str
    namespace: str
    name: str
    job_key: str | None


@bound
def merge_declarations(tx: Transaction, *, keys: list[str]) -> list[KnownDeclaration]: ...


@bound
def set_declarations(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_jobs(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def list_facts(tx: Transaction, *, keys: list[str]) -> list[KnownFacts]: ...


@bound
def list_stray(tx: Transaction, *, keys: list[str]) -> list[StrayDeclaration]: ...
