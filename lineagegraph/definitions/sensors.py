"""What a definition file calls to state what is waited for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lineagegraph.definitions.callables import function_of
from lineagegraph.definitions.checked_function import checked_function, own_name
from lineagegraph.definitions.declared import project_root
from lineagegraph.definitions.durations import Duration
from lineagegraph.definitions.module_of import module_of
from lineagegraph.definitions.origin import Origin, caller
from lineagegraph.definitions.sensor_fields import check_fields
from lineagegraph.definitions.sensor_handle import SensorHandle
from lineagegraph.definitions.sensor_terms import Callback, read_terms
from lineagegraph.definitions.task_options import After, Dependencies, options
from lineagegraph.errors import DefinitionError
from lineagegraph.model.freshness import Freshness
from lineagegraph.model.wait_terms import WaitTerms

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
