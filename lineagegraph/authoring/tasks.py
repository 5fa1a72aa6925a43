"""Functions that state tasks: `lg.task`, `lg.command`, `lg.spark_submit`, `lg.group`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar, Unpack, overload

from lineagegraph.authoring.checked_values import (
    Duration,
    checked_text,
    checked_texts,
    seconds,
    text_map,
)
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.kinds import Command, SparkSubmit, TaskFunction, TaskGroup
from lineagegraph.authoring.options import with_options
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.authoring.takes import Takes, checked_takes
from lineagegraph.authoring.task_functions import checked_function, own_name
from lineagegraph.authoring.task_options import (
    TASK_DEFAULTS,
    GroupOptions,
    TaskOptions,
    checked_options,
)
from lineagegraph.errors import DefinitionError

P = ParamSpec("P")
R = TypeVar("R")


@overload
def task(
    function: Callable[P, R],
    /,
    *,
    name: str | None = None,
    takes: Takes | None = None,
    identity: Sequence[str] | None = None,
    shared_for: Duration = "1d",
    **options: Unpack[TaskOptions],
) -> TaskFunction[P, R]: ...
@overload
def task(
    *,
    name: str | None = None,
    takes: Takes | None = None,
    identity: Sequence[str] | None = None,
    shared_for: Duration = "1d",
    **options: Unpack[TaskOptions],
) -> Callable[[Callable[P, R]], TaskFunction[P, R]]: ...
@with_options(TaskOptions, TASK_DEFAULTS)
def task(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    takes: Takes | None = None,
    identity: Sequence[str] | None = None,
    shared_for: Duration = "1d",
    **options: Unpack[TaskOptions],
) -> Any:
    """Make a function a task; it can still be called directly.

    It may be a lambda, a closure, a `functools.partial`, a method or a callable object; an
    `async def` is awaited. Its arguments are `spark` (a session), parameters of its pipeline, and
    the values in `takes`: `{"rows": load.output}` is what the task `load`, which then comes first,
    returned. A failed attempt is repeated `retries` times, after `retry_delay`; `timeout` limits
    one attempt. `emits` maps the names of the values that it may emit to their types; without it,
    it may emit anything. `freshness`, `dependencies` and `cluster` are for tasks of `lg.batch(…)`.
    With an `identity`, the names of parameters, equal tasks of different pipelines run once: the
    result counts for all that have the same function and values, for `shared_for` after its end.
    `when` is a rule about the ends of the tasks before it, such as `all_done`; a `teardown` also
    runs if the run was cancelled, and its failure does not fail the run. It takes `pool_slots`
    slots of a `pool`, which tasks of all pipelines share, by `priority`.
    """
    origin = caller()

    def make(given: Callable[P, R]) -> TaskFunction[P, R]:
        function = checked_function(given, origin)
        return TaskFunction(
            function=function,
            takes=checked_takes(takes, origin.at("takes")),
            identity=checked_identity(identity, origin),
            shared_for=seconds(shared_for, "shared_for", origin),
            **checked_options(name or own_name(function, origin), origin, **options),
        )

    return make if function is None else make(function)


@with_options(TaskOptions, TASK_DEFAULTS)
def command(
    name: str,
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    **options: Unpack[TaskOptions],
) -> Command:
    """State a task that runs a program; `{month}` in an argument is the parameter's value."""
    origin = caller()
    return Command(
        command=checked_texts(command, "command", origin),
        environment=text_map(environment or {}, "environment", origin),
        **checked_options(name, origin, **options),
    )


@with_options(TaskOptions, TASK_DEFAULTS)
def spark_submit(
    name: str,
    file: str,
    *,
    main: str | None = None,
    args: Sequence[str] = (),
    conf: Mapping[str, Any] | None = None,
    **options: Unpack[TaskOptions],
) -> SparkSubmit:
    """State a task that hands a jar (with its `main` class) or a Python file to `spark-submit`."""
    origin = caller()
    return SparkSubmit(
        file=checked_text(file, "file", origin),
        main=main,
        args=checked_texts(args, "args", origin, least=0),
        conf=text_map(conf or {}, "conf", origin),
        **checked_options(name, origin, **options),
    )


@with_options(GroupOptions, TASK_DEFAULTS)
def group(name: str, *, tasks: Iterable[Handle], **options: Unpack[GroupOptions]) -> TaskGroup:
    """Put tasks under one name; they succeed or fail together."""
    origin = caller()
    return TaskGroup(tasks=checked_tasks(tasks, origin), **checked_options(name, origin, **options))


def checked_tasks(tasks: Iterable[Handle], origin: Origin) -> tuple[Handle, ...]:
    """Return the listed tasks; raise `DefinitionError` for anything else among them."""
    handles = tuple(tasks)
    for handle in handles:
        if not isinstance(handle, Handle):
            raise DefinitionError(
                f"{origin}: {handle!r} is not a task: decorate a function with @lg.task, "
                "or use lg.command, lg.sql, lg.spark_submit, lg.group, lg.pipeline and such"
            )
    return handles


def checked_identity(names: Sequence[str] | None, origin: Origin) -> tuple[str, ...] | None:
    """Return the names of parameters that identify a task, each once and sorted."""
    if names is None:
        return None
    return tuple(sorted(set(checked_texts(names, "identity", origin, least=0))))
