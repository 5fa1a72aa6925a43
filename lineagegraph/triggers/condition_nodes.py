"""A condition tree as the rows of its nodes."""

from typing import Any, NamedTuple

import msgspec

from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.model.triggers.condition import (
    And,
    AnyCondition,
    AtLeast,
    Happening,
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
    Operator,
    Sequence,
    Timed,
    operands_of,
    tag_of,
)
from lineagegraph.model.triggers.describe import describe_condition


class ConditionNode(NamedTuple):
    """A condition and its place in the tree; `windowed` ones must know every span of theirs."""

    id: str
    condition: AnyCondition
    height: int
    windowed: bool
    operands: tuple["ConditionNode", ...]


def make_tree(trigger: str, condition: AnyCondition) -> list[ConditionNode]:
    """Return the nodes of a tree, its root first.

    A node's id follows from its content and the number of equal nodes before it: unchanged parts of
    a changed rule keep their nodes.
    """
    return _flatten(_node(trigger, condition, False, set()))


def node_properties(node: ConditionNode) -> dict[str, Any]:
    """Return the properties of a condition's node; None for those that its kind lacks."""
    said = node.condition
    return (
        _PLAIN
        | _leaf(said)
        | {
            "operator": tag_of(said).upper(),
            "text": describe_condition(said),
            "height": node.height,
            "windowed": node.windowed,
            "need": need_of(said),
            "within": said.within_seconds if isinstance(said, Timed) else None,
            "predicates": _predicates(said),
        }
    )


_PLAIN: dict[str, Any] = dict.fromkeys(
    (
        *("statuses", "cron", "zone", "span", "lasts", "hops", "event", "application", "version"),
        *("poke_interval", "poke_backoff", "max_poke_interval", "quality"),
    )
)


def _node(trigger: str, condition: AnyCondition, windowed: bool, taken: set[str]) -> ConditionNode:
    bounded = isinstance(condition, Timed) and condition.within_seconds is not None
    own = windowed or (bounded and isinstance(condition, Operator))
    below = own or isinstance(condition, Sequence)
    operands = tuple(_node(trigger, part, below, taken) for part in operands_of(condition))
    content = [trigger, describe_condition(condition), *_untold(condition)]
    repeat = 0
    while (id_ := canonical_hash([*content, repeat])[:32]) in taken:
        repeat += 1
    taken.add(id_)
    height = 1 + max(node.height for node in operands) if operands else 0
    return ConditionNode(id_, condition, height, own, operands)


def _untold(condition: AnyCondition) -> list[list[str | None]]:
    """Return the terms of jobs that tell conditions of one text apart, from left to right."""
    if operands := operands_of(condition):
        return [terms for operand in operands for terms in _untold(operand)]
    match condition:
        case OnFresh() | OnAbsent():
            return _untold(condition.of)
        case OnUpstream(namespace=str()):
            return [[condition.namespace]]
        case OnStatus():
            own = [condition.namespace, condition.type, condition.application, condition.version]
            return [own] if any(own) else []
    return []


def _flatten(node: ConditionNode) -> list[ConditionNode]:
    return [node, *(below for operand in node.operands for below in _flatten(operand))]


def need_of(condition: AnyCondition) -> int:
    """Return how many operands, or occurrences of a leaf, make a condition true."""
    match condition:
        case And():
            return sum(not isinstance(operand, Not) for operand in condition.operands)
        case Sequence():
            return len(condition.operands)
        case AtLeast() | Happening():
            return condition.count
    return 1


def _predicates(condition: AnyCondition) -> str | None:
    where = condition.where_ if isinstance(condition, Happening) else ()
    return msgspec.json.encode(where).decode() if where else None


def _leaf(condition: AnyCondition) -> dict[str, Any]:
    lasts = condition.within_seconds if isinstance(condition, Happening) else None
    match condition:
        case OnStatus():
            own = {"application": condition.application, "version": condition.version}
            return own | {"statuses": list(condition.statuses), "lasts": lasts}
        case OnUpstream():
            return {"statuses": list(condition.statuses), "hops": condition.hops, "lasts": lasts}
        case OnDataset():
            return {"quality": condition.quality, "lasts": lasts}
        case OnEvent():
            return {"event": condition.name, "lasts": lasts}
        case OnSensor():
            return {
                "poke_interval": condition.poke_interval,
                "poke_backoff": condition.poke_backoff,
                "max_poke_interval": condition.max_poke_interval,
                "lasts": condition.within_seconds,
            }
        case OnFresh():
            return _leaf(condition.of) | {"lasts": condition.max_age}
        case OnAbsent():
            return _leaf(condition.of) | {"span": condition.for_seconds}
    return _timed(condition)


def _timed(condition: AnyCondition) -> dict[str, Any]:
    match condition:
        case OnCron():
            return {"cron": condition.cron, "zone": condition.zone}
        case OnInterval():
            return {"span": condition.seconds}
    return {}
