"""What is left of a condition when a job that it names is deleted."""

import pytest
from msgspec.structs import replace

from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import (
    And,
    AnyCondition,
    AtLeast,
    Not,
    OnAbsent,
    OnEvent,
    OnStatus,
    Or,
    Sequence,
    leaves_of,
)
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.triggers.condition_nodes import make_tree
from lineagegraph.triggers.forget_job import without

GONE = OnStatus(job="gone", statuses=(RunState.COMPLETED,))
A, B, C = (OnEvent(name=name) for name in "abc")


def left(when: AnyCondition) -> AnyCondition | None:
    nodes = make_tree("t", when)
    gone = [node.id for node in nodes if node.condition in (GONE, ABSENT)]
    return without(Trigger(when=when), "t", gone)


ABSENT = OnAbsent(of=GONE, for_seconds=60.0)
ONE_OF = AtLeast(count=1, operands=(A, GONE))
TWO_OF = AtLeast(count=2, operands=(A, B, GONE))


@pytest.mark.parametrize(
    ("when", "rest"),
    [
        (A, A),
        (GONE, None),
        (ABSENT, None),
        (A | GONE, Or(operands=(A,))),
        (A | GONE | B, A | B),
        (Or(operands=(GONE, GONE)), None),
        (A & GONE, None),
        (A & Not(operand=GONE), And(operands=(A,))),
        (A & B & ~GONE, A & B),
        (A & ~(B | GONE), A & ~Or(operands=(B,))),
        (A & ~(B & GONE), And(operands=(A,))),
        (Sequence(operands=(A, GONE, B)), None),
        (ONE_OF, AtLeast(count=1, operands=(A,))),
        (TWO_OF, AtLeast(count=2, operands=(A, B))),
        (AtLeast(count=2, operands=(A, GONE)), None),
        ((A & GONE) | B, Or(operands=(B,))),
        ((A | GONE) & B, Or(operands=(A,)) & B),
        ((A | GONE).within("1h") & B, Or(operands=(A,)).within("1h") & B),
        (Or(operands=(A & GONE, GONE)), None),
    ],
    ids=str,
)
def test_an_or_goes_on_without_it_and_what_needs_it_goes(
    when: AnyCondition, rest: AnyCondition | None
) -> None:
    assert left(when) == rest


def test_what_is_left_keeps_its_order() -> None:
    kept = left(Or(operands=(C, GONE, A, B)))
    assert kept is not None
    assert leaves_of(kept) == [C, A, B]


@pytest.mark.parametrize(
    "terms", [{"namespace": "eu"}, {"type": "SPARK"}, {"application": "shop"}, {"version": "v1"}]
)
def test_what_the_text_of_a_condition_leaves_out_tells_it_from_others(terms):
    other = replace(GONE, **terms)
    for one, same in (
        (GONE, other),
        (And(operands=(GONE, A)), And(operands=(other, A))),
        (ABSENT, replace(ABSENT, of=other)),
    ):
        (first, *_), (second, *_) = make_tree("t", one), make_tree("t", same)
        assert first.id != second.id
