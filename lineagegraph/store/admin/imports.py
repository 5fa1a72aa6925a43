"""Imports: their progress, their events, and the facts of before."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.store.runs.events import ReceivedEvent


class Import(msgspec.Struct, frozen=True):
    """One import; the source is read from `after` on, without the first `offset` events."""

    id: str  # id of the import
    url: str  # address of the source server
    namespaces: list[str]  # imported namespaces; empty for all
    state: str  # RUNNING, DONE or UNDOING
    started_at: datetime  # start of the import, by the database's clock
    after: str  # event time (ISO 8601, UTC) from which the source is read on
    offset: int  # events from that time on that are already read
    events: int  # imported events that are linked to it
    refused: int  # events that were invalid or could not be stored


class Image(msgspec.Struct, frozen=True):
    """A run, declaration or dataset with its facts of now or before; `facts` is JSON text."""

    kind: str
    key: str
    namespace: str | None
    name: str | None
    facts: str | None


class UndoPosition(msgspec.Struct, frozen=True):
    """An event, by when it was received and its id."""

    after: str
    after_id: str


@bound
def merge_import(
    tx: Transaction,
    *,
    id: str,
    url: str,
    account: str | None,
    namespaces: list[str],
    since: str,
) -> Import: ...


@bound
def list_imports(tx: Transaction) -> list[Import]: ...


@bound
def set_position(
    tx: Transaction, *, id: str, after: str, offset: int, refused: list[str], most: int
) -> str | None: ...


@bound
def set_state(tx: Transaction, *, id: str, state: str) -> None: ...


@bound
def claim_list(tx: Transaction) -> None: ...


@bound
def claim_import(tx: Transaction, *, id: str) -> str | None: ...


@bound
def claim_all(tx: Transaction) -> datetime | None: ...


@bound
def list_known_events(tx: Transaction, *, ids: list[str]) -> list[str]: ...


@bound
def list_known_facets(tx: Transaction, *, hashes: list[str]) -> list[str]: ...


@bound
def link_events(
    tx: Transaction, *, import_id: str, known: list[str], own: list[str], facets: list[str]
) -> None: ...


@bound
def link_known(
    tx: Transaction,
    *,
    import_id: str,
    runs: list[str],
    declarations: list[str],
    datasets: list[str],
) -> None: ...


@bound
def link_new(
    tx: Transaction,
    *,
    import_id: str,
    runs: list[str],
    declarations: list[str],
    datasets: list[str],
) -> None: ...


@bound
def delete_events(tx: Transaction, *, id: str, limit: int) -> int: ...


@bound
def get_undo(tx: Transaction, *, id: str) -> UndoPosition | None: ...


@bound
def set_undo(tx: Transaction, *, id: str, after: str, after_id: str) -> None: ...


@bound
def list_received_of(
    tx: Transaction, *, run_ids: list[str], after: str, after_id: str, limit: int
) -> list[ReceivedEvent]: ...


@bound
def list_touching(
    tx: Transaction, *, runs: list[str], declarations: list[str], datasets: list[str]
) -> list[str]: ...


@bound
def list_images(
    tx: Transaction,
    *,
    import_id: str,
    runs: list[str],
    declarations: list[str],
    datasets: list[str],
) -> list[Image]: ...


@bound
def set_images(tx: Transaction, *, import_id: str, rows: list[dict[str, str]]) -> None: ...


@bound
def list_touched(tx: Transaction, *, import_id: str, limit: int) -> list[Image]: ...


@bound
def set_runs_back(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def set_datasets_back(tx: Transaction, *, datasets: list[str], declarations: list[str]) -> None: ...


@bound
def set_jobs_due(tx: Transaction, *, runs: list[str], declarations: list[str]) -> None: ...


@bound
def set_restored(
    tx: Transaction,
    *,
    import_id: str,
    runs: list[str],
    declarations: list[str],
    datasets: list[str],
) -> None: ...


@bound
def set_hidden(tx: Transaction, *, import_id: str, limit: int) -> int: ...


@bound
def delete_runs(tx: Transaction, *, import_id: str, limit: int) -> int: ...


@bound
def list_datasets(tx: Transaction, *, import_id: str, limit: int) -> list[Image]: ...


@bound
def delete_columns(tx: Transaction, *, import_id: str, rows: list[dict[str, Any]]) -> None: ...


@bound
def list_facets(tx: Transaction, *, import_id: str, limit: int) -> list[str]: ...


@bound
def delete_added(tx: Transaction, *, import_id: str, hashes: list[str]) -> None: ...


@bound
def delete_import(tx: Transaction, *, id: str, limit: int) -> int | None: ...


@bound
def merge_catalog(
    tx: Transaction,
    *,
    import_id: str,
    namespaces: list[dict[str, Any]],
    sources: list[dict[str, Any]],
    tags: list[dict[str, Any]],
) -> None: ...


@bound
def link_tags(
    tx: Transaction,
    *,
    import_id: str,
    jobs: list[dict[str, Any]],
    datasets: list[dict[str, Any]],
    fields: list[dict[str, Any]],
) -> None: ...


@bound
def delete_tagged(tx: Transaction, *, import_id: str, limit: int) -> int: ...


@bound
def delete_catalog(tx: Transaction, *, import_id: str, limit: int) -> int: ...
