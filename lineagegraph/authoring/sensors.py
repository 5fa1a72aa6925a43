"""Functions that state sensors: `lg.sensor`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Unpack

from lineagegraph.authoring.batch_tasks import program
from lineagegraph.authoring.checked_values import Duration, bounded_seconds, texts_in
from lineagegraph.authoring.declared import project_root
from lineagegraph.authoring.functions import function_of, module_of
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.authoring.retry_options import checked_number, checked_retries
from lineagegraph.authoring.sensor_handle import SensorHandle
from lineagegraph.authoring.task_functions import checked_function, own_name
from lineagegraph.authoring.task_options import (
    After,
    Dependencies,
    GroupOptions,
    checked_options,
    limit_seconds,
)
from lineagegraph.errors import DefinitionError, InvalidSensor
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.waits import (
    LONGEST,
    MODES,
    MOST_BACKOFF,
    SHORTEST_POKE,
    SHORTEST_WAIT,
    WaitTerms,
)

Callback = str | Callable[..., Any] | None


def read_terms(
    origin: Origin,
    *,
    poke_interval: Duration = "1m",
    poke_backoff: float = 1.0,
    max_poke_interval: Duration = "1h",
    timeout: Duration = "7d",
    execution_timeout: Duration | None = None,
    retries: int = 0,
    soft_fail: object = False,
    mode: object = "smart",
    on_success: Callback = None,
    on_failure: Callback = None,
    on_retry: Callback = None,
) -> WaitTerms:
    """Check the terms of a wait, and return them."""
    terms = WaitTerms(
        poke_interval=_interval(poke_interval, "poke_interval", origin),
        poke_backoff=_backoff(poke_backoff, origin),
        max_poke_interval=_interval(max_poke_interval, "max_poke_interval", origin),
        timeout=_limit(timeout, "timeout", origin) or WaitTerms().timeout,
        execution_timeout=_limit(execution_timeout, "execution_timeout", origin),
        retries=checked_retries(retries, origin.at("retries")),
        soft_fail=_flag(soft_fail, origin.at("soft_fail")),
        mode=_mode(mode, origin.at("mode")),
        on_success=_callback(on_success, "on_success", origin),
        on_failure=_callback(on_failure, "on_failure", origin),
        on_retry=_callback(on_retry, "on_retry", origin),
    )
    if terms.total_seconds > LONGEST:
        raise DefinitionError(
            f"{origin.at('retries')}: with retries={retries} all attempts together take more than "
            "ten years"
        )
    return terms


def _interval(duration: Duration, option: str, origin: Origin) -> float:
    return bounded_seconds(duration, option, origin.at(option), SHORTEST_POKE)


def _backoff(factor: float, origin: Origin) -> float:
    found = checked_number("poke_backoff", factor, 1.0, origin)
    if found > MOST_BACKOFF:
        raise DefinitionError(
            f"{origin.at('poke_backoff')}: poke_backoff={factor!r} must be at most {MOST_BACKOFF:g}"
        )
    return found


def _limit(duration: Duration | None, option: str, origin: Origin) -> float | None:
    if duration is None or limit_seconds(option, duration, origin) is None:
        return None
    return bounded_seconds(duration, option, origin.at(option), SHORTEST_WAIT)


def _flag(value: object, origin: Origin) -> bool:
    if not isinstance(value, bool):
        raise DefinitionError(f"{origin}: soft_fail={value!r} must be true or false")
    return value


def _mode(mode: object, origin: Origin) -> str:
    if mode not in MODES:
        near = did_you_mean(str(mode), MODES)
        raise DefinitionError(f"{origin}: mode={mode!r} must be one of {', '.join(MODES)}{near}")
    return str(mode)


def _callback(callback: Callback, option: str, origin: Origin) -> str | None:
    name = program(callback, option, origin.at(option))
    if name is None or isinstance(name, str):
        return name
    raise DefinitionError(f"{origin.at(option)}: {option} must be a function, or module:function")


_PLACE = re.compile(r"\{\w+\}")


def check_fields(kind: str, fields: Mapping[str, Any], origin: Origin) -> dict[str, Any]:
    """Check and return poke fields; with placeholders in them they are checked again in the run.

    Raises `DefinitionError` for an unknown kind or field, an invalid value, a secret in plain text,
    and a target that the settings forbid.
    """
    # Kinds of sensors import large libraries, which a definition without sensors does not need.
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
                f"{origin.at(name)}: sensor of kind {kind} has no field {name}"
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
    poke_backoff: float = 1.0,
    max_poke_interval: Duration = "1h",
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
    """State a sensor: a kind with its poke fields, or a function that is called.

    As a task it has a `name`, by default that of its kind or function; `{month}` in a text of the
    fields is the parameter's value. It is poked every `poke_interval`; while it is not true, the
    interval grows by the factor `poke_backoff`, up to `max_poke_interval`. An attempt ends after
    `timeout`, or after `execution_timeout` if that is shorter; after `retries` more attempts the
    task FAILED, or with `soft_fail` is SKIPPED. `mode="exclusive"` pokes for this wait alone, in
    the process of its run. Poke fields with the name of an argument here go into `fields`.
    """
    origin = caller()
    terms = read_terms(
        origin,
        poke_interval=poke_interval,
        poke_backoff=poke_backoff,
        max_poke_interval=max_poke_interval,
        timeout=timeout,
        execution_timeout=execution_timeout,
        retries=retries,
        soft_fail=soft_fail,
        mode=mode,
        on_success=on_success,
        on_failure=on_failure,
        on_retry=on_retry,
    )
    function = None if isinstance(kind, str) else checked_function(kind, origin, may_be_async=False)
    given = {**(fields or {}), **poke_fields}
    if function is not None:
        given = {"function": _named(function, origin)} | given
    return state_sensor(
        name or (own_name(function, origin) if function is not None else str(kind)),
        origin,
        PYTHON if function is not None else str(kind),
        given,
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
    **options: Unpack[GroupOptions],
) -> SensorHandle:
    """State a sensor at `origin`, after checking its kind and poke fields."""
    return SensorHandle(
        kind=kind,
        fields=check_fields(kind, fields, origin),
        terms=terms,
        function=function,
        **checked_options(
            name,
            origin,
            retries=terms.retries,
            timeout=terms.attempt_seconds,
            **options,
        ),
    )


def _named(call: Callable[..., Any], origin: Origin) -> str:
    function = function_of(call)
    if function is None:
        raise DefinitionError(f"{origin}: {call!r} is not a function")
    return f"{module_of(function, project_root(origin))}:{function.__qualname__}"
