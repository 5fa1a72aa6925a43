"""How a task, group or pipeline ended."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from lineagegraph.execution.cancellation import describe_reason
from lineagegraph.model.pipelines.entry import End
from lineagegraph.model.pipelines.expansion import Added
from lineagegraph.model.runs.deferral import Deferral
from lineagegraph.model.runs.encoded import EncodedValue
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.runs.values import TaskValue
from lineagegraph.text import format_age


class EndReason(StrEnum):
    """Why a run did not complete; a cancellation may bring a reason of its own."""

    USER_CODE = "USER_CODE"
    UPSTREAM_FAILED = "UPSTREAM_FAILED"
    UPSTREAM_SKIPPED = "UPSTREAM_SKIPPED"
    VALUE_MISSING = "VALUE_MISSING"
    RULE_NOT_MET = "RULE_NOT_MET"
    NOT_CHOSEN = "NOT_CHOSEN"
    TASK_SKIPPED = "TASK_SKIPPED"
    TIMEOUT = "TIMEOUT"
    CANCELLED = "CANCELLED"
    POOL_NOT_DEFINED = "POOL_NOT_DEFINED"
    DEFERRED = "DEFERRED"
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
    #: whether a step inside a container began, or a task before it waited for a sensor
    has_begun: bool = False
    #: paths, from inside a container, of the teardowns that failed
    unclean: tuple[str, ...] = ()
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
    #: the datasets that a Python task read, as events have them
    inputs: Sequence[Mapping[str, Any]] = ()
    #: those that it wrote
    outputs: Sequence[Mapping[str, Any]] = ()
    #: the value that an attempt returned, until it is kept
    returned: EncodedValue | None = None
    #: the value that the task returned, as its run keeps it
    output: TaskValue | None = None
    #: the sensor that a task waits for that did not end yet
    deferral: Deferral | None = None

    @property
    def left_something(self) -> bool:
        """Whether there may be something to clean up."""
        return self.has_begun or self.attempt is not None or self.state is RunState.COMPLETED


PASSED = Outcome(RunState.COMPLETED)


def outcome_of(end: End) -> Outcome:
    """Return the outcome of a task that ends without a run."""
    return Outcome(end.state, end.reason, end.message, emitted=end.emitted, output=end.output)


def with_project_paths(outcome: Outcome, code: Path, root: str) -> Outcome:
    """Return an outcome whose texts name files in the project, not in the unpacked source."""
    own, project = f"{code}/", f"{root}/" if root else ""
    return replace(
        outcome,
        message=outcome.message and outcome.message.replace(own, project),
        trace=outcome.trace and outcome.trace.replace(own, project),
    )


def killed(reason: str, message: str | None = None) -> Outcome:
    """Return the outcome of a cancelled step, by default with the reason as its message."""
    return Outcome(RunState.KILLED, reason, message or describe_reason(reason))


def timed_out(outcome: Outcome, timeout: float) -> Outcome:
    """Return the outcome of a run that its timeout stopped: FAILED, unless it ended just before."""
    if outcome.state is not RunState.KILLED:
        return outcome
    message = f"the run took more than its timeout of {format_age(timeout)}"
    return replace(outcome, state=RunState.FAILED, reason=EndReason.TIMEOUT, message=message)


def upstream_failed(names: list[str]) -> Outcome:
    """Return the outcome of a step that cannot start because the named tasks did not complete."""
    message = f"not run: {', '.join(names)} did not complete"
    return Outcome(RunState.FAILED, EndReason.UPSTREAM_FAILED, message)


def upstream_skipped(names: list[str]) -> Outcome:
    """Return the outcome of a step that need not start because the named tasks were skipped."""
    message = f"not run: {', '.join(names)} skipped"
    return Outcome(RunState.SKIPPED, EndReason.UPSTREAM_SKIPPED, message)
