"""Rows of the nodes of a version: structs and maps become nodes of their own."""

from collections.abc import Iterator
from datetime import datetime
from functools import cache
from types import NoneType
from typing import Any

import msgspec

from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.keys import canonical_hash, canonical_json
from lineagegraph.model.pipelines.definition import (
    AnyWork,
    Cluster,
    Emit,
    Pipeline,
    PipelineTask,
    Task,
)
from lineagegraph.model.triggers.condition import (
    AnyCondition,
    Happening,
    OnAbsent,
    OnFresh,
    OnSensor,
    operands_of,
    tag_of,
)
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.reading.task_jobs import TaskJob

Row = dict[str, Any]
_LARGEST = 2**63
_PLAIN = frozenset({str, bool, NoneType})
_WITH_NODES = (dict, msgspec.Struct)


class Parts(msgspec.Struct, frozen=True):
    """The rows of the parts of a version; `owner` is the hash of the version or its task."""

    #: parameters of pipelines
    parameters: list[Row]
    #: entries of maps, such as Spark settings
    settings: list[Row]
    #: triggers of pipelines
    triggers: list[Row]
    #: conditions of triggers, operands included
    conditions: list[Row]
    #: links from a trigger or condition to its conditions
    operands: list[Row]
    #: comparisons of payloads in conditions
    predicates: list[Row]
    #: limits of triggers
    constraints: list[Row]
    #: arguments of triggers
    arguments: list[Row]
    #: dependencies of tasks with their terms
    dependencies: list[Row]
    #: clusters of batches
    clusters: list[Row]


def task_hash(version: str, path: tuple[str, ...]) -> str:
    """Return a task's hash within its version; without a path, the version's own hash."""
    return canonical_hash([version, *path]) if path else version


def pipeline_properties(pipeline: Pipeline) -> Row:
    """Return the properties of a pipeline's version node."""
    return _properties(pipeline)


def task_properties(job: TaskJob, position: int) -> Row:
    """Return the properties of a task's node; `position` is its place in the version."""
    task, work = job.task, job.task.work
    inside = _properties(work.pipeline) if isinstance(work, PipelineTask) else {}
    return (
        {f"pipeline_{name}": value for name, value in inside.items()}
        | _properties(work)
        | _properties(task)
        | _terms(task.freshness)
        | {
            "path": ".".join(job.path),
            "position": position,
            "runs": tag_of(work),
            "emits": _emitted("name", task.emits),
            "emit_types": _emitted("type", task.emits),
        }
    )


def list_parts(pipeline: Pipeline, tasks: list[TaskJob], version: str) -> Parts:
    """Return the parts of a version, including those of nested pipelines."""
    parts = Parts(*([] for _ in Parts.__struct_fields__))
    _add_pipeline(parts, pipeline, version)
    for job in tasks:
        owner = task_hash(version, job.path)
        parts.settings.extend(_settings(owner, job.task.work))
        parts.dependencies.extend(_dependencies(owner, job.task))
        if isinstance(job.task.work, PipelineTask):
            _add_pipeline(parts, job.task.work.pipeline, owner)
    return parts


def _add_pipeline(parts: Parts, pipeline: Pipeline, owner: str) -> None:
    parts.parameters.extend(_list(owner, pipeline.parameters))
    parts.settings.extend(_settings(owner, pipeline))
    for position, trigger in enumerate(pipeline.triggers):
        _add_trigger(parts, trigger, owner, position)
    for position, cluster in enumerate(pipeline.clusters):
        hash_ = canonical_hash([owner, "cluster", position])
        own = _properties(cluster) | {"position": position}
        parts.clusters.append({"owner": owner, "hash": hash_, "properties": own})
        parts.settings.extend(_settings(hash_, cluster))


def _dependencies(owner: str, task: Task) -> Iterator[Row]:
    for position, one in enumerate(task.dependencies):
        own = _properties(one) | _terms(one.freshness) | {"position": position}
        yield {"owner": owner, "properties": own}


def _terms(freshness: Freshness | None) -> Row:
    own = _properties(freshness) if freshness else {}
    return {f"freshness_{name}": value for name, value in own.items()}


def _add_trigger(parts: Parts, trigger: Trigger, owner: str, position: int) -> None:
    hash_ = canonical_hash([owner, "trigger", position])
    reset = _properties(trigger.reset) if trigger.reset else {}
    own = _properties(trigger) | {f"reset_{name}": value for name, value in reset.items()}
    parts.triggers.append(
        {"owner": owner, "hash": hash_, "properties": own | {"position": position}}
    )
    parts.settings.extend(_settings(hash_, trigger))
    parts.arguments.extend(_list(hash_, trigger.arguments))
    parts.constraints.extend(_list(hash_, trigger.constraints, "kind"))
    _add_condition(parts, trigger.when, hash_, 0)


def _add_condition(parts: Parts, condition: AnyCondition, owner: str, position: int) -> None:
    hash_ = canonical_hash([owner, "condition", position])
    own = _properties(condition) | {"on": tag_of(condition), "position": position}
    if isinstance(condition, OnSensor):
        own["fields"] = canonical_json(condition.fields)
    parts.conditions.append({"hash": hash_, "properties": own})
    parts.operands.append({"owner": owner, "hash": hash_})
    where = condition.where_ if isinstance(condition, Happening) else ()
    parts.predicates.extend(_list(hash_, where))
    of = (condition.of,) if isinstance(condition, OnFresh | OnAbsent) else operands_of(condition)
    for place, operand in enumerate(of):
        _add_condition(parts, operand, hash_, place)


def _list(owner: str, structs: tuple[Any, ...], tag: str | None = None) -> Iterator[Row]:
    for position, one in enumerate(structs):
        own = _properties(one) | {"position": position}
        yield {"owner": owner, "properties": own | ({tag: tag_of(one)} if tag else {})}


def _settings(owner: str, struct: Pipeline | AnyWork | Trigger | Cluster) -> Iterator[Row]:
    """Yield a row for each entry of each map; a value that is not text becomes JSON."""
    for of, entries in _fields(struct):
        for name, value in entries.items() if isinstance(entries, dict) else ():
            is_text = isinstance(value, str)
            own = {"of": of, "name": name, "value": value if is_text else canonical_json(value)}
            yield {"owner": owner, "properties": own | {"is_json": not is_text}}


def _properties(struct: msgspec.Struct | Task) -> Row:
    """Return the fields of a struct that have no nodes of their own."""
    loose = {f.encode_name for f in _fields_of(struct.__class__) if f.type is Any}
    return {
        name: canonical_json(value) if name in loose and value is not None else _plain(value)
        for name, value in _fields(struct)
        if not _has_nodes(value)
    }


def _fields(struct: Any) -> Iterator[tuple[str, Any]]:
    for field in _fields_of(struct.__class__):
        yield field.encode_name, getattr(struct, field.name)


@cache
def _fields_of(struct: Any) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(struct)


def _has_nodes(value: object) -> bool:
    if isinstance(value, tuple):
        return not value or any(isinstance(part, _WITH_NODES) for part in value)
    return isinstance(value, _WITH_NODES)


def _plain(value: object) -> object:
    """Return a value as a Neo4j property; unsupported types become JSON."""
    if type(value) in _PLAIN:
        return value
    plain = msgspec.to_builtins(value, builtin_types=(datetime,))
    is_small = not isinstance(plain, int) or abs(plain) < _LARGEST
    is_texts = isinstance(plain, list | tuple) and all(isinstance(text, str) for text in plain)
    if is_texts or (is_small and isinstance(plain, None | bool | int | float | str | datetime)):
        return plain
    return canonical_json(plain)


def _emitted(field: str, emits: tuple[Emit, ...] | None) -> list[str] | None:
    return None if emits is None else [getattr(emit, field) for emit in emits]
