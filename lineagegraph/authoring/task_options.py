"""The options that every kind of task accepts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict, Unpack

from lineagegraph.authoring.checked_values import Duration, checked_name, checked_texts, seconds
from lineagegraph.authoring.handle import Depends, Handle
from lineagegraph.authoring.origin import Origin
from lineagegraph.authoring.pool_options import (
    POOL_DEFAULTS,
    PoolFields,
    PoolOptions,
    checked_pool,
)
from lineagegraph.authoring.retry_options import (
    RETRY_DEFAULTS,
    RetryFields,
    RetryOptions,
    checked_retry,
)
from lineagegraph.authoring.terms import today
from lineagegraph.errors import DefinitionError
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.environment import check_pattern
from lineagegraph.model.pipelines.definition import Emit
from lineagegraph.model.pipelines.emits import EMIT_TYPES
from lineagegraph.model.pipelines.when import When

# Sizes as Spark spells them, such as 512m.
_SIZE = re.compile(r"(\d+)([kmgt]?)b?")
_SHIFTS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}

After = Handle | str | Iterable[Handle | str] | None
Dependencies = Handle | Depends | str | Iterable[Handle | Depends | str]
Emits = Mapping[str, type] | None


class GroupOptions(TypedDict, total=False):
    """The options of a group of tasks."""

    #: tasks beside it, or their names, that must succeed first
    after: After
    #: terms for its own success; batches only
    freshness: Freshness | None
    #: tasks and jobs whose success it needs; batches only
    dependencies: Dependencies
    #: rule about the ends of the tasks before it, such as `all_done`
    when: str


class TaskOptions(GroupOptions, RetryOptions, PoolOptions, total=False):
    """The options of a task."""

    #: limit for one attempt
    timeout: Duration | None
    #: names of the values that the task may emit, with their types; None allows any
    emits: Emits
    #: name of the cluster it runs on; batches only
    cluster: str | None
    #: names of environment variables that it gets besides the usual ones, or patterns (`AWS_*`)
    pass_env: Sequence[str]
    #: limit of the memory of its processes: bytes, or text such as "2g"
    memory: int | str | None
    #: limit of their CPU time for one attempt
    cpu_time: Duration | None
    #: whether it cleans up: it also runs in a cancelled run, and its failure fails no run
    teardown: bool


TASK_DEFAULTS = TaskOptions(
    **RETRY_DEFAULTS,
    **POOL_DEFAULTS,
    after=None,
    timeout=None,
    emits=None,
    freshness=None,
    dependencies=(),
    cluster=None,
    pass_env=(),
    memory=None,
    cpu_time=None,
    when=When.ALL_SUCCESS,
    teardown=False,
)


class HandleFields(RetryFields, PoolFields):
    """The fields of a `Handle` that do not describe its work."""

    #: the task's name, unique among its siblings
    name: str
    #: the line that states it
    origin: Origin
    #: tasks beside it, or their names, that must succeed first
    after: tuple[Handle | str, ...]
    #: seconds that one attempt may take; None has no limit
    timeout: float | None
    #: the values that it may emit; None allows any
    emits: tuple[Emit, ...] | None
    #: terms for its own success; batches only
    freshness: Freshness | None
    #: tasks and jobs whose success it needs; batches only
    dependencies: tuple[Depends, ...]
    #: name of the cluster it runs on; batches only
    cluster: str | None
    #: names and patterns of environment variables that it gets besides the usual ones
    pass_env: tuple[str, ...]
    #: bytes that its processes may use; None has no limit
    memory: int | None
    #: seconds of CPU time that its processes may use; None has no limit
    cpu_time: float | None
    #: rule about the ends of the tasks before it
    when: When
    #: whether it cleans up after the tasks before it
    teardown: bool


def checked_options(name: str, origin: Origin, **options: Unpack[TaskOptions]) -> HandleFields:
    """Check the options of a task, and return them as fields of its handle."""
    given = TASK_DEFAULTS | options
    cluster = given["cluster"]
    retry = checked_retry(
        origin,
        retries=given["retries"],
        retry_delay=given["retry_delay"],
        retry_backoff=given["retry_backoff"],
        retry_jitter=given["retry_jitter"],
        max_retry_delay=given["max_retry_delay"],
    )
    pool = checked_pool(
        origin, pool=given["pool"], pool_slots=given["pool_slots"], priority=given["priority"]
    )
    return HandleFields(
        name=checked_name(name, "task", origin),
        origin=origin,
        after=checked_after(given["after"], origin),
        **retry,
        **pool,
        timeout=limit_seconds("timeout", given["timeout"], origin),
        emits=declare_emits(given["emits"], name, origin.at("emits")),
        freshness=checked_freshness(given["freshness"], origin.at("freshness")),
        dependencies=checked_dependencies(given["dependencies"], origin),
        cluster=None if cluster is None else checked_name(cluster, "cluster", origin.at("cluster")),
        pass_env=checked_variables(given["pass_env"], origin.at("pass_env")),
        memory=memory_bytes(given["memory"], origin.at("memory")),
        cpu_time=limit_seconds("cpu_time", given["cpu_time"], origin),
        when=checked_when(given["when"], origin.at("when")),
        teardown=checked_teardown(given["teardown"], origin.at("teardown")),
    )


def checked_variables(names: Sequence[str], origin: Origin) -> tuple[str, ...]:
    """Return names and patterns of environment variables, each once and sorted."""
    listed = checked_texts(names, "pass_env", origin, least=0)
    try:
        return tuple(sorted({check_pattern(name) for name in listed}))
    except ValueError as error:
        raise DefinitionError(f"{origin}: pass_env: {error}") from None


def checked_after(after: After, origin: Origin) -> tuple[Handle | str, ...]:
    """Return the tasks in `after`, which may be one task or several."""
    if after is None:
        return ()
    tasks = (after,) if isinstance(after, Handle | str) else after
    if not isinstance(tasks, Iterable) or not all(isinstance(one, Handle | str) for one in tasks):
        raise DefinitionError(f"{origin}: after={after!r} must be tasks or names of tasks")
    return tuple(tasks)


def checked_dependencies(dependencies: Dependencies, origin: Origin) -> tuple[Depends, ...]:
    """Return the parents in `dependencies`: tasks, job names, or `lg.depends(…)`."""
    is_one = isinstance(dependencies, Handle | Depends | str)
    listed = (dependencies,) if is_one else dependencies
    if not isinstance(listed, Iterable):
        raise DefinitionError(f"{origin}: dependencies={dependencies!r} must be a list")
    return tuple(_parent(parent, origin) for parent in listed)


def checked_freshness(freshness: object, origin: Origin) -> Freshness | None:
    """Return terms of freshness, if any are given."""
    if freshness is not None and not isinstance(freshness, Freshness):
        raise DefinitionError(f"{origin}: freshness={freshness!r} must be lg.freshness(…)")
    return freshness


def checked_when(when: object, origin: Origin) -> When:
    """Return the rule about the ends of the tasks before a task."""
    try:
        return When(str(when))
    except ValueError:
        known = ", ".join(When)
        raise DefinitionError(f"{origin}: when={when!r} must be one of {known}") from None


def checked_teardown(teardown: object, origin: Origin) -> bool:
    """Return whether a task cleans up."""
    if not isinstance(teardown, bool):
        raise DefinitionError(f"{origin}: teardown={teardown!r} must be True or False")
    return teardown


def limit_seconds(option: str, given: Duration | None, origin: Origin) -> float | None:
    """Return a limit in seconds; None has no limit."""
    if given is None:
        return None
    limit = seconds(given, option, origin.at(option))
    if limit == 0:
        raise DefinitionError(f"{origin.at(option)}: {option}={given!r} must be more than 0")
    return limit


def memory_bytes(memory: int | str | None, origin: Origin) -> int | None:
    """Return a limit of memory in bytes; None has no limit."""
    if memory is None:
        return None
    found = _SIZE.fullmatch(str(memory).strip().lower())
    if isinstance(memory, bool) or found is None or not int(found[1]):
        raise DefinitionError(f'{origin}: memory={memory!r} must be bytes, or text such as "2g"')
    return int(found[1]) << _SHIFTS[found[2]]


def declare_emits(emits: Emits, task: str, origin: Origin) -> tuple[Emit, ...] | None:
    """Return the declarations of `emits={name: type}`, sorted by name; None allows any value."""
    if emits is None:
        return None
    if not isinstance(emits, Mapping):
        raise DefinitionError(f"{origin}: task {task}: emits={emits!r} must be {{name: type}}")
    declared = [_declare(name, type_, task, origin) for name, type_ in emits.items()]
    return tuple(sorted(declared, key=lambda emit: emit.name))


def _declare(name: object, type_: object, task: str, origin: Origin) -> Emit:
    where = f"{origin}: task {task}: emits {name!r}"
    if not isinstance(name, str) or not name.isidentifier() or name.startswith("_"):
        raise DefinitionError(f"{where}: use a Python name without a leading _")
    if not isinstance(type_, type) or EMIT_TYPES.get(type_.__name__) is not type_:
        raise DefinitionError(f"{where}: {type_!r} must be one of {', '.join(EMIT_TYPES)}")
    return Emit(name=name, type=type_.__name__)


def _parent(parent: object, origin: Origin) -> Depends:
    if isinstance(parent, Depends):
        return parent
    if isinstance(parent, Handle | str):
        return today(parent, origin)
    raise DefinitionError(
        f"{origin}: {parent!r} is not a dependency: give a task, a job's name, or lg.depends(…)"
    )
