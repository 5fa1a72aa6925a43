"""A task of a batch file that waits for something."""

from dataclasses import replace
from typing import Any

from lineagegraph.authoring.batch_files.functions import read_function
from lineagegraph.authoring.batch_files.node import Node, text
from lineagegraph.authoring.batch_files.terms import duration_of
from lineagegraph.authoring.durations import Duration
from lineagegraph.authoring.origin import Origin
from lineagegraph.authoring.sensor_handle import SensorHandle
from lineagegraph.authoring.sensor_terms import read_terms
from lineagegraph.authoring.sensors import PYTHON, check_fields
from lineagegraph.authoring.task_options import Options

SENSOR = ("pokeInterval", "executionTimeout", "softFail", "onSuccess", "onFailure", "onRetry")
_NOT_FOR_SENSORS = ("emits", "retryDelay", "cluster")
_KIND = "kind"


def read_sensor(node: Node, members: dict[str, Node], given: Options) -> SensorHandle:
    """Return a task that waits for what `sensor` has: a kind, and its poke fields."""
    for key in _NOT_FOR_SENSORS:
        if key in members:
            raise members[key].fault("is not for tasks with sensor: they run nothing")
    said = node.entries()
    if _KIND not in said:
        raise node.fault(f"needs a `{_KIND}`, such as file")
    kind = said[_KIND].text()
    fields = {name: one for name, one in said.items() if name != _KIND}
    named = fields.get("function") if kind == PYTHON else None
    function = read_function(named).function if named else None
    terms = read_terms(
        given["origin"],
        timeout=_duration(members, "timeout") or "7d",
        poke_interval=_duration(members, "pokeInterval") or "1m",
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
        fields=check_fields(kind, _plain(fields), replace(node.origin, parts=_places(said))),
        terms=terms,
        function=function,
        **(given | {"timeout": terms.attempt_seconds}),
    )


def _duration(members: dict[str, Node], name: str) -> Duration | None:
    return duration_of(members[name]) if name in members else None


def _plain(fields: dict[str, Node]) -> dict[str, Any]:
    return {name: one.plain() for name, one in fields.items()}


def _places(said: dict[str, Node]) -> dict[str, Origin]:
    return {name: one.origin for name, one in said.items()}
