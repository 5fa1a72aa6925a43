"""Differences between the definitions of two pipelines."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from lineagegraph.model.change import Change
from lineagegraph.model.freshness.describe import describe_dependency, describe_freshness
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.pipelines.definition import Pipeline, PipelineTask, Task
from lineagegraph.model.pipelines.hierarchy import tasks_in
from lineagegraph.model.triggers.describe import describe_condition
from lineagegraph.model.triggers.trigger import Trigger

_Path = tuple[str, ...]
_OWN_PLACE = frozenset({"tasks", "parameters", "triggers", "spark", "clusters"})
_NAMED_ELSEWHERE = frozenset({"name", "work", "after", "freshness", "dependencies"})
_UNORDERED = frozenset({"arguments", "constraints"})


class FieldDiff(msgspec.Struct, frozen=True):
    """A field with different values; None if absent."""

    name: str
    before: Any
    after: Any


class PartDiff(msgspec.Struct, frozen=True):
    """The differences of a task (by its path), a parameter or a trigger (by its name)."""

    name: str
    change: Change
    fields: tuple[FieldDiff, ...] = ()


class EdgeDiff(msgspec.Struct, frozen=True):
    """An order of two tasks, by their paths, that was added or removed."""

    first: str
    then: str
    change: Change


class PipelineDiff(msgspec.Struct, frozen=True):
    """All differences; empty if the pipelines are equal, in any order of listing."""

    settings: tuple[FieldDiff, ...] = ()
    parameters: tuple[PartDiff, ...] = ()
    tasks: tuple[PartDiff, ...] = ()
    edges: tuple[EdgeDiff, ...] = ()
    triggers: tuple[PartDiff, ...] = ()

    @property
    def is_same(self) -> bool:
        """Return whether there is no difference."""
        return self == PipelineDiff()


def diff_pipelines(before: Pipeline, after: Pipeline) -> PipelineDiff:
    """Compare two pipelines; a renamed task counts as removed and added."""
    old, new = dict(_tasks(before)), dict(_tasks(after))
    return PipelineDiff(
        settings=tuple(_fields(_settings(before), _settings(after))),
        parameters=tuple(
            _parts(
                {one.name: _plain(one) for one in before.parameters},
                {one.name: _plain(one) for one in after.parameters},
            )
        ),
        tasks=tuple(
            _parts(
                {".".join(path): _said(task) for path, task in old.items()},
                {".".join(path): _said(task) for path, task in new.items()},
            )
        ),
        edges=tuple(_edges(set(_orders(old)), set(_orders(new)))),
        triggers=tuple(_parts(_triggers(before), _triggers(after))),
    )


def task_paths(pipeline: Pipeline) -> list[str]:
    """Return the paths of all tasks, containers first."""
    return list(tasks_by_path(pipeline))


def tasks_by_path(pipeline: Pipeline) -> dict[str, Task]:
    """Return all tasks by path, containers first."""
    return {".".join(path): task for path, task in _tasks(pipeline)}


def _tasks(pipeline: Pipeline) -> Iterator[tuple[_Path, Task]]:
    return _below(pipeline.tasks, ())


def _below(tasks: Iterable[Task], above: _Path) -> Iterator[tuple[_Path, Task]]:
    for task in tasks:
        path = (*above, task.name)
        yield path, task
        yield from _below(tasks_in(task.work), path)


def _orders(tasks: Mapping[_Path, Task]) -> Iterator[tuple[str, str]]:
    for path, task in tasks.items():
        for name in task.after:
            yield ".".join((*path[:-1], name)), ".".join(path)


def _edges(old: set[tuple[str, str]], new: set[tuple[str, str]]) -> Iterator[EdgeDiff]:
    for edge in sorted(old ^ new):
        yield EdgeDiff(*edge, Change.ADDED if edge in new else Change.REMOVED)


def _settings(pipeline: Pipeline) -> dict[str, Any]:
    own = {name: value for name, value in _plain(pipeline).items() if name not in _OWN_PLACE}
    clusters = {f"cluster {one.name}".strip(): _plain(one) for one in pipeline.clusters}
    return own | pipeline.spark | clusters


def _said(task: Task) -> dict[str, Any]:
    """Return a task's fields; for a nested pipeline without its tasks."""
    said = {name: value for name, value in _plain(task).items() if name not in _NAMED_ELSEWHERE}
    said |= _terms(task)
    if isinstance(task.work, PipelineTask):
        inside = task.work.pipeline
        parts = {"parameters": _plain(inside)["parameters"], "params": _plain(task.work)["params"]}
        return said | {"pipeline": inside.name} | _prefixed(_settings(inside)) | parts
    work = _plain(task.work)
    return said | {name: value for name, value in work.items() if name != "tasks"}


def _terms(task: Task) -> dict[str, str]:
    """Return a task's freshness terms and dependencies as text."""
    own = {"freshness": describe_freshness(task.freshness)} if task.freshness else {}
    parents = {
        f"depends on {one.job}" + (f" of {one.namespace}" if one.namespace else ""): one
        for one in task.dependencies
    }
    return own | {name: describe_dependency(one) for name, one in parents.items()}


def _prefixed(said: Mapping[str, Any]) -> dict[str, Any]:
    return {f"pipeline {name}": value for name, value in said.items() if name != "name"}


def _triggers(pipeline: Pipeline) -> dict[str, dict[str, Any]]:
    return {one.name or pipeline.name: _rule(one) for one in pipeline.triggers}


def _rule(trigger: Trigger) -> dict[str, Any]:
    """Return a trigger's fields, with its condition as text."""
    said = {name: value for name, value in _plain(trigger).items() if name != "name"}
    return said | {"when": describe_condition(trigger.when)}


def _parts(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[PartDiff]:
    for name in dict.fromkeys((*old, *new)):
        if name not in new:
            yield PartDiff(name, Change.REMOVED)
        elif name not in old:
            yield PartDiff(name, Change.ADDED)
        elif fields := tuple(_fields(old[name], new[name])):
            yield PartDiff(name, Change.CHANGED, fields)


def _fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[FieldDiff]:
    for name in dict.fromkeys((*old, *new)):
        both = old.get(name), new.get(name)
        if both[0] != both[1] and not (name in _UNORDERED and _sorted(both[0]) == _sorted(both[1])):
            yield FieldDiff(name, *both)


def _sorted(values: Iterable[Any] | None) -> list[str]:
    return sorted(map(canonical_json, values or ()))


def _plain(struct: msgspec.Struct) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(struct)
    return plain
