"""Past occurrences for a rule that did not exist then."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class PastOccurrence(msgspec.Struct, frozen=True):
    """Something that happened for a condition; a rule would have been asked at `judged_at`.

    `subject`, `part` and the payload are as in `store.occurrences.Due`; `name` is the job's, the
    dataset's or the event's, `job` that of the job whose run it was.
    """

    condition_id: str
    subject: str
    subject_id: str
    name: str
    simple_name: str | None
    job: str | None
    run_id: str | None
    status: str
    occurred_at: str
    judged_at: str
    part: str | None
    partition: str | None
    params: str | None
    emitted: str | None


class PreviewJob(msgspec.Struct, frozen=True):
    """The job that has the name that a condition waits for."""

    condition_id: str
    job_key: str


@bound
def list_jobs(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[PreviewJob]: ...


@bound
def list_feeding(tx: Transaction, *, keys: list[str]) -> list[str]: ...


@bound
def list_ends(
    tx: Transaction, *, rows: list[dict[str, Any]], since: datetime, until: datetime, most: int
) -> list[PastOccurrence]: ...


@bound
def list_writes(
    tx: Transaction, *, rows: list[dict[str, Any]], since: datetime, until: datetime, most: int
) -> list[PastOccurrence]: ...


@bound
def list_events(
    tx: Transaction, *, rows: list[dict[str, Any]], since: datetime, until: datetime, most: int
) -> list[PastOccurrence]: ...
