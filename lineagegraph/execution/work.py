"""What an attempt of a task does, whichever kind the task is of."""

from collections.abc import Callable
from typing import Protocol

from lineagegraph.execution.outcome import Outcome


class Work(Protocol):
    """One attempt; `run` and `stop` are called from different threads."""

    def run(self) -> None:
        """Do it, and raise what went wrong."""

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Make `run` return, within the grace time if it can be done.

        `returned(seconds)` waits that long for the return and says whether it came.
        """


class EndedElsewhere(Exception):
    """Another process ran it, and says how it ended."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.message)
        self.outcome = outcome


class CommandFailed(Exception):
    """A command ended with another exit code than 0; `tail` is the last of its output."""

    def __init__(self, message: str, tail: str) -> None:
        super().__init__(message)
        self.tail = tail
