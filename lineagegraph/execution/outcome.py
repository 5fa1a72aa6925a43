"""How a task, group or pipeline ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from lineagegraph.model.pipelines.expansion import Added
from lineagegraph.model.runs.states import RunState


class Reason(StrEnum):
    """Why a run did not complete; a cancellation may bring a reason of its own."""

    USER_CODE = "USER_CODE"
    UPSTREAM_FAILED = "UPSTREAM_FAILED"
    UPSTREAM_SKIPPED = "UPSTREAM_SKIPPED"
    TIMEOUT = "TIMEOUT"
    CANCELLED = "CANCELLED"
    INTERNAL = "INTERNAL"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a run; `abandoned` says that its thread could not be stopped.

    A task's `emitted` is value by key; a container's is that map by path of the task. `added` is
    what a task that completed puts behind itself, `cost` what a run took of its clusters.
    """

    state: RunState
    reason: str | None = None
    message: str | None = None
    trace: str | None = None
    language: str = "PYTHON"
    emitted: Mapping[str, Any] = field(default_factory=dict)
    attempt: int | None = None
    abandoned: bool = False
    added: tuple[Added, ...] = ()
    cost: Mapping[str, Any] = field(default_factory=dict)


PASSED = Outcome(RunState.COMPLETED)


def killed(reason: str, message: str = "the run was cancelled") -> Outcome:
    """Return the end of what was told to stop."""
    return Outcome(RunState.KILLED, reason, message)


def upstream_failed(names: list[str]) -> Outcome:
    """Return the end of what could not start because the named tasks did not complete."""
    message = f"not run: {', '.join(names)} did not complete"
    return Outcome(RunState.FAILED, Reason.UPSTREAM_FAILED, message)


def upstream_skipped(names: list[str]) -> Outcome:
    """Return the end of what need not start because the named tasks were skipped."""
    message = f"not run: {', '.join(names)} skipped"
    return Outcome(RunState.SKIPPED, Reason.UPSTREAM_SKIPPED, message)
