"""Evaluate a condition tree in memory, as `cypher/triggers/cells/list_truths.cypher` does.

The statement decides whether a cell is true. This goes on from there, without a query for each of
several firings, and evaluates previews; a test on random rules and histories ties the two together.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from lineagegraph.model.triggers.condition import Not, Timed, tag_of
from lineagegraph.model.triggers.describe import describe_condition
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.store.triggers.cells import TimeWindow, Truth, WaitingOccurrence
from lineagegraph.triggers.condition_nodes import ConditionNode, make_tree, need_of

SHOWN = 64
_EVER = -(2**63)
_MICROSECONDS = 1_000_000
Known = dict[str, Truth]


class _Part(NamedTuple):
    """The earliest span of an operand, in the order in which spans are chosen."""

    hi: int
    lo: int
    of: str
    position: int
    span: TimeWindow


def evaluate_rule(
    trigger_id: str, rule: Trigger, held: Sequence[WaitingOccurrence]
) -> tuple[Truth, ...]:
    """Return the truth of each condition of a trigger from the occurrences of a cell."""
    nodes = make_tree(trigger_id, rule.when)
    return list_truths(make_truths(nodes), held)


def make_truths(nodes: Iterable[ConditionNode]) -> tuple[Truth, ...]:
    """Return the conditions of a tree in an empty cell, leaves first, the root last."""
    return tuple(_bare(node) for node in sorted(nodes, key=lambda node: (node.height, node.id)))


def list_truths(
    conditions: Iterable[Truth], held: Sequence[WaitingOccurrence]
) -> tuple[Truth, ...]:
    """Return the truths of conditions (leaves first) in a cell that holds these occurrences."""
    in_order = sorted(held, key=lambda one: (one.at, one.key))
    known: Known = {}
    for condition in conditions:
        spans = _true_spans(condition, in_order, known)
        known[condition.id] = msgspec.structs.replace(condition, spans=spans)
    return tuple(known.values())


def _bare(node: ConditionNode) -> Truth:
    said = node.condition
    within = said.within_seconds if isinstance(said, Timed) else None
    negative = [below for below in node.operands if isinstance(below.condition, Not)]
    return Truth(
        id=node.id,
        text=describe_condition(said),
        operator=tag_of(said).upper(),
        operands=tuple(o.id for o in node.operands if not isinstance(o.condition, Not)),
        bars=tuple(below.id for one in negative for below in one.operands),
        windowed=node.windowed,
        need=need_of(said),
        within=None if within is None else int(within * _MICROSECONDS),
        spans=(),
    )


def _true_spans(
    condition: Truth, held: Sequence[WaitingOccurrence], known: Known
) -> tuple[TimeWindow, ...]:
    bound = condition.within
    spans = _spans(condition, held, [known[id_].spans for id_ in condition.operands])
    return tuple(
        span
        for span in spans
        if not (condition.operands and _is_wider(span, span, bound))
        and not any(_is_barred(span, known[id_], bound) for id_ in condition.bars)
    )


def _spans(
    condition: Truth, held: Sequence[WaitingOccurrence], parts: list[tuple[TimeWindow, ...]]
) -> list[TimeWindow]:
    if condition.operator == "NOT":
        return []
    if condition.operator == "SEQUENCE":
        chains = [_chain(first, parts[1:]) for first in parts[0]]
        return [_joined(chain, "") for chain in chains if chain]
    if condition.operands:
        return _choices(condition, parts)
    return _leaf(_of(condition, held), condition.need)


def keys_of(
    span: TimeWindow, conditions: Iterable[Truth], held: Sequence[WaitingOccurrence]
) -> frozenset[str]:
    """Return the keys of all occurrences of a span, which has the first of each leaf only."""
    keys = set(span.keys)
    for leaf in conditions:
        if not leaf.operands and leaf.need > 1:
            tried = [one.key for one in _tried(_of(leaf, held), leaf.need)]
            for first in span.keys:
                if first in tried:
                    at = tried.index(first)
                    keys.update(tried[at : at + leaf.need])
    return frozenset(keys)


def _of(leaf: Truth, held: Sequence[WaitingOccurrence]) -> list[WaitingOccurrence]:
    return [one for one in held if one.condition_id == leaf.id]


def _tried(mine: list[WaitingOccurrence], need: int) -> list[WaitingOccurrence]:
    newest = {one.part: one for one in mine}
    new = mine if need == 1 else [one for one in mine if newest[one.part] is one]
    edge = SHOWN + need - 1
    return new[:edge] + new[-edge:] if len(new) > 2 * edge else new


def _leaf(mine: list[WaitingOccurrence], need: int) -> list[TimeWindow]:
    tried = _tried(mine, need)
    firsts = list(range(len(tried) - need + 1))
    near = firsts[:SHOWN] + firsts[-SHOWN:] if len(firsts) > 2 * SHOWN else firsts
    return [
        TimeWindow(
            lo=tried[i].at,
            hi=tried[i + need - 1].at,
            of=(tried[i].subject or "") if need == 1 else "",
            keys=(tried[i].key,),
        )
        for i in near
    ]


def _chain(first: TimeWindow, parts: Sequence[tuple[TimeWindow, ...]]) -> list[TimeWindow]:
    """Return a span of each part, each after the one before; nothing if there is none."""
    chain = [first]
    for part in parts:
        later = [span for span in part if span.lo > chain[-1].hi]
        if not later:
            return []
        chain.append(min(later, key=lambda span: span.hi))
    return chain


def _choices(condition: Truth, parts: list[tuple[TimeWindow, ...]]) -> list[TimeWindow]:
    """Return for each time at which a choice can begin those of the parts that end first."""
    starts = [span.lo for part in parts for span in part] if condition.windowed else [_EVER]
    found = []
    for start in starts:
        later = [[span for span in part if span.lo >= start] for part in parts]
        ends = [min(some, key=lambda span: (span.hi, span.lo)) for some in later if some]
        if len(ends) >= condition.need:
            found.append((start, _first(ends, condition.need)))
    return [span for start, span in found if not condition.windowed or span.lo == start]


def _first(ends: Sequence[TimeWindow], need: int) -> TimeWindow:
    """Return the `need` earliest spans as one, with those about the same subject at that time."""
    order = sorted(_Part(span.hi, span.lo, span.of, i, span) for i, span in enumerate(ends))
    first = {part.position for part in order[:need]}
    about = {(part.of, part.hi) for part in order[:need] if part.of}
    chosen = [one for i, one in enumerate(ends) if i in first or (one.of, one.hi) in about]
    return _joined(chosen, chosen[0].of if need == 1 else "")


def _joined(spans: Sequence[TimeWindow], of: str) -> TimeWindow:
    return TimeWindow(
        lo=min(span.lo for span in spans),
        hi=max(span.hi for span in spans),
        of=of,
        keys=tuple(key for span in spans for key in span.keys),
    )


def _is_wider(one: TimeWindow, other: TimeWindow, bound: int | None) -> bool:
    return bound is not None and max(one.hi, other.hi) - min(one.lo, other.lo) > bound


def _is_barred(span: TimeWindow, bar: Truth, bound: int | None) -> bool:
    return any(not _is_wider(span, other, bound) for other in bar.spans)
