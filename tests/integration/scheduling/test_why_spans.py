"""The spans, expiries and negations that `trigger why` draws."""

from datetime import UTC, datetime, timedelta

from rich.console import Console

from lineagegraph.cli.run.trigger_view import draw
from lineagegraph.graph import Graph
from lineagegraph.model.triggers.condition import And, Not, OnEvent, Or
from lineagegraph.model.triggers.trigger import Reset, Trigger
from lineagegraph.queries.triggers.describe_why import describe_standings
from lineagegraph.queries.triggers.why import read_why
from lineagegraph.triggers.reset import reset_due
from tests.integration.scheduling.rules import say, write_rules


def lines(graph: Graph) -> list[str]:
    """Return the lines of the tree of the trigger t."""
    (cell,) = describe_standings(read_why(graph, "t"))
    console = Console(width=150)
    with console.capture() as drawn:
        console.print(draw(cell))
    return [line.strip("│├└─ ✗") for line in drawn.get().splitlines()]


def test_a_span_is_drawn_at_the_operator_that_sets_it_and_at_no_other(graph: Graph) -> None:
    some = Or(operands=(OnEvent(name="b"), OnEvent(name="c"))).within("3h")
    rule = Trigger(when=And(operands=(OnEvent(name="a"), some)))
    graph.write(write_rules, {"t": rule}, datetime.now(UTC))
    said = lines(graph)
    assert "all of" in said
    assert "any of (within 3h)" in said


def test_what_expired_at_the_last_reset_is_still_told(graph: Graph) -> None:
    noon = datetime(2026, 1, 5, 12, tzinfo=UTC)
    rule = Trigger(
        when=And(operands=(OnEvent(name="a"), OnEvent(name="b"))),
        reset=Reset(cron="0 0 * * *", zone="UTC"),
    )
    graph.write(write_rules, {"t": rule}, noon)
    graph.write(say, "a", noon + timedelta(hours=1))
    graph.write(reset_due, now=noon + timedelta(hours=13))
    assert any("it expired at the reset of 2026-01-06" in line for line in lines(graph))


def test_below_a_negation_nothing_is_missing(graph: Graph) -> None:
    noon = datetime.now(UTC) - timedelta(hours=5)
    bar = Not(operand=And(operands=(OnEvent(name="b"), OnEvent(name="c"))).within("1h"))
    rule = Trigger(when=And(operands=(OnEvent(name="a"), OnEvent(name="z"), bar)))
    graph.write(write_rules, {"t": rule}, noon)
    for hours, name in ((0, "a"), (1, "b"), (4, "c")):
        graph.write(say, name, noon + timedelta(hours=hours))
    said = lines(graph)
    assert said.count("nothing has happened yet") == 1
    assert "its parts are not true together" not in said
    assert "✓ not" in said
