"""What a definition file calls to state tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar, overload

from lineagegraph.definitions.checked_function import checked_function, own_name
from lineagegraph.definitions.durations import Duration, seconds
from lineagegraph.definitions.emits import Emits, declare_emits
from lineagegraph.definitions.handle import Handle
from lineagegraph.definitions.kinds import Command, Group, SparkSubmit, TaskFunction
from lineagegraph.definitions.names import checked_name
from lineagegraph.definitions.origin import Origin, caller
from lineagegraph.definitions.texts import checked_text, checked_texts, text_map
from lineagegraph.errors import DefinitionError

P = ParamSpec("P")
R = TypeVar("R")
After = Handle | str | Iterable[Handle | str] | None


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
) -> Any:
    """Make a function a task; it can still be called by hand.

    It may be a lambda, a closure, a `functools.partial`, a method or an object that is called.
    Its arguments are `spark` (a session) and parameters of its pipeline. A failed attempt is
    repeated `retries` times, after `retry_delay`; `timeout` bounds one attempt. `emits` maps the
    names of the values that it may emit to their types; without it, it may emit anything.
    """
    origin = caller()

    def make(given: Callable[P, R]) -> TaskFunction[P, R]:
        function = checked_function(given, origin)
        named = checked_name(name or own_name(function, origin), "task", origin)
        return TaskFunction(
            function=function,
            name=named,
            origin=origin,
            after=afters(after, origin),
            retries=_count(retries, origin),
            retry_delay=seconds(retry_delay, "retry_delay", origin),
            timeout=_timeout(timeout, origin),
            emits=declare_emits(emits, named, origin),
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
) -> Command:
    """State a task that runs a program; `{month}` in an argument is the parameter's value."""
    origin = caller()
    return Command(
        name=checked_name(name, "task", origin),
        command=checked_texts(command, "command", origin),
        environment=text_map(environment or {}, "environment", origin),
        origin=origin,
        after=afters(after, origin),
        retries=_count(retries, origin),
        retry_delay=seconds(retry_delay, "retry_delay", origin),
        timeout=_timeout(timeout, origin),
        emits=declare_emits(emits, name, origin),
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
) -> SparkSubmit:
    """State a task that hands a jar (with its `main` class) or a Python file to `spark-submit`."""
    origin = caller()
    return SparkSubmit(
        name=checked_name(name, "task", origin),
        file=checked_text(file, "file", origin),
        main=main,
        args=checked_texts(args, "args", origin, least=0),
        conf=text_map(conf or {}, "conf", origin),
        origin=origin,
        after=afters(after, origin),
        retries=_count(retries, origin),
        retry_delay=seconds(retry_delay, "retry_delay", origin),
        timeout=_timeout(timeout, origin),
        emits=declare_emits(emits, name, origin),
    )


def group(name: str, *, tasks: Iterable[Handle], after: After = None) -> Group:
    """Put tasks under one name; they succeed or fail together."""
    origin = caller()
    return Group(
        name=checked_name(name, "group", origin),
        tasks=checked_tasks(tasks, origin),
        origin=origin,
        after=afters(after, origin),
    )


def checked_tasks(tasks: Iterable[Handle], origin: Origin) -> tuple[Handle, ...]:
    """Return what was listed as tasks, all of which must be such."""
    found = tuple(tasks)
    for one in found:
        if not isinstance(one, Handle):
            raise DefinitionError(
                f"{origin}: {one!r} is no task: decorate a function with @lg.task, "
                "or use lg.command, lg.spark_submit, lg.group or lg.pipeline"
            )
    return found


def afters(after: After, origin: Origin) -> tuple[Handle | str, ...]:
    """Return what `after` names, which may be one task or several."""
    if after is None:
        return ()
    found = (after,) if isinstance(after, Handle | str) else after
    if not isinstance(found, Iterable) or not all(isinstance(one, Handle | str) for one in found):
        raise DefinitionError(f"{origin}: after={after!r} must be tasks or names of tasks")
    return tuple(found)


def _count(retries: object, origin: Origin) -> int:
    if not isinstance(retries, int) or isinstance(retries, bool) or retries < 0:
        raise DefinitionError(f"{origin}: retries={retries!r} must be 0 or more")
    return retries


def _timeout(timeout: Duration | None, origin: Origin) -> float | None:
    if timeout is None:
        return None
    limit = seconds(timeout, "timeout", origin)
    if limit == 0:
        raise DefinitionError(f"{origin}: timeout={timeout!r} leaves no time")
    return limit
