"""End a task as skipped, by its own decision."""

from typing import NoReturn


class TaskSkipped(BaseException):
    """Raised by `skip`; not an `Exception`, so that `except Exception` in a task lets it pass."""


def skip(reason: str) -> NoReturn:
    """End the running task as SKIPPED, with a reason for people.

    The tasks after it are skipped too, unless their `when` lets them run; the run does not fail.
    Call it in the task's own thread, in a Python task without or with Spark.
    """
    raise TaskSkipped(str(reason))
