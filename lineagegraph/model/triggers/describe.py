"""Conditions as text, for reasons and for `trigger show`."""

from lineagegraph.model.access import EVERYWHERE
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.triggers.condition import (
    And,
    AnyCondition,
    AtLeast,
    Happening,
    Happens,
    Not,
    OnAbsent,
    OnCron,
    OnDataset,
    OnEvent,
    OnFresh,
    OnInterval,
    OnSensor,
    OnStatus,
    OnUpstream,
    Or,
    Sequence,
    Timed,
    leaves_of,
)
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.text import format_duration


def describe_condition(condition: AnyCondition) -> str:
    """Return a condition as text."""
    said = _said(condition)
    if isinstance(condition, Happening):
        said += "".join(f" where {predicate}" for predicate in condition.where_)
        said += f" {condition.count} times" if condition.count > 1 else ""
    if isinstance(condition, Timed) and condition.within_seconds is not None:
        said += f" within {format_duration(condition.within_seconds)}"
    return said


def _said(condition: AnyCondition) -> str:
    match condition:
        case Not():
            return f"not {_bracketed(condition.operand)}"
        case And() | Or() | AtLeast() | Sequence():
            return _joined(condition)
        case OnFresh():
            of = describe_condition(condition.of)
            return f"{of} in the last {format_duration(condition.max_age)}"
        case OnAbsent():
            of = describe_condition(condition.of)
            return f"no {of} for {format_duration(condition.for_seconds)}"
    return _happens(condition)


def _happens(leaf: Happens) -> str:
    match leaf:
        case OnStatus():
            return f"{leaf.job} {' or '.join(leaf.statuses)}"
        case OnUpstream():
            return f"{_near(leaf)} {' or '.join(leaf.statuses)}"
        case OnDataset():
            passed = f" and {leaf.quality}" if leaf.quality else ""
            return f"{leaf.namespace}:{leaf.name} written{passed}"
        case OnEvent():
            return f"event {leaf.name}"
        case OnSensor():
            return f"sensor {leaf.kind} {canonical_json(leaf.fields)} true"
        case OnCron():
            return f"{leaf.cron} ({leaf.zone}) due"
        case OnInterval():
            return f"every {format_duration(leaf.seconds)}"


def _joined(condition: And | Or | AtLeast | Sequence) -> str:
    parts = [_bracketed(operand) for operand in condition.operands]
    match condition:
        case And():
            said = " and ".join(parts)
        case Or():
            said = " or ".join(parts)
        case Sequence():
            said = " then ".join(parts)
        case AtLeast():
            return f"{condition.count} of ({', '.join(parts)})"
    return f"({said})" if condition.within_seconds is not None else said


def _bracketed(condition: AnyCondition) -> str:
    bare = isinstance(condition, And | Or | Sequence) and condition.within_seconds is None
    return f"({describe_condition(condition)})" if bare else describe_condition(condition)


def _near(condition: OnUpstream) -> str:
    hops = f"{condition.hops} hops" if condition.hops > 1 else "1 hop"
    return f"any job {hops} up" + (f" from {condition.job}" if condition.job else "")


def namespaces_of(condition: AnyCondition, namespace: str) -> list[str]:
    """Return the namespaces whose runs a condition observes; `namespace` is the default of jobs.

    Jobs upstream may be in any namespace: `EVERYWHERE`.
    """
    return sorted({one for leaf in leaves_of(condition) for one in _seen(leaf, namespace)})


def other_namespaces(rule: Trigger, namespace: str) -> list[str]:
    """Return the namespaces that a rule observes beside its own."""
    return [one for one in namespaces_of(rule.when, namespace) if one != namespace]


def _seen(leaf: AnyCondition, namespace: str) -> tuple[str, ...]:
    match leaf:
        case OnFresh() | OnAbsent():
            return _seen(leaf.of, namespace)
        case OnStatus():
            return (leaf.namespace or namespace,)
        case OnDataset():
            return (leaf.namespace,)
        case OnUpstream():
            return (EVERYWHERE,)
        case OnSensor(kind="run") if leaf.fields.get("run_id") is not None:
            return (EVERYWHERE,)
        case OnSensor(kind="run" | "dataset"):
            return (str(leaf.fields.get("namespace") or namespace),)
    return ()
