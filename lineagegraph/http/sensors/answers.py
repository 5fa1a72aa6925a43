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

    id: Annotated[str, about("Id of the sensor.")]
    kind: Annotated[str, about("Kind of the sensor.")]
    fields: Annotated[RawObject, about("Poke fields of that kind.")]
    text: Annotated[str, about("The target in words.")]
    interval: Annotated[float | None, about("Seconds; null while no wait needs it.")]
    poke_backoff: Annotated[
        float, about("Factor of the interval after each poke that is not true.")
    ]
    max_poke_interval: Annotated[float, about("Most seconds that the interval grows to.")]
    created_at: Annotated[Timestamp | None, about("Time at which it was stored; null if unknown.")]
    poked_at: Annotated[Timestamp | None, about("Start of the last poke; null before the first.")]
    is_true: Annotated[bool | None, about("Last answer; null before the first.")]
    changed_at: Annotated[
        Timestamp | None, about("Time at which the answer last changed; null before the first.")
    ]
    errors: Annotated[int, about("Failed pokes since the last one without an error.")]
    error: Annotated[str | None, about("Error of the last poke; null if it answered.")]
    exclusive_reason: Annotated[
        str | None, about("Reason why each wait pokes it itself; null if it is shared.")
    ]
    cursor: Annotated[
        str | None,
        about("JSON text of the cursor behind its last new items; null without one."),
    ]
    cursor_at: Annotated[
        Timestamp | None, about("Time at which the cursor was set; null without one.")
    ]
    waits: Annotated[int, about("Open waits for it.")]
    watches: Annotated[int, about("Conditions of triggers and freshness terms that watch it.")]


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

    run_id: Annotated[Uuid, about("The run.")]
    root_run_id: Annotated[
        str | None, about("Executed run that contains it, or the run itself; null if unknown.")
    ]
    namespace: Annotated[str | None, about("Namespace of its job; null if unknown.")]
    job: Annotated[str | None, about("Full name of its job; null if unknown.")]
    state: Annotated[
        Literal["smart_pending", "smart_running", "up_for_retry", "success", "failed", "skipped"],
        about("State of the wait, by the names of Airflow's smart sensors."),
    ]
    outcome: Annotated[
        str | None,
        about("Null until it is settled: success, failed, skipped, cancelled or exclusive."),
    ]
    message: Annotated[str | None, about("Outcome or last failure in words; null before either.")]
    began_at: Annotated[Timestamp | None, about("Start of the wait; null if unknown.")]
    deadline: Annotated[
        Timestamp | None, about("Time at which all attempts are over; null if unknown.")
    ]
    settled_at: Annotated[Timestamp | None, about("Time of the outcome; null before it.")]
    attempt: Annotated[int, about("Number of the attempt, from 1.")]
    attempt_ends_at: Annotated[
        Timestamp | None, about("Time at which the attempt is over; null after the end.")
    ]
    log: Annotated[list[str], about("A line for each attempt and callback.")]
    terms: Annotated[WaitTermsAnswer, about("How long it lasts and how often it pokes.")]


class WaitAnswer(WaitingAnswer):
    """A run that waits, with its sensor."""

    sensor: Annotated[SensorAnswer, about("The sensor.")]


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

    process: Annotated[
        SensorProcessAnswer | None, about("Process that pokes it; null if there is none.")
    ]
    waiting: Annotated[
        list[WaitingAnswer], about("Runs that wait or waited for it, open waits first.")
    ]
    triggers: Annotated[list[SensorTriggerAnswer], about("Triggers that watch it.")]


class CursorAnswer(AnswerStruct):
    """The cursor of a sensor."""

    sensor: Annotated[str, about("Id of the sensor.")]
    cursor: Annotated[msgspec.Raw, about("Any JSON; null without a cursor.")]
    cursor_at: Annotated[
        Timestamp | None, about("Time at which the cursor was set; null without one.")
    ]


def cursor_answer(row: SensorRow) -> CursorAnswer:
    """Return the cursor of a sensor."""
    text = "null" if row.cursor is None else row.cursor
    return CursorAnswer(sensor=row.id, cursor=msgspec.Raw(text.encode()), cursor_at=row.cursor_at)


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
