"""The spans that `trigger why` draws."""

from datetime import UTC, datetime

from rich.console import Console

from lineagegraph.cli.run.trigger_view import draw
from lineagegraph.graph import Graph
from lineagegraph.model.triggers.condition import And, OnEvent, Or
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.queries.triggers.describe_why import describe_standings
from lineagegraph.queries.triggers.why import read_why
from tests.integration.scheduling.rules import write_rules


def test_a_span_is_drawn_at_the_operator_that_sets_it_and_at_no_other(graph: Graph) -> None:
    some = Or(operands=(OnEvent(name="b"), OnEvent(name="c"))).within("3h")
    rule = Trigger(when=And(operands=(OnEvent(name="a"), some)))
    graph.write(write_rules, {"t": rule}, datetime.now(UTC))
    (cell,) = describe_standings(read_why(graph, "t"))
    console = Console(width=100)
    with console.capture() as drawn:
        console.print(draw(cell))
    said = [line.strip("│├└─ ✗") for line in drawn.get().splitlines()]
    assert "all of" in said
    assert "any of (within 3h)" in said
