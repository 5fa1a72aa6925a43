"""How a task, group or pipeline ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from lineagegraph.model.pipelines.expansion import Added
from lineagegraph.model.runs.states import RunState


class EndReason(StrEnum):
    """Why a run did not complete; a cancellation may bring a reason of its own."""

    USER_CODE = "USER_CODE"
    UPSTREAM_FAILED = "UPSTREAM_FAILED"
    UPSTREAM_SKIPPED = "UPSTREAM_SKIPPED"
    TIMEOUT = "TIMEOUT"
    CANCELLED = "CANCELLED"
    INTERNAL = "INTERNAL"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a run."""

    #: the final state
    state: RunState
    #: a code such as TIMEOUT; see `EndReason`
    reason: str | None = None
    #: one line for people
    message: str | None = None
    #: the stack trace, or the last output of a command
    trace: str | None = None
    #: the language of the stack trace, as OpenLineage names it
    language: str = "PYTHON"
    #: a task's values by name; a container's are such maps by the task's path
    emitted: Mapping[str, Any] = field(default_factory=dict)
    #: the number of the last attempt, from 1
    attempt: int | None = None
    #: whether the task's thread could not be stopped and still runs
    abandoned: bool = False
    #: tasks that a completed task added to the run
    added: tuple[Added, ...] = ()
    #: the Spark usage of a run, as `total_cost` sums it
    cost: Mapping[str, Any] = field(default_factory=dict)
    #: the states of the files that a Python task opened, as `states_of_use` returns them
    files: Mapping[str, Any] = field(default_factory=dict)
    #: the environment variables that a Python task read, with secrets masked
    variables: Mapping[str, str] = field(default_factory=dict)


PASSED = Outcome(RunState.COMPLETED)


def killed(reason: str, message: str = "the run was cancelled") -> Outcome:
    """Return the outcome of a cancelled step."""
    return Outcome(RunState.KILLED, reason, message)


def upstream_failed(names: list[str]) -> Outcome:
    """Return the outcome of a step that cannot start because the named tasks did not complete."""
    message = f"not run: {', '.join(names)} did not complete"
    return Outcome(RunState.FAILED, EndReason.UPSTREAM_FAILED, message)


def upstream_skipped(names: list[str]) -> Outcome:
    """Return the outcome of a step that need not start because the named tasks were skipped."""
    message = f"not run: {', '.join(names)} skipped"
    return Outcome(RunState.SKIPPED, EndReason.UPSTREAM_SKIPPED, message)
