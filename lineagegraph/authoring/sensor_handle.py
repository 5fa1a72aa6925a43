"""A stated sensor: a task, a condition of a trigger, or a wait in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any

from lineagegraph.authoring.canonical import captured
from lineagegraph.authoring.checked_values import texts_in
from lineagegraph.authoring.declared import project_root
from lineagegraph.authoring.functions import (
    SPARK,
    arguments_of,
    check_placeholders,
    function_of,
    module_of,
)
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.project_scope import ProjectScope
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.definition import PythonTask, SensorTask
from lineagegraph.model.waits import WaitTerms

if TYPE_CHECKING:
    from lineagegraph.sensors import Sensor
import msgspec

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import InvalidSensor
from lineagegraph.model.triggers.condition import OnSensor

_CURSOR = "cursor"


@dataclass(frozen=True, eq=False, kw_only=True)
class SensorHandle(Handle):
    """A kind of sensor with its poke fields, and the terms of the wait."""

    #: kind of the sensor
    kind: str
    #: poke fields of that kind, by name
    fields: Mapping[str, Any] = field(default_factory=dict)
    #: duration and intervals of the wait
    terms: WaitTerms = field(default_factory=WaitTerms)
    #: callable to poll; None for other kinds
    function: Callable[..., Any] | None = None

    def work(self, parameters: Sequence[str]) -> SensorTask:
        """Return the sensor; raise `DefinitionError` for a `{name}` that is not a parameter."""
        fields = dict(self.fields)
        if self.function:
            fields["arguments"] = self._arguments(parameters)
        check_placeholders(texts_in(fields), self.name, parameters, self.origin)
        return SensorTask(
            kind=self.kind,
            fields=fields,
            call=self._call() if self.function else None,
            **{name: getattr(self.terms, name) for name in self.terms.__struct_fields__},
        )

    def sensor(self, namespace: str | None = None) -> Sensor:
        """Return the sensor to poke; its fields have no parameters in them.

        A job without a namespace is in the one given here, or in the installation's.
        """
        # Kinds of sensors import large libraries, which reading a definition does not need.
        from lineagegraph.sensors import permitted_sensor

        return permitted_sensor(self.kind, self.poke_fields, namespace=namespace)

    @property
    def poke_fields(self) -> dict[str, Any]:
        """The fields of the sensor, a function among them."""
        return {**self.fields, **({"function": self.function} if self.function else {})}

    def _arguments(self, parameters: Sequence[str]) -> dict[str, Any]:
        """Return the arguments of the function: those given, and parameters by name."""
        given = dict(self.fields.get("arguments", {}))
        assert self.function is not None
        bound = given
        if _CURSOR in signature(self.function).parameters and _CURSOR not in parameters:
            bound = {_CURSOR: None} | given  # each poke brings it
        asked = arguments_of(partial(self.function, **bound), self.name, parameters, self.origin)
        if SPARK in asked:
            raise DefinitionError(
                f"{self.origin}: sensor {self.name}: a sensor has no {SPARK} session"
            )
        return {name: f"{{{name}}}" for name in asked} | given

    def _call(self) -> PythonTask:
        function, root = function_of(self.function), project_root(self.origin)
        assert function is not None
        return PythonTask(
            module=module_of(function, root),
            qualname=function.__qualname__,
            captured=captured(self.function, ProjectScope(root)) if self.function else {},
        )


def watched(handle: SensorHandle, origin: Origin) -> OnSensor:
    """Return the condition of a trigger for a sensor; a function goes into it by value."""
    from lineagegraph.sensors import encode_sensor

    try:
        sensor = handle.sensor()
    except InvalidSensor as error:
        raise DefinitionError(f"{origin}: {error}") from None
    fields = dict(handle.fields)
    if handle.function:
        fields = msgspec.json.decode(encode_sensor(sensor))
    return OnSensor(
        kind=handle.kind,
        fields=fields,
        poke_interval=handle.terms.poke_interval,
        poke_backoff=handle.terms.poke_backoff,
        max_poke_interval=handle.terms.max_poke_interval,
    )
