"""Terms of freshness of jobs and datasets, with their latest successes."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.freshness.standing import GRACE, Terms
from lineagegraph.model.freshness.terms import Counts, Freshness


class ToldPart(msgspec.Struct, frozen=True):
    """The last notified state of one value of the partition key, for its success `told_last`."""

    value: str
    told: str | None
    told_last: datetime | None


class PartSuccess(msgspec.Struct, frozen=True):
    """The latest success of a value of the terms' partition key, by one of its partitions.

    Without a partition, it is that of the successes that count for all values.
    """

    key: str
    partition: str | None
    last_at: datetime


class TermsSensorRow(msgspec.Struct, frozen=True):
    """The sensor that answers when a source was last new."""

    id: str  # id of the sensor
    name: str  # name that people see
    poke_interval: float  # seconds between two pokes that the terms ask for
    is_timed: bool | None  # whether its last answer had a time; None before the first answer
    poked_at: datetime | None  # start of its last poke; None before the first
    error: str | None  # error of that poke; None if it answered
    failing_since: datetime | None  # start of the first poke without an answer; None if it answers


class TermsRow(msgspec.Struct, frozen=True):
    """The terms of a node and its latest success; `stated` if its definition states them.

    `told` is the last notified state, for the latest success `told_last`.
    """

    key: str  # key of the job or dataset
    is_job: bool  # whether it is a job
    namespace: str  # namespace of the job or dataset
    name: str  # full name of the job, or name of the dataset
    max_age: float | None  # seconds that a success stays fresh; None for no such limit
    since: str | None  # `day`, `hour` or a cron expression; None for no such limit
    zone: str | None  # time zone of `since`; None for the default
    counts: Counts | None  # time of a success that counts; None for its end
    any_partition: bool  # whether successes of other partitions count
    unchanged: bool  # whether an older success counts while its inputs have no newer version
    grace: float | None  # seconds from lapsed to stale; None for the default
    awaits: str | None  # cron expression at whose next time the grace begins; None for the lapse
    awaits_zone: str | None  # time zone of `awaits`; None for UTC
    per: str | None  # partition key whose values are judged one by one; None for all together
    expected: list[str]  # values of that key that are judged before they were ever seen
    stated: bool  # whether its definition states the terms, and not a user
    set_at: datetime  # time at which the terms were set
    set_by: str | None  # user who set them; None for stated ones
    last_at: datetime | None  # latest success or write that counts; None if there is none
    sensor: TermsSensorRow | None  # sensor that answers for it; None if successes and writes count
    outdated_by: list[str]  # parents that succeeded after its last success began
    terms_key: str  # key of the terms
    told: str | None  # last notified state, or `untold` for an unnotified lapse; None if none was
    told_last: datetime | None  # success for which that was notified; None if there was none
    told_parts: list[ToldPart]  # the same for each value of `per` that was notified

    @property
    def terms(self) -> Terms:
        """The terms."""
        return Terms(
            freshness=Freshness(
                max_age=self.max_age,
                since=self.since,
                zone=self.zone,
                counts=self.counts,
                any_partition=self.any_partition,
                unchanged=self.unchanged,
            ),
            grace=GRACE if self.grace is None else self.grace,
            awaits=self.awaits,
            awaits_zone=self.awaits_zone,
            per=self.per,
            expected=tuple(self.expected),
            sensor=self.sensor.name if self.sensor else None,
        )


class NodeRow(msgspec.Struct, frozen=True):
    """A job or dataset, and the latest run of a job."""

    key: str  # key of the job or dataset
    is_job: bool  # whether it is a job
    namespace: str  # namespace of the job or dataset
    name: str  # full name of the job, or name of the dataset
    run_id: str | None  # latest run of the job; None without one, and for a dataset
    run_state: str | None  # state of that run; None without one
    run_at: datetime | None  # end of that run, or its last change of state; None without one
    reason: str | None  # reason of its state; None without one
    message: str | None  # explanation of its state, or its error; None without one


class StartingRow(msgspec.Struct, frozen=True):
    """A job, and the ids of the triggers that start it or a job above it, by name."""

    key: str
    ids: list[str]


class UpstreamNodeRow(msgspec.Struct, frozen=True):
    """A node, and one that it depends on or is made from."""

    key: str
    upstream: str


def terms_properties(terms: Terms) -> dict[str, Any]:
    """Return terms as the graph has them."""
    fresh = terms.freshness
    return {
        "max_age": fresh.max_age,
        "since": fresh.since,
        "zone": fresh.zone,
        "counts": fresh.counts and fresh.counts.value,
        "any_partition": fresh.any_partition,
        "unchanged": fresh.unchanged,
        "grace": terms.grace,
        "awaits": terms.awaits,
        "awaits_zone": terms.awaits_zone,
        "per": terms.per,
        "expected": list(terms.expected),
        "sensor": terms.sensor,
    }


@bound
def set_terms(
    tx: Transaction, *, key: str, terms: dict[str, Any], by: str, now: datetime | None
) -> None: ...


@bound
def link_sensor(tx: Transaction, *, key: str, sensor_id: str | None) -> list[str]: ...


@bound
def set_source_times(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def delete_terms(tx: Transaction, *, key: str) -> str | None: ...


@bound
def set_stated(tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None) -> None: ...


@bound
def get_origin(tx: Transaction, *, key: str) -> bool | None: ...


@bound
def list_keys(tx: Transaction) -> list[str]: ...


@bound
def list_terms(tx: Transaction, *, keys: list[str], until: datetime) -> list[TermsRow]: ...


@bound
def list_part_successes(
    tx: Transaction, *, rows: list[dict[str, Any]], until: datetime
) -> list[PartSuccess]: ...


@bound
def list_upstream(tx: Transaction, *, keys: list[str]) -> list[UpstreamNodeRow]: ...


@bound
def list_nodes(tx: Transaction, *, keys: list[str]) -> list[NodeRow]: ...


@bound
def claim_told(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[str]: ...


@bound
def list_starting(tx: Transaction, *, keys: list[str]) -> list[StartingRow]: ...
