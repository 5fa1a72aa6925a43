"""Past occurrences for a rule that did not exist then."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.verdicts import TimedVerdict


class PastOccurrence(msgspec.Struct, frozen=True):
    """Something that happened for a condition; a rule would have been asked at `judged_at`.

    `subject`, `part` and the payload are as in `store.occurrences.Due`; `name` is the job's, the
    dataset's or the event's, `job` that of the job whose run it was.
    """

    condition_id: str  # id of the condition
    subject: str  # kind of subject: `run`, `version` or `event`
    subject_id: str  # id of the run or event, or key of the dataset version
    name: str  # full name of the job, or name of the dataset or event
    simple_name: str | None  # last part of the name of the run's job; None for events
    job: str | None  # full name of the run's job; None for events
    run_id: str | None  # id of the run that ended or wrote the version; None for events
    status: str  # state of the run, WRITTEN, or SAID for an event
    occurred_at: str  # time of the occurrence (ISO 8601)
    judged_at: str  # time at which the rule would have been evaluated (ISO 8601)
    part: str | None  # key by which occurrences are told apart if several are needed
    partition: str | None  # partition of the run or version; None without one
    params: str | None  # JSON text of the run's parameters or the event's payload; None without any
    emitted: str | None  # JSON text of the values that the run emitted; None without any
    # JSON text of the values of standard facets of the run; None without any
    reported: str | None = None
    # OpenLineage statistics of the written version, by name; None if it is no version
    written: dict[str, int | None] | None = None
    judge: str | None = None  # id of the run whose verdict made a version pass later


class PastTest(msgspec.Struct, frozen=True):
    """A dataset version for a condition that asks for quality, with the verdicts about it.

    `awaited` are the assertions about the version before it.
    """

    occurrence: PastOccurrence
    verdicts: tuple[TimedVerdict, ...]
    awaited: tuple[str, ...]


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
def list_tested(
    tx: Transaction, *, rows: list[dict[str, Any]], since: datetime, until: datetime, most: int
) -> list[PastTest]: ...


@bound
def list_events(
    tx: Transaction, *, rows: list[dict[str, Any]], since: datetime, until: datetime, most: int
) -> list[PastOccurrence]: ...


class RuleRow(msgspec.Struct, frozen=True):
    """An enabled trigger with its rule (JSON), and the job that it starts."""

    id: str  # id of the trigger
    name: str | None  # its name; None without one
    rule: str  # its rule as JSON
    job_key: str  # key of the job that it starts
    job: str  # full name of that job
    namespace: str  # namespace of that job
    enabled_at: datetime | None  # since when it is enabled; None if unknown
    fired_at: datetime | None  # time of its latest firing; None without one


class UsualRow(msgspec.Struct, frozen=True):
    """How long runs of a job usually take, in seconds, and what it has below it and writes."""

    key: str
    seconds: float | None
    jobs: list[str]
    datasets: list[str]


@bound
def list_rules(tx: Transaction, *, limit: int) -> list[RuleRow]: ...


@bound
def list_usual(tx: Transaction, *, keys: list[str]) -> list[UsualRow]: ...
