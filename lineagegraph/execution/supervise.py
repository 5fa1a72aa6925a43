"""Supervise one attempt: it ends by itself, by its timeout, or by the run's cancellation."""

import traceback
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextvars import copy_context
from dataclasses import replace
from threading import Thread
from typing import Any

from lineagegraph.errors import ValueRefused
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.deferrals import TaskDeferred
from lineagegraph.execution.kinds.work import CommandFailed, EndedElsewhere, Work
from lineagegraph.execution.outcome import PASSED, EndReason, Outcome, killed
from lineagegraph.execution.skip import TaskSkipped
from lineagegraph.model.runs.spark_cancel import is_spark_cancel
from lineagegraph.model.runs.states import RunState
from lineagegraph.text import describe_error, storable, without_middle

GRACE = 10.0
# With longer texts, and many of them, the graph would not take a run. It shows 4,000 characters.
LONGEST_MESSAGE = 3_900
LONGEST_TRACE = 100_000


def supervise(work: Work, cancellation: Cancellation, timeout: float | None) -> Outcome:
    """Run the work in a thread of its own, and return its outcome.

    Work that does not return within the grace time (in seconds) is abandoned: its thread goes on.
    """
    ending = _in_thread(work.run)
    either: list[Future[Any]] = [ending, cancellation.future]
    wait(either, timeout=timeout, return_when=FIRST_COMPLETED)
    if ending.done():
        return judge(ending.exception())
    cancelled = cancellation.requested
    work.stop(lambda seconds: bool(wait({ending}, timeout=seconds).done), GRACE)
    if cancelled:
        return _stopped(RunState.KILLED, cancellation.reason, cancellation.message, ending)
    message = f"the task took more than its timeout of {timeout:g} s"
    return _stopped(RunState.FAILED, EndReason.TIMEOUT, message, ending)


def _in_thread(call: Callable[[], None]) -> Future[None]:
    ending: Future[None] = Future()

    def target() -> None:
        try:
            call()
        except BaseException as error:  # sys.exit() in a task is the task's failure
            ending.set_exception(error)
        else:
            ending.set_result(None)

    Thread(target=copy_context().run, args=(target,), daemon=True).start()
    return ending


def _stopped(state: RunState, reason: str, message: str, ending: Future[None]) -> Outcome:
    abandoned = not ending.done()
    if abandoned:
        message += ", and its code goes on until this process ends"
    return Outcome(state, reason, message, abandoned=abandoned)


def judge(error: BaseException | None) -> Outcome:
    """Return the outcome of work that raised an error, or none; the middle of long texts is cut."""
    found = PASSED if error is None else _outcome(error)
    return replace(
        found,
        message=found.message and without_middle(found.message, LONGEST_MESSAGE),
        trace=found.trace and without_middle(found.trace, LONGEST_TRACE),
    )


def _outcome(error: BaseException) -> Outcome:
    if isinstance(error, EndedElsewhere):
        return error.outcome
    if isinstance(error, TaskSkipped):
        return Outcome(RunState.SKIPPED, EndReason.TASK_SKIPPED, storable(str(error)))
    if isinstance(error, TaskDeferred):
        return Outcome(RunState.WAITING, EndReason.DEFERRED, str(error), deferral=error.deferral)
    if isinstance(error, ValueRefused):
        return Outcome(RunState.FAILED, EndReason.USER_CODE, str(error))
    message = describe_error(error)
    if is_spark_cancel(message):
        return killed(EndReason.CANCELLED, message)
    if isinstance(error, CommandFailed):
        return Outcome(
            RunState.FAILED, EndReason.USER_CODE, str(error), error.tail or None, language="SHELL"
        )
    trace = storable("".join(traceback.format_exception(error)))
    return Outcome(RunState.FAILED, EndReason.USER_CODE, message, trace)
