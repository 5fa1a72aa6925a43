"""Failed attempts of tasks that are made again."""

import msgspec


class FailedAttempt(msgspec.Struct, frozen=True):
    """An attempt of a task that failed, and the time of the next one."""

    run_id: str  # id of the task's run
    attempt: int  # number of the failed attempt, from 1
    at: str  # time at which it failed
    next_at: str  # time of the next attempt
    reason: str | None  # reason in capitals, such as USER_CODE; None without one
    message: str | None  # fault in words; None without one
