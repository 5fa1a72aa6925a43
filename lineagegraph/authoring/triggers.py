"""Functions that state triggers: `lg.trigger`, `lg.payload`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from lineagegraph.authoring.checked_values import Duration, seconds
from lineagegraph.authoring.declared import declared
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.errors import DefinitionError, InvalidRule
from lineagegraph.model.pipelines.parameters import plain_value
from lineagegraph.model.triggers.check import check_trigger
from lineagegraph.model.triggers.condition import AnyCondition, Condition
from lineagegraph.model.triggers.constraint import AnyConstraint
from lineagegraph.model.triggers.trigger import Argument, CatchUp, Overlap, Pick, Reset, Trigger

StatedTriggers = AnyCondition | Trigger | Iterable[AnyCondition | Trigger] | None


def trigger(
    when: AnyCondition,
    *,
    name: str | None = None,
    description: str | None = None,
    correlate_by: str | None = None,
    pick: str = Pick.FIRST,
    reset: str | None = None,
    zone: str | None = None,
    limits: Iterable[AnyConstraint] = (),
    overlap: str = Overlap.ALLOW,
    catch_up: str = CatchUp.LAST,
    ttl: Duration | None = None,
    reruns: int = 0,
    rerun_delay: Duration = 0,
    arguments: Mapping[str, str | Argument] | None = None,
    properties: Mapping[str, Any] | None = None,
    allow_cycle: bool = False,
) -> Trigger:
    """State a trigger: its condition, the limits of its runs, and their parameters.

    `arguments` maps parameters to keys of the payload (a name, or `lg.payload(…)`), `properties`
    gives them values. `reset` is a cron expression; at its times partly met conditions are reset.
    """
    origin = caller()
    try:
        stated = Trigger(
            when=when,
            name=name,
            description=description,
            correlate_by=correlate_by,
            pick=Pick(pick),
            reset=Reset(cron=reset, zone=zone or declared().zone) if reset else None,
            constraints=tuple(limits),
            overlap=Overlap(overlap),
            catch_up=CatchUp(catch_up),
            ttl=seconds(ttl, "ttl", origin) if ttl is not None else None,
            reruns=reruns,
            rerun_delay=seconds(rerun_delay, "rerun_delay", origin),
            arguments=_arguments(arguments or {}),
            properties={key: plain_value("json", one) for key, one in (properties or {}).items()},
            allow_cycle=allow_cycle,
        )
    except ValueError as error:
        raise DefinitionError(f"{origin}: {error}") from None
    return _checked(stated, origin)


def payload(
    key: str, *, job: str | None = None, required: bool = True, default: Any = None
) -> Argument:
    """Return a reference to a value in the payload of a firing, for a trigger's `arguments`.

    A missing key gets the default; without a default the firing becomes a dead letter, unless
    `required` is False.
    """
    return Argument(
        parameter="",
        key=key,
        job=job,
        required=required and default is None,
        default=plain_value("json", default),
    )


def stated_triggers(stated: StatedTriggers, origin: Origin) -> tuple[Trigger, ...]:
    """Return the triggers of a pipeline; a condition alone becomes a trigger without options."""
    if stated is None:
        return ()
    each = (stated,) if isinstance(stated, Condition | Trigger) else tuple(_listed(stated, origin))
    return tuple(_checked(_as_trigger(one, origin), origin) for one in each)


def _listed(stated: Any, origin: Origin) -> Iterable[object]:
    if isinstance(stated, str) or not isinstance(stated, Iterable):
        raise _no_trigger(stated, origin)
    return stated


def _as_trigger(one: object, origin: Origin) -> Trigger:
    if isinstance(one, Trigger):
        return one
    if isinstance(one, Condition):
        return Trigger(when=one)  # type: ignore[arg-type]  # every subclass is in AnyCondition
    raise _no_trigger(one, origin)


def _no_trigger(stated: object, origin: Origin) -> DefinitionError:
    return DefinitionError(
        f"{origin}: trigger={stated!r} is not a condition: use on.success(…), on.dataset(…), "
        "on.cron(…), joined by & and |, or lg.trigger(…)"
    )


def _arguments(arguments: Mapping[str, str | Argument]) -> tuple[Argument, ...]:
    return tuple(
        Argument(parameter=parameter, key=value)
        if isinstance(value, str)
        else msgspec.structs.replace(value, parameter=parameter)
        for parameter, value in arguments.items()
    )


def _checked(stated: Trigger, origin: Origin) -> Trigger:
    try:
        check_trigger(stated)
    except InvalidRule as error:
        raise DefinitionError(f"{origin}: {error}") from None
    return stated
