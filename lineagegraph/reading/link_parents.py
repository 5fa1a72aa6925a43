"""Write the dependencies of a pipeline's tasks as relationships between their jobs."""

from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from lineagegraph.errors import DefinitionCycle
from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.terms import Dependency
from lineagegraph.model.names.keys import name_job
from lineagegraph.reading.task_jobs import FullName, TaskJob, list_beside, list_elsewhere
from lineagegraph.store.freshness import dependencies
from lineagegraph.store.jobs import jobs


class DependencyCircle(DefinitionCycle):
    """Jobs that would wait for each other, by their keys."""

    def __init__(self, keys: list[str], names: list[str]) -> None:
        path = " -> ".join(names)
        super().__init__(
            f"tasks wait for each other in a circle: {path}: remove one of the dependencies"
        )
        self.keys = keys


def link_parents(tx: Transaction, pipelines: Sequence[Sequence[TaskJob]]) -> None:
    """Link the tasks of each pipeline to their parents, which may be unknown yet.

    Raises `DependencyCircle` if jobs would wait for each other.
    """
    rows = [_row(*one) for tasks in pipelines for one in _beside(tasks)]
    elsewhere = [one for tasks in pipelines for one in list_elsewhere(tasks)]
    named = _jobs_named(tx, {one.parent for one in elsewhere})
    rows += [_row(one.child, named[one.parent], one.dependency) for one in elsewhere]
    dependencies.link_parents(tx, rows=rows)
    _check_circle(tx, set(named.values()))


def adopt_stubs(tx: Transaction, keys: list[str]) -> set[str]:
    """Replace stubs by the jobs that have their names; return the keys of those that had one."""
    found = jobs.list_replaced(tx, keys=keys)
    jobs.link_attached(tx, rows=[{"old_key": one.old_key, "new_key": one.new_key} for one in found])
    jobs.delete_empty(tx, keys=sorted({one.old_key for one in found}))
    return {one.new_key for one in found}


def _jobs_named(tx: Transaction, names: set[FullName]) -> dict[FullName, str]:
    """Return the keys of jobs by name; an unknown job becomes a stub."""
    asked = [name._asdict() for name in sorted(names)]
    found = dependencies.list_named(tx, rows=asked)
    known = {FullName(one.namespace, one.fqn): one.key for one in found if one.key}
    stubs = {name: name_job(name.namespace, name.fqn) for name in sorted(names - known.keys())}
    jobs.merge_jobs(tx, rows=[jobs.job_row(stub, None) for stub in stubs.values()])
    return known | {name: stub.key for name, stub in stubs.items()}


def _beside(tasks: Sequence[TaskJob]) -> Iterator[tuple[TaskJob, str, Dependency]]:
    keys = {task.path: task.name.key for task in tasks}
    for child, path, one in list_beside(tasks):
        yield child, keys[path], one


def _row(child: TaskJob, parent_key: str, dependency: Dependency) -> dict[str, Any]:
    terms = dependency.freshness
    return {
        "key": child.name.key,
        "parent_key": parent_key,
        "terms": {
            "max_age": terms.max_age,
            "since": terms.since,
            "zone": terms.zone,
            "counts": terms.counts.value if terms.counts else None,
            "any_partition": terms.any_partition,
            "unchanged": terms.unchanged,
            "when_skipped": dependency.when_skipped.value,
            "when_newer": dependency.when_newer.value,
            "external": dependency.external,
            "recheck": dependency.recheck,
            "wait": dependency.wait,
        },
    }


def _check_circle(tx: Transaction, keys: set[str]) -> None:
    """Walk all dependencies: a group waits before its members, and members before the group."""
    names: dict[str, str] = {}
    awaited: dict[str, list[str]] = {}
    seen, level = set(keys), keys
    while level:
        next_keys: set[str] = set()
        for one in dependencies.walk_awaited(tx, keys=sorted(level)):
            names |= {one.key: one.fqn, one.next_key: one.next_fqn}
            awaited.setdefault(one.key, []).append(one.next_key)
            next_keys.add(one.next_key)
        level = next_keys - seen
        seen |= level
    try:
        TopologicalSorter(awaited).prepare()
    except CycleError as error:
        raise DependencyCircle(error.args[1], [names[key] for key in error.args[1]]) from None
