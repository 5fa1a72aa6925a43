"""Runs that are marked by hand."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class MarkableRun(msgspec.Struct, frozen=True):
    """A run with its own name; `facts` is JSON text, `is_open` whether it is queued or claimed."""

    id: str
    namespace: str | None
    name: str | None
    facts: str | None
    is_open: bool
    now: datetime


@bound
def claim_ended(tx: Transaction, *, id: str, now: datetime | None) -> MarkableRun | None: ...


@bound
def set_acknowledged(
    tx: Transaction, *, id: str, author: str | None, note: str | None, now: datetime | None
) -> str | None: ...
