"""Functions that state terms of freshness: `lg.freshness`, `lg.depends`."""

from __future__ import annotations

from enum import StrEnum
from typing import TypedDict, TypeVar

from lineagegraph.authoring.checked_values import bounded_seconds, checked_name
from lineagegraph.authoring.handle import Depends, Handle
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.errors import DefinitionError, InvalidRule
from lineagegraph.model.freshness.terms import (
    DAY,
    TODAY,
    Counts,
    Dependency,
    Freshness,
    WhenNewer,
    WhenSkipped,
)
from lineagegraph.model.triggers.cron import check_cron, check_zone
from lineagegraph.text import Duration

E = TypeVar("E", bound=StrEnum)
_PARTITIONS = ("same", "any")
_SINCE = (DAY, "hour")


def freshness(
    max_age: Duration | None = None,
    *,
    since: str | None = None,
    zone: str | None = None,
    counts: str | None = None,
    partition: str = "same",
    unchanged: bool = False,
) -> Freshness:
    """State how new a success must be; by default it must be of today.

    `max_age` is a duration such as `"36h"`; 0 forces a task, and makes a parent end after the
    submission. `since` is `day`, `hour` or a cron expression, whose last point counts in `zone`.
    `counts` is `end`, or `data_end` for the end of the interval that the data covers. With
    `partition="any"` a success of any partition counts. With `unchanged` an older success counts
    too, while the datasets that it read have no newer version, and its code has none either.
    """
    return stated_terms(caller(), max_age, since, zone, counts, partition, unchanged)


def depends(
    on: Handle | str,
    *,
    max_age: Duration | None = None,
    since: str | None = None,
    zone: str | None = None,
    counts: str | None = None,
    partition: str = "same",
    unchanged: bool = False,
    when_skipped: str = WhenSkipped.BLOCK,
    when_newer: str = WhenNewer.IGNORE,
    external: bool = False,
    recheck: Duration | None = None,
    wait: Duration | None = None,
    namespace: str | None = None,
) -> Depends:
    """State a parent of a task, and how new its success must be, as `lg.freshness` does.

    `on` is a task beside it, or the full name of a job elsewhere, such as `finance.fx`. A task
    waits up to `wait` (30 minutes) for a parent that is stale, and checks it at least every
    `recheck` (2 minutes). `when_skipped` is `block`, `ignore` or `skip_child`. With
    `when_newer="rerun"` a fresh task runs again if the parent succeeded after the task began. An
    `external` parent need not be known.
    """
    origin = caller()
    return Depends(
        on,
        Dependency(
            job=parent_name(on, origin),
            namespace=None if namespace is None else checked_name(namespace, "namespace", origin),
            freshness=stated_terms(origin, max_age, since, zone, counts, partition, unchanged),
            when_skipped=one_of(WhenSkipped, when_skipped, "when_skipped", origin),
            when_newer=one_of(WhenNewer, when_newer, "when_newer", origin),
            external=_flag("external", external, origin),
            **waits(origin, recheck=recheck, wait=wait),
        ),
        origin,
    )


def today(on: Handle | str, origin: Origin) -> Depends:
    """Return a parent whose success must be of today."""
    return Depends(on, Dependency(job=parent_name(on, origin)), origin)


def stated_terms(
    origin: Origin,
    max_age: Duration | None,
    since: str | None,
    zone: str | None,
    counts: str | None,
    partition: str,
    unchanged: object,
) -> Freshness:
    """Check and return terms of freshness; without an age or `since` those of today."""
    age = None if max_age is None else bounded_seconds(max_age, "max_age", origin)
    placed = checked_zone(zone, origin)
    return Freshness(
        max_age=age,
        since=TODAY.since if age is None and since is None else checked_since(since, zone, origin),
        zone=placed,
        counts=None if counts is None else one_of(Counts, counts, "counts", origin),
        any_partition=is_any(partition, origin),
        unchanged=_flag("unchanged", unchanged, origin),
    )


def parent_name(on: Handle | str, origin: Origin) -> str:
    """Return the name of a parent."""
    return on.name if isinstance(on, Handle) else checked_name(on, "parent", origin)


class WaitFields(TypedDict, total=False):
    """Limits of the wait for a parent, in seconds."""

    recheck: float
    wait: float


def waits(origin: Origin, *, recheck: Duration | None, wait: Duration | None) -> WaitFields:
    """Return those of the two that are given, in seconds."""
    found = WaitFields()
    if recheck is not None:
        found["recheck"] = bounded_seconds(recheck, "recheck", origin, least=1.0)
    if wait is not None:
        found["wait"] = bounded_seconds(wait, "wait", origin)
    return found


def one_of(kind: type[E], value: object, option: str, origin: Origin) -> E:
    """Return the member of an enumeration that has a value."""
    for known in kind:
        if known == value:
            return known
    raise DefinitionError(f"{origin}: {option}={value!r} must be one of {', '.join(kind)}")


def is_any(partition: object, origin: Origin) -> bool:
    """Return whether a success of any partition counts."""
    if partition not in _PARTITIONS:
        raise DefinitionError(f"{origin}: partition={partition!r} must be 'same' or 'any'")
    return partition == "any"


def checked_zone(zone: str | None, origin: Origin) -> str | None:
    """Check and return the name of a time zone, if one is given."""
    try:
        if zone is not None:
            check_zone(zone)
    except InvalidRule as error:
        raise DefinitionError(f"{origin}: zone: {error}") from None
    return zone


def checked_since(since: str | None, zone: str | None, origin: Origin) -> str | None:
    """Check and return `day`, `hour` or a cron expression, if one is given."""
    if since is None or since in _SINCE:
        return since
    try:
        check_cron(since, zone or "UTC")
    except InvalidRule as error:
        message = f"since={since!r} must be 'day', 'hour' or a cron expression"
        raise DefinitionError(f"{origin}: {message}: {error}") from None
    return " ".join(since.split())


def _flag(option: str, value: object, origin: Origin) -> bool:
    if not isinstance(value, bool):
        raise DefinitionError(f"{origin}: {option}={value!r} must be True or False")
    return value
