"""One attempt of a task, of whichever kind."""

from collections.abc import Callable
from typing import Protocol

from lineagegraph.execution.outcome import Outcome


class Work(Protocol):
    """One attempt; `run` and `stop` are called from different threads."""

    def run(self) -> None:
        """Run it, and raise its error."""

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Make `run` return, within the grace time if possible.

        `returned(seconds)` waits that long for the return and tells if it came.
        """


class TextSink(Protocol):
    """Takes the output of a program, in pieces of any length."""

    def write(self, text: str) -> None:
        """Take the next piece."""


class EndedElsewhere(Exception):
    """Ends an attempt with an outcome that was decided elsewhere, such as in another process."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.message)
        self.outcome = outcome


class CommandFailed(Exception):
    """A command ended with an exit code other than 0; `tail` has the last lines of its output."""

    def __init__(self, message: str, tail: str) -> None:
        super().__init__(message)
        self.tail = tail
