"""What a definition file calls to state tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar, overload

from lineagegraph.authoring.checked_function import checked_function, own_name
from lineagegraph.authoring.durations import Duration, seconds
from lineagegraph.authoring.emits import Emits
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.kinds import Command, Group, SparkSubmit, TaskFunction
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.authoring.task_options import After, Dependencies, options
from lineagegraph.authoring.texts import checked_text, checked_texts, text_map
from lineagegraph.errors import DefinitionError
from lineagegraph.model.freshness.terms import Freshness

P = ParamSpec("P")
R = TypeVar("R")


@overload
def task(
    function: Callable[P, R],
    /,
    *,
    after: After = None,
    name: str | None = None,
    retries: int = 0,
    retry_delay: Duration = 0,
    timeout: Duration | None = None,
    emits: Emits = None,
    freshness: Freshness | None = None,
    dependencies: Dependencies = (),
    cluster: str | None = None,
    identity: Sequence[str] | None = None,
    shared_for: Duration = "1d",
) -> TaskFunction[P, R]: ...
@overload
def task(
    *,
    after: After = None,
    name: str | None = None,
    retries: int = 0,
    retry_delay: Duration = 0,
    timeout: Duration | None = None,
    emits: Emits = None,
    freshness: Freshness | None = None,
    dependencies: Dependencies = (),
    cluster: str | None = None,
    identity: Sequence[str] | None = None,
    shared_for: Duration = "1d",
) -> Callable[[Callable[P, R]], TaskFunction[P, R]]: ...
def task(
    function: Callable[..., Any] | None = None,
    /,
    *,
    after: After = None,
    name: str | None = None,
    retries: int = 0,
    retry_delay: Duration = 0,
    timeout: Duration | None = None,
    emits: Emits = None,
    freshness: Freshness | None = None,
    dependencies: Dependencies = (),
    cluster: str | None = None,
    identity: Sequence[str] | None = None,
    shared_for: Duration = "1d",
) -> Any:
    """Make a function a task; it can still be called by hand.

    It may be a lambda, a closure, a `functools.partial`, a method or an object that is called.
    Its arguments are `spark` (a session) and parameters of its pipeline. A failed attempt is
    repeated `retries` times, after `retry_delay`; `timeout` bounds one attempt. `emits` maps the
    names of the values that it may emit to their types; without it, it may emit anything.
    `freshness`, `dependencies` and `cluster` are for tasks of `lg.batch(…)`. With an `identity`,
    the names of parameters, equal tasks of different pipelines run once: what one came to counts
    for all with the same function and values, for `shared_for` after its end.
    """
    origin = caller()

    def make(given: Callable[P, R]) -> TaskFunction[P, R]:
        function = checked_function(given, origin)
        return TaskFunction(
            function=function,
            identity=identity_of(identity, origin),
            shared_for=seconds(shared_for, "shared_for", origin),
            **options(
                name or own_name(function, origin),
                origin,
                after=after,
                retries=retries,
                retry_delay=retry_delay,
                timeout=timeout,
                emits=emits,
                freshness=freshness,
                dependencies=dependencies,
                cluster=cluster,
            ),
        )

    return make if function is None else make(function)


def command(
    name: str,
    command: Sequence[str],
    *,
    after: After = None,
    environment: Mapping[str, str] | None = None,
    retries: int = 0,
    retry_delay: Duration = 0,
    timeout: Duration | None = None,
    emits: Emits = None,
    freshness: Freshness | None = None,
    dependencies: Dependencies = (),
    cluster: str | None = None,
) -> Command:
    """State a task that runs a program; `{month}` in an argument is the parameter's value."""
    origin = caller()
    return Command(
        command=checked_texts(command, "command", origin),
        environment=text_map(environment or {}, "environment", origin),
        **options(
            name,
            origin,
            after=after,
            retries=retries,
            retry_delay=retry_delay,
            timeout=timeout,
            emits=emits,
            freshness=freshness,
            dependencies=dependencies,
            cluster=cluster,
        ),
    )


def spark_submit(
    name: str,
    file: str,
    *,
    main: str | None = None,
    args: Sequence[str] = (),
    conf: Mapping[str, Any] | None = None,
    after: After = None,
    retries: int = 0,
    retry_delay: Duration = 0,
    timeout: Duration | None = None,
    emits: Emits = None,
    freshness: Freshness | None = None,
    dependencies: Dependencies = (),
    cluster: str | None = None,
) -> SparkSubmit:
    """State a task that hands a jar (with its `main` class) or a Python file to `spark-submit`."""
    origin = caller()
    return SparkSubmit(
        file=checked_text(file, "file", origin),
        main=main,
        args=checked_texts(args, "args", origin, least=0),
        conf=text_map(conf or {}, "conf", origin),
        **options(
            name,
            origin,
            after=after,
            retries=retries,
            retry_delay=retry_delay,
            timeout=timeout,
            emits=emits,
            freshness=freshness,
            dependencies=dependencies,
            cluster=cluster,
        ),
    )


def group(
    name: str,
    *,
    tasks: Iterable[Handle],
    after: After = None,
    freshness: Freshness | None = None,
    dependencies: Dependencies = (),
) -> Group:
    """Put tasks under one name; they succeed or fail together."""
    origin = caller()
    return Group(
        tasks=checked_tasks(tasks, origin),
        **options(name, origin, after=after, freshness=freshness, dependencies=dependencies),
    )


def checked_tasks(tasks: Iterable[Handle], origin: Origin) -> tuple[Handle, ...]:
    """Return what was listed as tasks, all of which must be such."""
    found = tuple(tasks)
    for one in found:
        if not isinstance(one, Handle):
            raise DefinitionError(
                f"{origin}: {one!r} is no task: decorate a function with @lg.task, "
                "or use lg.command, lg.sql, lg.spark_submit, lg.group, lg.pipeline and such"
            )
    return found


def identity_of(names: Sequence[str] | None, origin: Origin) -> tuple[str, ...] | None:
    """Return the names of parameters that say which task it is, each once and in order."""
    if names is None:
        return None
    return tuple(sorted(set(checked_texts(names, "identity", origin, least=0))))
