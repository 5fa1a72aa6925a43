"""Evaluate a condition tree in memory, as `cypher/triggers/cells/list_truths.cypher` does.

The statement decides the firings. This repeats it for previews, which write nothing; a test on
random rules and histories ties the two together.
"""

from collections.abc import Sequence

from lineagegraph.model.triggers.condition import And, AtLeast, Not, Or, Timed, tag_of
from lineagegraph.model.triggers.condition import Sequence as InOrder
from lineagegraph.model.triggers.describe import describe_condition
from lineagegraph.store.triggers.cells import TimeWindow, Truth, WaitingOccurrence
from lineagegraph.triggers.condition_nodes import ConditionNode, need_of

SHOWN = 64
_EVER = -(2**63)
_MICROSECONDS = 1_000_000
Known = dict[str, Truth]


def list_truths(
    nodes: Sequence[ConditionNode], held: Sequence[WaitingOccurrence]
) -> tuple[Truth, ...]:
    """Return the truth of each condition of a tree, leaves first, the root last."""
    in_order = sorted(held, key=lambda one: (one.at, one.key))
    known: Known = {}
    for node in sorted(nodes, key=lambda node: (node.height, node.id)):
        known[node.id] = _truth(node, in_order, known)
    return tuple(known.values())


def _truth(node: ConditionNode, held: Sequence[WaitingOccurrence], known: Known) -> Truth:
    said = node.condition
    operands = tuple(below.id for below in node.operands if not isinstance(below.condition, Not))
    negative = [below for below in node.operands if isinstance(below.condition, Not)]
    bars = tuple(below.id for one in negative for below in one.operands)
    within = said.within_seconds if isinstance(said, Timed) else None
    bound = None if within is None else within * _MICROSECONDS
    spans = [
        span
        for span in _spans(node, held, [known[id_].spans for id_ in operands])
        if not (operands and _is_wider(span, span, bound))
        and not any(_is_barred(span, known[id_], bound) for id_ in bars)
    ]
    return Truth(
        node.id, describe_condition(said), tag_of(said).upper(), operands, bars, tuple(spans)
    )


def _spans(
    node: ConditionNode, held: Sequence[WaitingOccurrence], parts: list[tuple[TimeWindow, ...]]
) -> list[TimeWindow]:
    match node.condition:
        case Not():
            return []
        case InOrder():
            chains = [_chain(first, parts[1:]) for first in parts[0]]
            return [_joined(chain) for chain in chains if chain]
        case And() | Or() | AtLeast():
            return _choices(node, parts)
    return _leaf([one for one in held if one.condition_id == node.id], need_of(node.condition))


def _leaf(mine: list[WaitingOccurrence], need: int) -> list[TimeWindow]:
    near = mine[:SHOWN] + mine[-SHOWN:] if len(mine) > 2 * SHOWN else mine
    newest = {one.part: one for one in near}
    new = near if need == 1 else [one for one in near if newest[one.part] is one]
    windows = [new[i : i + need] for i in range(len(new) - need + 1)]
    return [TimeWindow(one[0].at, one[-1].at, tuple(held.key for held in one)) for one in windows]


def _chain(first: TimeWindow, parts: Sequence[tuple[TimeWindow, ...]]) -> list[TimeWindow]:
    """Return a span of each part, each after the one before; nothing if there is none."""
    chain = [first]
    for part in parts:
        later = [span for span in part if span.lo > chain[-1].hi]
        if not later:
            return []
        chain.append(min(later, key=lambda span: span.hi))
    return chain


def _choices(node: ConditionNode, parts: list[tuple[TimeWindow, ...]]) -> list[TimeWindow]:
    """Return for each time at which a choice can begin those of the parts that end first."""
    need = need_of(node.condition)
    starts = [span.lo for part in parts for span in part] if node.windowed else [_EVER]
    found = []
    for start in starts:
        later = [[span for span in part if span.lo >= start] for part in parts]
        ends = [min(some, key=lambda span: (span.hi, span.lo)) for some in later if some]
        chosen = [one for one in ends if sum(other.hi < one.hi for other in ends) < need]
        if len(ends) >= need:
            found.append((start, _joined(chosen)))
    return [span for start, span in found if not node.windowed or span.lo == start]


def _joined(spans: Sequence[TimeWindow]) -> TimeWindow:
    return TimeWindow(
        min(span.lo for span in spans),
        max(span.hi for span in spans),
        tuple(key for span in spans for key in span.keys),
    )


def _is_wider(one: TimeWindow, other: TimeWindow, bound: float | None) -> bool:
    return bound is not None and max(one.hi, other.hi) - min(one.lo, other.lo) > bound


def _is_barred(span: TimeWindow, bar: Truth, bound: float | None) -> bool:
    return any(not _is_wider(span, other, bound) for other in bar.spans)
