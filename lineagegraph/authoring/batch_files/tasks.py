"""Read the tasks of a batch file."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from lineagegraph.authoring.batch_files.functions import read_function
from lineagegraph.authoring.batch_files.node import JsonNode, entries, plain, text
from lineagegraph.authoring.batch_files.terms import OWN, duration_of, own_terms, read_parents
from lineagegraph.authoring.batch_tasks import (
    checked_mode,
    checked_target,
    notebook_params,
    query_text,
)
from lineagegraph.authoring.checked_values import Duration, text_map
from lineagegraph.authoring.declared import project_file
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.kinds import Command, Notebook, Query, SparkSubmit, TaskFunction
from lineagegraph.authoring.origin import Origin
from lineagegraph.authoring.sensor_handle import SensorHandle
from lineagegraph.authoring.sensors import PYTHON, check_fields, read_terms
from lineagegraph.authoring.task_functions import checked_function
from lineagegraph.authoring.task_options import HandleFields, checked_options
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.emits import EMIT_TYPES

SENSOR = (
    *("pokeInterval", "pokeBackoff", "maxPokeInterval", "executionTimeout", "softFail"),
    *("onSuccess", "onFailure", "onRetry"),
)
_NOT_FOR_SENSORS = ("emits", "retryDelay", "cluster")
_KIND = "kind"


def read_sensor(node: JsonNode, members: dict[str, JsonNode], given: HandleFields) -> SensorHandle:
    """Return the task of a `sensor`: a kind with its poke fields."""
    for key in _NOT_FOR_SENSORS:
        if key in members:
            raise members[key].fault("is not allowed for a sensor task: it runs no code")
    given_fields = node.entries()
    if _KIND not in given_fields:
        raise node.fault(f"needs a `{_KIND}`, such as file")
    kind = given_fields[_KIND].text()
    fields = {name: one for name, one in given_fields.items() if name != _KIND}
    named = fields.get("function") if kind == PYTHON else None
    function = read_function(named).function if named else None
    terms = read_terms(
        given["origin"],
        timeout=_duration(members, "timeout") or "7d",
        poke_interval=_duration(members, "pokeInterval") or "1m",
        poke_backoff=members["pokeBackoff"].number() if "pokeBackoff" in members else 1.0,
        max_poke_interval=_duration(members, "maxPokeInterval") or "1h",
        execution_timeout=_duration(members, "executionTimeout"),
        retries=given["retries"],
        soft_fail=members["softFail"].flag() if "softFail" in members else False,
        mode=text(members, "mode") or "smart",
        on_success=text(members, "onSuccess"),
        on_failure=text(members, "onFailure"),
        on_retry=text(members, "onRetry"),
    )
    return SensorHandle(
        kind=kind,
        fields=check_fields(
            kind, _plain(fields), replace(node.origin, parts=_places(given_fields))
        ),
        terms=terms,
        function=function,
        **(given | {"timeout": terms.attempt_seconds}),
    )


def _duration(members: dict[str, JsonNode], name: str) -> Duration | None:
    return duration_of(members[name]) if name in members else None


def _plain(fields: dict[str, JsonNode]) -> dict[str, Any]:
    return {name: one.plain() for name, one in fields.items()}


def _places(fields: dict[str, JsonNode]) -> dict[str, Origin]:
    return {name: one.origin for name, one in fields.items()}


KINDS = ("sql", "callable", "notebook", "spark_submit", "command", "sensor")
_BELONGS = {
    "target": ("sql",),
    "mode": ("sql", "sensor"),
    "environment": ("command",),
    "params": ("notebook",),
    **dict.fromkeys(SENSOR, ("sensor",)),
}
WORK = (*KINDS, *_BELONGS)


def read_work(task: JsonNode, members: dict[str, JsonNode], options: HandleFields) -> Handle:
    """Return a task with its one kind of work."""
    kinds = [kind for kind in KINDS if kind in members]
    if not kinds:
        raise task.fault(f"has no work: give it one of {', '.join(KINDS)}")
    if len(kinds) > 1:
        raise members[kinds[1]].fault(
            f"a task has one kind of work, and this one has {kinds[0]} too"
        )
    kind = kinds[0]
    for key, owners in _BELONGS.items():
        if key in members and kind not in owners:
            raise members[key].fault(
                f"is for tasks with {' or '.join(owners)}, and this one has {kind}"
            )
    return _READ[kind](members[kind], members, options)


def _sql(node: JsonNode, members: dict[str, JsonNode], options: HandleFields) -> Handle:
    mode, target = members.get("mode"), members.get("target")
    return Query(
        sql=_query(node),
        target=checked_target(target.text(), target.origin) if target else None,
        mode=checked_mode(mode.text(), mode.origin) if mode else "overwrite",
        **options,
    )


def _query(node: JsonNode) -> str:
    if isinstance(node.value, str):
        return query_text(node.text(), node.origin)
    file = node.members(("file",)).get("file")
    if file is None:
        raise node.fault('must be a query, or {"file": …}')
    return query_text(Path(file.text()), file.origin)


def _callable(node: JsonNode, members: dict[str, JsonNode], options: HandleFields) -> Handle:
    function = checked_function(read_function(node).function, node.origin)
    return TaskFunction(function=function, **options)


def _notebook(node: JsonNode, members: dict[str, JsonNode], options: HandleFields) -> Handle:
    origin = members.get("params", node).origin
    params = notebook_params(entries(members, "params"), options["name"], origin)
    file = project_file(node.text(), "notebook", node.origin)
    return Notebook(file=file, params=params, **options)


def _spark_submit(node: JsonNode, members: dict[str, JsonNode], options: HandleFields) -> Handle:
    given = node.members(("jar", "file", "main", "args", "conf"))
    files = [given[key] for key in ("jar", "file") if key in given]
    if len(files) != 1:
        raise node.fault("needs one `jar` or `file`")
    return SparkSubmit(
        file=_submitted(files[0]),
        main=text(given, "main"),
        args=tuple(given["args"].texts()) if "args" in given else (),
        conf=text_map(entries(given, "conf"), "conf", node.origin),
        **options,
    )


def _submitted(node: JsonNode) -> str:
    """Return a file of the project; a file elsewhere has an absolute path or a URL."""
    name = node.text()
    is_elsewhere = ":" in name or "{" in name or Path(name).is_absolute()
    return name if is_elsewhere else project_file(name, "file", node.origin)


def _command(node: JsonNode, members: dict[str, JsonNode], options: HandleFields) -> Handle:
    words = node.texts()
    if not words:
        raise node.fault("is empty")
    return Command(
        command=tuple(words),
        environment=text_map(entries(members, "environment"), "environment", node.origin),
        **options,
    )


_READ = {
    "sql": _sql,
    "callable": _callable,
    "notebook": _notebook,
    "spark_submit": _spark_submit,
    "command": _command,
    "sensor": read_sensor,
}


TASK = (
    *WORK,
    *OWN,
    *("dependencies", "dependenciesWithMeta", "retries", "retryDelay", "timeout", "emits"),
    "cluster",
)


def read_tasks(node: JsonNode) -> list[Handle]:
    """Return the tasks of a batch: an object of them by name, or a list of tasks with an `id`."""
    if isinstance(node.value, list):
        return [_read(name, one, ("id", *TASK)) for name, one in _listed(node)]
    return [_read(name, one, TASK) for name, one in node.entries().items()]


def _listed(node: JsonNode) -> Iterator[tuple[str, JsonNode]]:
    seen: dict[str, JsonNode] = {}
    for one in node.items():
        id_ = one.entries().get("id")
        if id_ is None:
            raise one.fault("a task in a list needs an `id`")
        name = id_.text()
        if name in seen:
            raise id_.fault(f"{name!r} is the id of the task on line {seen[name].origin.line} too")
        seen[name] = id_
        yield name, one


def _read(name: str, node: JsonNode, known: tuple[str, ...]) -> Handle:
    members = node.members(known)
    delay, timeout = members.get("retryDelay"), members.get("timeout")
    return read_work(
        node,
        members,
        checked_options(
            name,
            node.located(members),
            retries=plain(members, "retries", 0),
            retry_delay=duration_of(delay) if delay else 0,
            timeout=duration_of(timeout) if timeout else None,
            emits=_emits(members.get("emits")),
            freshness=own_terms(members),
            dependencies=read_parents(members),
            cluster=text(members, "cluster"),
        ),
    )


def _emits(node: JsonNode | None) -> dict[str, type] | None:
    if node is None:
        return None
    return {name: _type(one) for name, one in node.entries().items()}


def _type(node: JsonNode) -> type:
    name = node.text()
    if name not in EMIT_TYPES:
        raise node.fault(f"{name!r} is not a type{did_you_mean(name, EMIT_TYPES)}")
    return EMIT_TYPES[name]
