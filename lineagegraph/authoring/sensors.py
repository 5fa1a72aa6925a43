"""What a definition file calls to state what is waited for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from lineagegraph.authoring.callables import function_of
from lineagegraph.authoring.checked_function import checked_function, own_name
from lineagegraph.authoring.declared import project_root
from lineagegraph.authoring.durations import Duration
from lineagegraph.authoring.module_of import module_of
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.authoring.sensor_handle import SensorHandle
from lineagegraph.authoring.sensor_terms import Callback, read_terms
from lineagegraph.authoring.task_options import After, Dependencies, options
from lineagegraph.authoring.texts import texts_in
from lineagegraph.errors import DefinitionError, InvalidSensor
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.waits.terms import WaitTerms

_PLACE = re.compile(r"\{\w+\}")


def check_fields(kind: str, fields: Mapping[str, Any], origin: Origin) -> dict[str, Any]:
    """Return poke fields; those with the name of a parameter in them are looked at when it is run.

    Raise `DefinitionError` for an unknown kind, an unknown field, a secret, what no sensor has, and
    what the settings forbid.
    """
    # Kinds may need much; a definition without sensors needs none of it.
    from lineagegraph.sensors import permitted_sensor
    from lineagegraph.sensors.secrets import check_no_secrets

    _check_names(kind, fields, origin)
    try:
        if any(_PLACE.search(text) for text in texts_in(fields)):
            check_no_secrets(kind, dict(fields))
        else:
            permitted_sensor(kind, fields)
    except InvalidSensor as error:
        raise DefinitionError(f"{origin}: {error}") from None
    return dict(fields)


def _check_names(kind: str, fields: Mapping[str, Any], origin: Origin) -> None:
    from lineagegraph.sensors.registry import find_kind

    try:
        known = find_kind(kind).__struct_fields__
    except InvalidSensor as error:
        raise DefinitionError(f"{origin.at('kind')}: {error}") from None
    for name in fields:
        if name not in known:
            raise DefinitionError(
                f"{origin.at(name)}: sensor of kind {kind}: it has no field {name}"
                f"{did_you_mean(name, known)}"
            )


PYTHON = "python"


def sensor(
    kind: str | Callable[..., Any],
    name: str | None = None,
    /,
    *,
    after: After = None,
    poke_interval: Duration = "1m",
    timeout: Duration = "7d",
    execution_timeout: Duration | None = None,
    retries: int = 0,
    soft_fail: bool = False,
    mode: str = "smart",
    on_success: Callback = None,
    on_failure: Callback = None,
    on_retry: Callback = None,
    freshness: Freshness | None = None,
    dependencies: Dependencies = (),
    fields: Mapping[str, Any] | None = None,
    **poke_fields: Any,
) -> SensorHandle:
    """State what is waited for: a kind of sensor with its poke fields, or a function to ask.

    As a task it has a `name`, else that of its kind or function; `{month}` in a text of the fields
    is the parameter's value. It is looked at every `poke_interval`, and an attempt ends after
    `timeout`, or `execution_timeout` where that is shorter; after `retries` more it FAILED, or with
    `soft_fail` is SKIPPED. `mode="exclusive"` looks for this wait alone, in its run's own process.
    Poke fields that have the name of an argument here go into `fields`.
    """
    origin = caller()
    terms = read_terms(
        origin,
        poke_interval=poke_interval,
        timeout=timeout,
        execution_timeout=execution_timeout,
        retries=retries,
        soft_fail=soft_fail,
        mode=mode,
        on_success=on_success,
        on_failure=on_failure,
        on_retry=on_retry,
    )
    function = None if isinstance(kind, str) else checked_function(kind, origin)
    said = {**(fields or {}), **poke_fields}
    if function is not None:
        said = {"function": _named(function, origin)} | said
    return state_sensor(
        name or (own_name(function, origin) if function is not None else str(kind)),
        origin,
        PYTHON if function is not None else str(kind),
        said,
        terms,
        function=function,
        after=after,
        freshness=freshness,
        dependencies=dependencies,
    )


def state_sensor(
    name: str,
    origin: Origin,
    kind: str,
    fields: Mapping[str, Any],
    terms: WaitTerms,
    *,
    function: Callable[..., Any] | None = None,
    after: After = None,
    freshness: Freshness | None = None,
    dependencies: Dependencies = (),
) -> SensorHandle:
    """State a sensor at a place, once its kind and poke fields are found sound."""
    return SensorHandle(
        kind=kind,
        fields=check_fields(kind, fields, origin),
        terms=terms,
        function=function,
        **options(
            name,
            origin,
            after=after,
            retries=terms.retries,
            timeout=terms.attempt_seconds,
            freshness=freshness,
            dependencies=dependencies,
        ),
    )


def _named(call: Callable[..., Any], origin: Origin) -> str:
    function = function_of(call)
    if function is None:
        raise DefinitionError(f"{origin}: {call!r} is no function")
    return f"{module_of(function, project_root(origin))}:{function.__qualname__}"
