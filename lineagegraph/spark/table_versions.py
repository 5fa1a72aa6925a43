"""Versions of tables that keep their own history, each for the execution that made it."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")

NEWEST = 20
"""How many of the newest versions an execution may have made."""
_KEPT = 10 * NEWEST


class TakenVersions:
    """The versions of tables that were found to be those of an execution."""

    def __init__(self) -> None:
        self._taken: dict[str, deque[int]] = defaultdict(lambda: deque(maxlen=_KEPT))

    def take_oldest(self, table: str, newest_first: Iterable[tuple[int, T]]) -> T | None:
        """Return the oldest of some versions that no other execution has, None without one.

        Executions of one driver end nearly in the order of their commits.
        """
        taken = self._taken[table]
        free = [(version, found) for version, found in newest_first if version not in taken]
        if not free:
            return None
        version, found = free[-1]
        taken.append(version)
        return found


def total_of(metrics: Mapping[str, str], *names: str) -> int | None:
    """Return the sum of the metrics that are there, None without any."""
    found = [int(metrics[name]) for name in names if name in metrics]
    return sum(found) if found else None
