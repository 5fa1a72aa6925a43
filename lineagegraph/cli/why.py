"""`trigger why`: a trigger's condition as it stands, drawn as a tree."""

from datetime import timedelta

from rich.text import Text
from rich.tree import Tree

from lineagegraph.cli.console import results
from lineagegraph.cli.look import clock, seconds
from lineagegraph.explore.why import OPERATORS, CellStanding, Happened, Standing, Why
from lineagegraph.model.durations import say_seconds
from lineagegraph.model.states import FINAL, SUCCEEDED
from lineagegraph.store.history import FiringRow


def print_why(why: Why) -> None:
    """Write why a trigger has fired or not."""
    trigger = why.trigger.trigger
    results.print(Text.assemble((trigger.starts or "", "bold"), f" starts when {trigger.text}"))
    if not trigger.enabled:
        results.print(Text(f"It is suspended since {clock(trigger.suspended_at)}.", "yellow"))
    for cell in why.cells:
        results.print(draw_cell(cell))
    for firing in why.waiting:
        until = f", not before {clock(firing.held_until)}" if firing.held_until else ""
        said = f"{firing.state} {clock(firing.fired_at)}: {firing.kept_back or ''}{until}"
        results.print(Text(said, "yellow" if firing.state == "HELD" else "red"))
        results.print(Text(f"  {firing.key}  {firing.reason or ''}", "dim"))
    for one in why.refused:
        results.print(Text(f"not counted at {clock(one.at)}: {one.text}", "dim"))
    if why.trigger.firings:
        latest = why.trigger.firings[0]
        results.print(f"It fired last at {clock(latest.fired_at)}: {latest.reason}")
        if latest.started:
            results.print(_outcome(latest, why.reruns))
    else:
        results.print("It has never fired.")


def _outcome(firing: FiringRow, reruns: int) -> str:
    """Say what became of the runs of a firing."""
    states = [run.state or "PENDING" for run in firing.started]
    more = f", after {len(states) - 1} of at most {reruns} reruns" if reruns else ""
    succeeded = [state for state in states if state in SUCCEEDED]
    state = succeeded[0] if succeeded else min(states, key=FINAL.__contains__)
    return f"Its run is {state}{more}."


def draw_cell(cell: CellStanding) -> Tree:
    """Return the condition of a cell as a tree."""
    tree = _tree(cell.condition)
    if cell.value is None:
        return tree
    above = Tree(Text(f"for {cell.value}", "bold"))
    above.add(tree)
    return above


def _tree(standing: Standing) -> Tree:
    mark = ("✓ ", "green") if standing.is_true else ("✗ ", "red")
    said = OPERATORS.get(standing.operator, standing.text)
    if standing.operands and standing.within is not None:
        said += f" (within {say_seconds(standing.within)})"
    tree = Tree(Text.assemble(mark, said))
    if standing.missing:
        tree.add(Text(standing.missing, "yellow"))
    if standing.next_at:
        tree.add(Text(f"next {clock(standing.next_at)}", "dim"))
    for one in standing.happened:
        tree.add(_happened(one))
    if standing.total > len(standing.happened):
        tree.add(Text(f"and {standing.total - len(standing.happened)} more", "dim"))
    for operand in standing.operands:
        tree.add(_tree(operand))
    return tree


def _happened(one: Happened) -> Text:
    ago = seconds(timedelta(seconds=max(one.age, 0)))
    said = f"{one.name or ''} {one.status or ''} {clock(one.at)}, {ago} ago"
    if one.stale:
        return Text(f"{said}: {one.stale}", "yellow")
    return Text(said, "green")
