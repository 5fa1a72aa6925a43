"""A trigger: the rule for when a job starts, with which parameters and constraints."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from lineagegraph.model.triggers.condition import AnyCondition
from lineagegraph.model.triggers.constraint import AnyConstraint


class Pick(StrEnum):
    """The occurrences that a firing takes if there are several.

    `first` takes the oldest that make the condition true, and the rest fires again: the number of
    firings does not depend on timing. `latest` and `all` join everything that waits into one
    firing; `latest` passes the payload of the newest of each leaf, `all` passes lists.
    """

    FIRST = "first"
    LATEST = "latest"
    ALL = "all"


class Overlap(StrEnum):
    """The fate of a firing while the run of an earlier one is in progress."""

    ALLOW = "allow"
    WAIT = "wait"
    SKIP = "skip"


class CatchUp(StrEnum):
    """The scheduled times, missed while no daemon was running, that are caught up."""

    ALL = "all"
    LAST = "last"
    NONE = "none"


class Reset(msgspec.Struct, frozen=True, kw_only=True):
    """A cron time at which all unconsumed occurrences expire."""

    cron: str
    zone: str


class Argument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A parameter of the started run that takes a value from the payload of the occurrences.

    `key` is read from the payload of `job`, or of any; if it is missing, `default` counts, and
    without a default a `required` argument makes the firing a dead letter.
    """

    parameter: str
    key: str
    job: str | None = None
    required: bool = True
    default: Any = None


class Trigger(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The rule that starts a job.

    `correlate_by` names `partition` or a key of the payload: occurrences with the same value belong
    together, and each value fires on its own. `properties` are parameters of the started run. `ttl`
    (seconds) is how long a firing may be held back before it expires; `reruns` is how often a
    started run that FAILED is started again, each `rerun_delay` seconds later.
    """

    when: AnyCondition  # the condition that must become true
    name: str | None = None  # name among the triggers of its job
    description: str | None = None  # description for people
    correlate_by: str | None = None  # `partition` or a payload key whose values fire separately
    pick: Pick = Pick.FIRST  # the occurrences that a firing consumes if there are several
    reset: Reset | None = None  # times at which unconsumed occurrences expire
    constraints: tuple[AnyConstraint, ...] = ()  # limits that hold back or drop a firing
    overlap: Overlap = Overlap.ALLOW  # whether to start while a run is active
    catch_up: CatchUp = CatchUp.LAST  # due times to make up for after an outage
    ttl: float | None = None  # seconds until a held firing expires; None for never
    reruns: int = 0  # times to start a FAILED run again
    rerun_delay: float = 0.0  # seconds before each of these
    arguments: tuple[Argument, ...] = ()  # parameters taken from payloads
    properties: dict[str, Any] = {}  # fixed parameters of the started run
    allow_cycle: bool = False  # whether it may be part of a cycle of triggers
