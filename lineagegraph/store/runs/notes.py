"""Notes by which people annotate runs."""

from datetime import datetime

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.runs.note import RunNote


@bound
def merge_note(
    tx: Transaction, *, id: str, run_id: str, text: str, author: str, now: datetime | None
) -> str | None: ...


@bound
def list_notes(tx: Transaction, *, run_id: str) -> list[RunNote]: ...
