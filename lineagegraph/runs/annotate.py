"""Annotate a run with a note."""

from datetime import datetime

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.actor import this_person
from lineagegraph.model.runs.ids import derived_id, new_id
from lineagegraph.runs.mark import checked_author, checked_note
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.runs import notes


def annotate_run(
    graph: Graph,
    run_id: str,
    note: str,
    *,
    author: str | None = None,
    key: str | None = None,
    now: datetime | None = None,
) -> None:
    """Add a note to a run in any state; earlier notes stay. Raises `MarkRefused` without text.

    A note that is sent again with the same idempotency key is added once.
    """
    said = {"text": checked_note(note), "author": checked_author(author or this_person())}
    id_ = derived_id(run_id, "note", key, *said.values()) if key else new_id()

    def work(tx: Transaction) -> None:
        if notes.merge_note(tx, id=id_, run_id=run_id, now=now, **said) is None:
            raise NotFound(f"no run {run_id!r}: `lineagegraph runs JOB` lists a job's runs")
        audit(tx, "run.annotate", run_id, after=said)

    graph.write(work)
