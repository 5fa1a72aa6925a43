"""Sensors and waits as answers."""

from typing import Annotated, Any, Literal, TypeVar

import msgspec

from lineagegraph.http.plumbing.answers import (
    AnswerStruct,
    RawObject,
    Timestamp,
    Uuid,
    about,
    answer_from,
)
from lineagegraph.queries.sensors import SensorDetails, WhyWaits, describe_sensor
from lineagegraph.store.sensors.sensor_views import SensorRow, SensorWait

W = TypeVar("W", bound="WaitingAnswer")


class SensorAnswer(AnswerStruct):
    """A sensor."""

    id: str
    kind: str
    fields: RawObject
    text: str
    interval: Annotated[float | None, about("Seconds; null while no wait needs it.")]
    created_at: Timestamp | None
    poked_at: Timestamp | None
    is_true: bool | None
    changed_at: Timestamp | None
    errors: Annotated[int, about("Failed pokes since the last one without an error.")]
    error: str | None
    exclusive_reason: str | None
    waits: int
    watches: int


class WaitTermsAnswer(AnswerStruct):
    """How long a wait lasts and how often it pokes; times in seconds."""

    mode: str | None
    poke_interval: float | None
    timeout: float | None
    execution_timeout: float | None
    retries: int
    soft_fail: bool


class WaitingAnswer(AnswerStruct):
    """A run that waits for a sensor."""

    run_id: Uuid
    root_run_id: str | None
    namespace: str | None
    job: str | None
    state: Literal["smart_pending", "smart_running", "up_for_retry", "success", "failed", "skipped"]
    outcome: Annotated[
        str | None,
        about("Null until it is settled: success, failed, skipped, cancelled or exclusive."),
    ]
    message: str | None
    began_at: Timestamp | None
    deadline: Timestamp | None
    settled_at: Timestamp | None
    attempt: int
    attempt_ends_at: Timestamp | None
    log: list[str]
    terms: WaitTermsAnswer


class WaitAnswer(WaitingAnswer):
    """A run that waits, with its sensor."""

    sensor: SensorAnswer


class SensorProcessAnswer(AnswerStruct):
    """The process that pokes a sensor."""

    host: str
    pid: int


class SensorTriggerAnswer(AnswerStruct):
    """A trigger that watches a sensor."""

    name: str | None
    enabled: bool
    starts: str | None


class SensorDetailsAnswer(SensorAnswer):
    """A sensor with its waits, its triggers and the process that pokes it."""

    process: SensorProcessAnswer | None
    waiting: list[WaitingAnswer]
    triggers: list[SensorTriggerAnswer]


def sensor_answer(row: SensorRow) -> SensorAnswer:
    """Return a sensor."""
    return answer_from(SensorAnswer, row, **_own_fields(row))


def details_answer(found: SensorDetails) -> SensorDetailsAnswer:
    """Return a sensor with its waits and triggers."""
    holder = found.holder
    return answer_from(
        SensorDetailsAnswer,
        found.sensor,
        **_own_fields(found.sensor),
        process=answer_from(SensorProcessAnswer, holder) if holder else None,
        waiting=[_wait(WaitingAnswer, one) for one in found.waits],
        triggers=[answer_from(SensorTriggerAnswer, one) for one in found.watchers],
    )


def wait_answer(found: WhyWaits) -> WaitAnswer:
    """Return a wait with its sensor."""
    return _wait(WaitAnswer, found.wait, sensor=sensor_answer(found.sensor))


def _own_fields(row: SensorRow) -> dict[str, Any]:
    return {"fields": msgspec.Raw(row.fields.encode()), "text": describe_sensor(row)}


def _wait(kind: type[W], one: SensorWait, **more: Any) -> W:
    terms = answer_from(WaitTermsAnswer, one)
    return answer_from(kind, one, root_run_id=one.root_id, terms=terms, **more)
