"""Versions of pipelines, with their content and source."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class EmitRow(msgspec.Struct, frozen=True):
    """A value that a task declares to emit; `task` is the task's path."""

    name: str
    type: str
    task: str


class PinRow(msgspec.Struct, frozen=True):
    """A pipeline that runs one version until it is released; `definition` is JSON text."""

    job_key: str  # key of its job
    namespace: str  # namespace of its job
    fqn: str  # full name of its job
    version: str  # hash of that version
    definition: str  # pipeline of that version as JSON text
    latest: str  # hash of the version that was read last
    at: datetime  # time at which it was pinned
    by: str  # who pinned it, as the audit log names them


class DefinitionRow(msgspec.Struct, frozen=True):
    """The current definition of a pipeline, as JSON text."""

    job_key: str
    definition: str


@bound
def merge_sources(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def merge_versions(
    tx: Transaction,
    *,
    rows: list[dict[str, Any]],
    token: str,
    now: datetime | None,
) -> list[str]: ...


@bound
def delete_replaced(tx: Transaction, *, rows: list[dict[str, str]]) -> int | None: ...


@bound
def set_current(tx: Transaction, *, rows: list[dict[str, str]], now: datetime | None) -> None: ...


@bound
def list_pins(tx: Transaction, *, keys: list[str]) -> list[PinRow]: ...


@bound
def list_all_pins(tx: Transaction) -> list[PinRow]: ...


@bound
def set_pinned(tx: Transaction, *, job_key: str, by: str, now: datetime | None) -> None: ...


@bound
def set_latest(tx: Transaction, *, rows: list[dict[str, str]]) -> None: ...


@bound
def release_pin(tx: Transaction, *, job_key: str) -> None: ...


@bound
def merge_tasks(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def merge_parts(
    tx: Transaction,
    *,
    parameters: list[dict[str, Any]],
    settings: list[dict[str, Any]],
    triggers: list[dict[str, Any]],
    conditions: list[dict[str, Any]],
    operands: list[dict[str, Any]],
    predicates: list[dict[str, Any]],
    constraints: list[dict[str, Any]],
    arguments: list[dict[str, Any]],
    dependencies: list[dict[str, Any]],
    clusters: list[dict[str, Any]],
) -> None: ...


@bound
def get_definition(tx: Transaction, *, job_key: str) -> str | None: ...


@bound
def list_emits(tx: Transaction, *, job_key: str) -> list[EmitRow]: ...


@bound
def list_definitions(tx: Transaction, *, keys: list[str]) -> list[DefinitionRow]: ...


@bound
def get_definition_named(tx: Transaction, *, namespace: str, fqn: str) -> str | None: ...


@bound
def set_git(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...
