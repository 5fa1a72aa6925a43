"""Acknowledge the failure of a run, with a note."""

from datetime import datetime

from lineagegraph.errors import MarkRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.actor import this_person
from lineagegraph.runs.mark import checked_author, checked_note
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.runs import marks


def acknowledge_run(
    graph: Graph,
    run_id: str,
    note: str | None = None,
    *,
    author: str | None = None,
    now: datetime | None = None,
) -> None:
    """Record that somebody has seen a failure; a second time replaces author and note.

    Raises `MarkRefused` for a run that did not fail.
    """
    who = checked_author(author or this_person())
    text = checked_note(note) if note else None
    graph.write(_set, run_id, who, text, now)


def unacknowledge_run(graph: Graph, run_id: str) -> None:
    """Take the acknowledgement of a failure back."""
    graph.write(_set, run_id, None, None, None)


def _set(
    tx: Transaction, run_id: str, author: str | None, note: str | None, now: datetime | None
) -> None:
    state = marks.set_acknowledged(tx, id=run_id, author=author, note=note, now=now)
    if state is None:
        raise MarkRefused(
            f"run {run_id} is no failure: only FAILED and KILLED runs are acknowledged"
        )
    action = "run.acknowledge" if author else "run.unacknowledge"
    audit(tx, action, run_id, before={"state": state}, after={"author": author, "note": note})
