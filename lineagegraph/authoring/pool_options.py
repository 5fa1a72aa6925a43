"""The options that decide which slots of a pool a task needs."""

from __future__ import annotations

from typing import TypedDict, Unpack

from lineagegraph.authoring.checked_values import checked_name
from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError

_LARGEST = 1_000_000


class PoolOptions(TypedDict, total=False):
    """The options about a pool."""

    #: name of the pool of which it takes slots while it runs
    pool: str | None
    #: number of these slots
    pool_slots: int
    #: rank among the tasks that wait for the pool, the highest first
    priority: int


POOL_DEFAULTS = PoolOptions(pool=None, pool_slots=1, priority=0)


class PoolFields(TypedDict):
    """The fields of a `Handle` about a pool."""

    #: name of the pool of which it takes slots while it runs
    pool: str | None
    #: number of these slots
    pool_slots: int
    #: rank among the tasks that wait for the pool, the highest first
    priority: int


def checked_pool(origin: Origin, **options: Unpack[PoolOptions]) -> PoolFields:
    """Check the options about a pool, and return them as fields of a handle."""
    given = POOL_DEFAULTS | options
    pool = given["pool"]
    slots = _number("pool_slots", given["pool_slots"], 1, origin)
    priority = _number("priority", given["priority"], -_LARGEST, origin)
    if pool is None and (slots, priority) != (1, 0):
        option = "pool_slots" if slots != 1 else "priority"
        raise DefinitionError(f"{origin.at(option)}: {option} is about a pool: give pool=…")
    name = None if pool is None else checked_name(pool, "pool", origin.at("pool"))
    return PoolFields(pool=name, pool_slots=slots, priority=priority)


def _number(option: str, given: object, least: int, origin: Origin) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= _LARGEST:
        raise DefinitionError(
            f"{origin.at(option)}: {option}={given!r} must be a whole number from {least:,} to "
            f"{_LARGEST:,}"
        )
    return given
