"""What every kind of task may be given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from lineagegraph.authoring.durations import Duration, seconds
from lineagegraph.authoring.emits import Emits, declare_emits
from lineagegraph.authoring.handle import Depends, Handle
from lineagegraph.authoring.names import checked_name
from lineagegraph.authoring.origin import Origin
from lineagegraph.authoring.terms import today
from lineagegraph.errors import DefinitionError
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.pipelines.definition import Emit

After = Handle | str | Iterable[Handle | str] | None
Dependencies = Handle | Depends | str | Iterable[Handle | Depends | str]


class Options(TypedDict):
    """The fields of a `Handle` that are not about its work."""

    name: str
    origin: Origin
    after: tuple[Handle | str, ...]
    retries: int
    retry_delay: float
    timeout: float | None
    emits: tuple[Emit, ...] | None
    freshness: Freshness | None
    dependencies: tuple[Depends, ...]
    cluster: str | None


def options(
    name: str,
    origin: Origin,
    *,
    after: After = None,
    retries: int = 0,
    retry_delay: Duration = 0,
    timeout: Duration | None = None,
    emits: Emits = None,
    freshness: Freshness | None = None,
    dependencies: Dependencies = (),
    cluster: str | None = None,
) -> Options:
    """Return what a task was given, once it is found sound."""
    return Options(
        name=checked_name(name, "task", origin),
        origin=origin,
        after=afters(after, origin),
        retries=count_of(retries, origin.at("retries")),
        retry_delay=seconds(retry_delay, "retry_delay", origin.at("retry_delay")),
        timeout=timeout_of(timeout, origin.at("timeout")),
        emits=declare_emits(emits, name, origin.at("emits")),
        freshness=terms_of(freshness, origin.at("freshness")),
        dependencies=parents(dependencies, origin),
        cluster=None if cluster is None else checked_name(cluster, "cluster", origin.at("cluster")),
    )


def afters(after: After, origin: Origin) -> tuple[Handle | str, ...]:
    """Return what `after` names, which may be one task or several."""
    if after is None:
        return ()
    found = (after,) if isinstance(after, Handle | str) else after
    if not isinstance(found, Iterable) or not all(isinstance(one, Handle | str) for one in found):
        raise DefinitionError(f"{origin}: after={after!r} must be tasks or names of tasks")
    return tuple(found)


def parents(dependencies: Dependencies, origin: Origin) -> tuple[Depends, ...]:
    """Return what `dependencies` names: tasks, names of jobs, or `lg.depends(…)`."""
    one = isinstance(dependencies, Handle | Depends | str)
    found = (dependencies,) if one else dependencies
    if not isinstance(found, Iterable):
        raise DefinitionError(f"{origin}: dependencies={dependencies!r} must be a list")
    return tuple(_parent(parent, origin) for parent in found)


def terms_of(freshness: object, origin: Origin) -> Freshness | None:
    """Return terms of freshness, if there are any."""
    if freshness is not None and not isinstance(freshness, Freshness):
        raise DefinitionError(f"{origin}: freshness={freshness!r} must be lg.freshness(…)")
    return freshness


def count_of(retries: object, origin: Origin) -> int:
    """Return how often a failed attempt is repeated."""
    if not isinstance(retries, int) or isinstance(retries, bool) or retries < 0:
        raise DefinitionError(f"{origin}: retries={retries!r} must be 0 or more")
    return retries


def timeout_of(timeout: Duration | None, origin: Origin) -> float | None:
    """Return how many seconds an attempt may take."""
    if timeout is None:
        return None
    limit = seconds(timeout, "timeout", origin)
    if limit == 0:
        raise DefinitionError(f"{origin}: timeout={timeout!r} leaves no time")
    return limit


def _parent(parent: object, origin: Origin) -> Depends:
    if isinstance(parent, Depends):
        return parent
    if isinstance(parent, Handle | str):
        return today(parent, origin)
    raise DefinitionError(
        f"{origin}: {parent!r} is no dependency: give a task, a job's name, or lg.depends(…)"
    )
