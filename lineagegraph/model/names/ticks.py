"""What a daemon does again and again, counted."""

from typing import NamedTuple


class Beat(NamedTuple):
    """A step of a daemon: how often it was done and failed, and how long all of that took."""

    step: str
    done: int
    failed: int
    seconds: float
