"""When a task starts: what its predecessors' ends must be. The names are those of Airflow."""

from enum import StrEnum


class When(StrEnum):
    """A rule about the ends of a task's predecessors.

    Killed tasks count as failed, and so does a task that was not run because of such ones.
    """

    ALL_SUCCESS = "all_success"
    ALL_FAILED = "all_failed"
    ALL_DONE = "all_done"
    ONE_SUCCESS = "one_success"
    ONE_FAILED = "one_failed"
    NONE_FAILED = "none_failed"
    NONE_FAILED_MIN_ONE_SUCCESS = "none_failed_min_one_success"
    NONE_SKIPPED = "none_skipped"


#: rules that hold as soon as one predecessor ends so
EARLY = frozenset({When.ONE_SUCCESS, When.ONE_FAILED})
