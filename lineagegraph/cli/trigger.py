"""`trigger list|show`: the rules that start jobs."""

from typing import Annotated

import typer
from rich.text import Text
from rich.tree import Tree

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.firings import print_firings
from lineagegraph.cli.look import clock
from lineagegraph.cli.options import Json
from lineagegraph.explore import read_trigger, read_triggers
from lineagegraph.explore.triggers import WaitingFor
from lineagegraph.settings import load_settings
from lineagegraph.store.catalog import TriggerRow

app = typer.Typer(no_args_is_help=True, help="Look at the rules that start jobs.")


@app.command("list")
def list_all(json: Json = False) -> None:
    """List the triggers by the job that each starts."""
    with connected(load_settings()) as graph:
        found = read_triggers(graph)
    if json:
        print_json(found)
        return
    columns = ("STARTS", "WHEN", "NAME", "ENABLED", "FIRINGS", "LATEST")
    print_table(columns, map(_row, found), "no triggers yet: give a pipeline one, and sync it")


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="Its id or name, or the job that it starts.")],
    json: Json = False,
) -> None:
    """Show one trigger: its conditions, which of them hold, and its newest firings."""
    with connected(load_settings()) as graph:
        whole = read_trigger(graph, name)
    if json:
        print_json(whole)
        return
    results.print(
        Text.assemble(whole.trigger.id, "  starts ", (whole.trigger.starts or "", "bold"))
    )
    if whole.condition:
        results.print(_tree(whole.condition))
    print_firings(list(whole.firings))


def _row(trigger: TriggerRow) -> tuple[str | Text, ...]:
    return (
        Text(trigger.starts or "", "bold"),
        trigger.text or "",
        trigger.name or trigger.id,
        "yes" if trigger.enabled else "no",
        str(trigger.firings),
        clock(trigger.fired_at),
    )


def _tree(waiting: WaitingFor) -> Tree:
    found = waiting.condition
    mark = ("✓ ", "green") if waiting.is_true else ("· ", "dim")
    tree = Tree(Text.assemble(mark, found.operator if waiting.operands else found.text or ""))
    if found.next_at:
        tree.add(Text(f"next {clock(found.next_at)}", "dim"))
    for operand in waiting.operands:
        tree.add(_tree(operand))
    return tree
