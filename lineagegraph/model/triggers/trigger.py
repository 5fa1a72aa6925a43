"""A trigger: the rule that says when a job starts, with what, and what keeps it back."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from lineagegraph.model.triggers.condition import AnyCondition
from lineagegraph.model.triggers.constraint import AnyConstraint


class Pick(StrEnum):
    """What a firing takes of several occurrences.

    `latest` takes all, and gives the payload of the newest of each leaf; `all` takes all, and gives
    lists; `first` takes the oldest that make the condition true, and what is left may fire again.
    """

    LATEST = "latest"
    ALL = "all"
    FIRST = "first"


class Overlap(StrEnum):
    """What becomes of a firing while the run of an earlier one goes on."""

    ALLOW = "allow"
    WAIT = "wait"
    SKIP = "skip"


class CatchUp(StrEnum):
    """Which of the scheduled times that nobody was there for are made up for."""

    ALL = "all"
    LAST = "last"
    NONE = "none"


class Reset(msgspec.Struct, frozen=True, kw_only=True):
    """A cron point at which everything that has not been consumed expires."""

    cron: str
    zone: str


class Argument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A parameter of the started run that takes a value from the payload of what set it off.

    `key` is looked for in the payload of `job`, or of any; where it is missing the `default`
    counts, and where that is missing too a `required` one makes the firing a dead letter.
    """

    parameter: str
    key: str
    job: str | None = None
    required: bool = True
    default: Any = None


class Trigger(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What starts a job, and how.

    `correlate_by` names `partition` or a key of the payload: what has the same value belongs
    together, and each value fires on its own. `properties` are parameters of the started run.
    `ttl` (seconds) is how long a firing may be kept back before it expires; `reruns` is how often a
    started run that FAILED is started again, each `rerun_delay` seconds later.
    """

    when: AnyCondition
    name: str | None = None
    description: str | None = None
    correlate_by: str | None = None
    pick: Pick = Pick.LATEST
    reset: Reset | None = None
    constraints: tuple[AnyConstraint, ...] = ()
    overlap: Overlap = Overlap.ALLOW
    catch_up: CatchUp = CatchUp.LAST
    ttl: float | None = None
    reruns: int = 0
    rerun_delay: float = 0.0
    arguments: tuple[Argument, ...] = ()
    properties: dict[str, Any] = {}
    allow_cycle: bool = False
