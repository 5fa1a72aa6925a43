"""Data sources: created ones, and those that datasets name."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class SourceRow(msgspec.Struct, frozen=True):
    """A data source."""

    name: str
    type: str
    connection_url: str
    description: str | None
    created_at: datetime
    updated_at: datetime


class SaidSource(msgspec.Struct, frozen=True):
    """The facets of datasets about their source, as JSON text."""

    body: str | None
    first_seen: datetime | None
    last_seen: datetime | None


@bound
def merge_source(
    tx: Transaction,
    *,
    name: str,
    type: str,
    connection_url: str,
    description: str | None,
    now: datetime | None,
) -> None: ...


@bound
def list_sources(tx: Transaction) -> list[SourceRow]: ...


@bound
def list_said(tx: Transaction) -> list[SaidSource]: ...
