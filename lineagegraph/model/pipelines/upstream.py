"""The cause of a run, as its tasks see it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.pipelines.definition import Parameter


class WrittenDataset(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset that a run wrote a version of, and the partition of it."""

    namespace: str
    name: str
    version: str
    partition: str | None = None


class Upstream(msgspec.Struct, frozen=True, kw_only=True):
    """A consumed occurrence of a firing: the end of a run, a version, an event or a time.

    `payload` has the user arguments of the run and its emitted values, under their own names; for
    an event, its payload. `chosen` marks the payload that counts if there are several.
    """

    status: str  # state of the run, or the kind of occurrence
    at: datetime  # time of the occurrence
    chosen: bool  # whether its payload counts, if there are several
    job: str | None = None  # full name of the job; None for events and times
    run_id: str | None = None  # run that ended or wrote the version
    started_at: datetime | None = None  # start of that run
    ended_at: datetime | None = None  # end of that run
    event: str | None = None  # name of an external event
    zone: str | None = None  # zone of a schedule; None for others and for intervals
    payload: dict[str, Any] = {}  # arguments and emitted values by name
    datasets: tuple[WrittenDataset, ...] = ()  # dataset versions that the run wrote


def offered(parameters: Iterable[Parameter], what: Iterable[Upstream]) -> dict[str, Any]:
    """Return the parameters for which the occurrences have values under the same names.

    If several disagree, none of them counts.
    """
    payloads = [one.payload for one in what if one.chosen]
    values: dict[str, Any] = {}
    for parameter in parameters:
        found = [payload[parameter.name] for payload in payloads if parameter.name in payload]
        if found and len({canonical_json(value) for value in found}) == 1:
            values[parameter.name] = found[0]
    return values
