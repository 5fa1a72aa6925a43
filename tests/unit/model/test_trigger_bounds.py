"""No rule has a span or a number with which the graph cannot count: it would refuse each event."""

from typing import Any

import pytest

from lineagegraph import limit, on
from lineagegraph.errors import DefinitionError, InvalidRule
from lineagegraph.model.triggers.check import check_trigger
from lineagegraph.model.triggers.trigger import Trigger

A, B = on.success("a"), on.success("b")
SPANS = {
    "within of a leaf": lambda span: Trigger(when=A.within(span)),
    "within of both": lambda span: Trigger(when=(A & B).within(span)),
    "every": lambda span: Trigger(when=on.every(span)),
    "fresh": lambda span: Trigger(when=on.fresh("a", span)),
    "absent": lambda span: Trigger(when=on.absent("a", span)),
    "delay": lambda span: Trigger(when=A, constraints=(limit.delay(span),)),
    "gap": lambda span: Trigger(when=A, constraints=(limit.gap(span),)),
    "rate": lambda span: Trigger(when=A, constraints=(limit.rate(1, span),)),
    "ttl": lambda span: Trigger(when=A, ttl=span),
    "rerun_delay": lambda span: Trigger(when=A, reruns=1, rerun_delay=span),
}
TEN_YEARS = 3650 * 86400.0


@pytest.mark.parametrize("make", SPANS.values(), ids=SPANS)
@pytest.mark.parametrize("span", [2 * TEN_YEARS, 1e12, 1e300, float("inf"), float("nan")])
def test_a_span_has_at_most_ten_years(make: Any, span: float) -> None:
    check_trigger(make(TEN_YEARS))
    with pytest.raises((InvalidRule, DefinitionError)):
        check_trigger(make(span))


@pytest.mark.parametrize(
    "rule",
    [
        Trigger(when=A, reruns=10**30),
        Trigger(when=A, constraints=(limit.concurrency(10**30),)),
        Trigger(when=A, constraints=(limit.rate(10**30, "1h"),)),
    ],
)
def test_a_number_is_at_most_a_million(rule: Trigger) -> None:
    with pytest.raises(InvalidRule, match="use 1,000,000 at most"):
        check_trigger(rule)
