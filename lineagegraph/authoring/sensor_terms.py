"""How long and how often somebody waits for a sensor, as a definition states it."""

from collections.abc import Callable
from typing import Any

from lineagegraph.authoring.batch_tasks import program
from lineagegraph.authoring.durations import Duration, bounded_seconds
from lineagegraph.authoring.origin import Origin
from lineagegraph.authoring.task_options import count_of, timeout_of
from lineagegraph.errors import DefinitionError
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.waits.terms import LONGEST, MODES, SHORTEST_POKE, WaitTerms

Callback = str | Callable[..., Any] | None


def read_terms(
    origin: Origin,
    *,
    poke_interval: Duration = "1m",
    timeout: Duration = "7d",
    execution_timeout: Duration | None = None,
    retries: int = 0,
    soft_fail: object = False,
    mode: object = "smart",
    on_success: Callback = None,
    on_failure: Callback = None,
    on_retry: Callback = None,
) -> WaitTerms:
    """Return the terms of a wait, once they are found sound."""
    at = origin.at("poke_interval")
    terms = WaitTerms(
        poke_interval=bounded_seconds(poke_interval, "poke_interval", at, SHORTEST_POKE),
        timeout=_limit(timeout, "timeout", origin) or WaitTerms().timeout,
        execution_timeout=_limit(execution_timeout, "execution_timeout", origin),
        retries=count_of(retries, origin.at("retries")),
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


def _limit(duration: Duration | None, what: str, origin: Origin) -> float | None:
    if duration is None or timeout_of(duration, origin.at(what)) is None:
        return None
    return bounded_seconds(duration, what, origin.at(what))


def _flag(value: object, origin: Origin) -> bool:
    if not isinstance(value, bool):
        raise DefinitionError(f"{origin}: soft_fail={value!r} must be true or false")
    return value


def _mode(mode: object, origin: Origin) -> str:
    if mode not in MODES:
        near = did_you_mean(str(mode), MODES)
        raise DefinitionError(f"{origin}: mode={mode!r} must be one of {', '.join(MODES)}{near}")
    return str(mode)


def _callback(callback: Callback, what: str, origin: Origin) -> str | None:
    found = program(callback, what, origin.at(what))
    if found is None or isinstance(found, str):
        return found
    raise DefinitionError(f"{origin.at(what)}: {what} must be a function, or module:function")
