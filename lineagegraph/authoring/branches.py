"""`lg.branch`: a task that chooses which of the tasks after it run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar, Unpack, overload

from lineagegraph.authoring.kinds import TaskFunction
from lineagegraph.authoring.options import with_options
from lineagegraph.authoring.takes import Takes
from lineagegraph.authoring.task_options import TASK_DEFAULTS, TaskOptions
from lineagegraph.authoring.tasks import task

P = ParamSpec("P")
R = TypeVar("R")


@overload
def branch(
    function: Callable[P, R],
    /,
    *,
    name: str | None = None,
    takes: Takes | None = None,
    **options: Unpack[TaskOptions],
) -> TaskFunction[P, R]: ...
@overload
def branch(
    *,
    name: str | None = None,
    takes: Takes | None = None,
    **options: Unpack[TaskOptions],
) -> Callable[[Callable[P, R]], TaskFunction[P, R]]: ...
@with_options(TaskOptions, TASK_DEFAULTS)
def branch(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    takes: Takes | None = None,
    **options: Unpack[TaskOptions],
) -> Any:
    """Make a function a task that chooses which of the tasks after it run.

    It returns the name of one of them, a list of names, or None. The others are SKIPPED, but not
    those that a chosen one leads to. The choice stays on the run: a rerun of failed tasks keeps it.
    """

    def make(given: Callable[P, R]) -> TaskFunction[P, R]:
        stated = task(given, name=name, takes=takes, **options)
        return replace(stated, branches=True)

    return make if function is None else make(function)
