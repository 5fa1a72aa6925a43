"""Counters of the repeated steps of a daemon."""

from typing import NamedTuple


class Beat(NamedTuple):
    """Counters of a daemon's step: runs, failures and total duration."""

    step: str
    done: int
    failed: int
    seconds: float
