"""`pool set|list|show|delete`: slots that tasks of all pipelines share."""

from typing import Annotated

import msgspec
import typer

from lineagegraph.admin import pools
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.settings import load_settings
from lineagegraph.store.runs.pools import PoolRow

app = typer.Typer(no_args_is_help=True, help="Manage slots that tasks of all pipelines share.")
Name = Annotated[str, typer.Argument(help="Pool name.")]


@app.command("set")
def set_(
    name: Name,
    slots: Annotated[int, typer.Argument(help="Number of slots; 0 lets no task start.", min=0)],
) -> None:
    """Create a pool, or change its number of slots."""
    with connected(load_settings()) as graph:
        pools.set_pool(graph, name, slots)
        nudge_daemons(graph)


@app.command("list")
def list_(json: Json = False) -> None:
    """List the pools with the slots that are taken and the tasks that wait."""
    with connected(load_settings()) as graph:
        found = pools.list_pools(graph)
    if json:
        print_json(found)
        return
    rows = [(one.name, f"{one.slots:,}", f"{one.taken:,}", f"{one.waiting:,}") for one in found]
    empty = "no pools: `lineagegraph pool set NAME SLOTS` makes one"
    print_table(("POOL", "SLOTS", "TAKEN", "WAITING"), rows, empty)


@app.command()
def show(name: Name, json: Json = False) -> None:
    """Show the tasks that hold slots of a pool, and those that wait, in their order."""
    with connected(load_settings()) as graph:
        found = pools.read_pool(graph, name)
    if json:
        print_json({**msgspec.to_builtins(found.pool), "tasks": found.claims})
        return
    results.print(describe_pool(found.pool))
    rows = [
        (
            pools.claim_state(one),
            one.job or "",
            str(one.slots),
            str(one.priority),
            clock(one.taken_at or one.since),
            one.root_id,
        )
        for one in found.claims
    ]
    columns = ("STATE", "TASK", "SLOTS", "PRIORITY", "SINCE", "RUN")
    print_table(columns, rows, "no task holds or waits for its slots")


@app.command()
def delete(name: Name) -> None:
    """Delete a pool that no task uses."""
    with connected(load_settings()) as graph:
        pools.delete_pool(graph, name)


def describe_pool(pool: PoolRow) -> str:
    """Return one line about a pool."""
    return f"{pool.name}: {pool.taken:,} of {pool.slots:,} slots taken, {pool.waiting:,} waiting"
