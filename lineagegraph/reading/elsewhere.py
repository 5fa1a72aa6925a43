"""The jobs elsewhere that the tasks of a pipeline depend on."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lineagegraph.model.freshness.terms import Dependency
from lineagegraph.reading.jobs import TaskJob


class Name(NamedTuple):
    """A job by its full name."""

    namespace: str
    fqn: str


class Elsewhere(NamedTuple):
    """A task that depends on a job which is not beside it."""

    child: TaskJob
    parent: Name
    dependency: Dependency


def list_elsewhere(tasks: Iterable[TaskJob]) -> Iterator[Elsewhere]:
    """Yield each dependency of tasks on a job elsewhere."""
    for child in tasks:
        for one in child.task.dependencies:
            if not _is_beside(one, child):
                name = Name(one.namespace or child.name.namespace, one.job)
                yield Elsewhere(child, name, one)


def list_beside(tasks: Iterable[TaskJob]) -> Iterator[tuple[TaskJob, tuple[str, ...], Dependency]]:
    """Yield each dependency of tasks on one beside them, with the path of that."""
    for child in tasks:
        for one in child.task.dependencies:
            if _is_beside(one, child):
                yield child, (*child.path[:-1], one.job), one


def _is_beside(one: Dependency, child: TaskJob) -> bool:
    return one.namespace is None and one.job in child.task.after
