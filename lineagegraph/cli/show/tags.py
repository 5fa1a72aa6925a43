"""`tags flow TAG`: where the values of tagged columns flow."""

from typing import Annotated

import typer
from rich.table import Table

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_table, results
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json
from lineagegraph.model.triggers.tag_event import name_tag_event
from lineagegraph.queries.lineage.tag_flow import FlowStep, ReachedColumn, read_tag_flow
from lineagegraph.reactions.watched_tags import unwatch_tag, watch_tag
from lineagegraph.settings import load_settings
from lineagegraph.store.lineage.tag_flow import list_watches

app = typer.Typer(help="Follow tags along column lineage.", no_args_is_help=True)


@app.callback()
def tags() -> None:
    """Follow tags along column lineage."""


@app.command()
def flow(
    tag: Annotated[str, typer.Argument(metavar="TAG", help="Name of the tag.")],
    json: Json = False,
) -> None:
    """Show the columns that values of tagged columns reach unmasked, with the paths."""
    with connected(load_settings()) as graph:
        found = read_tag_flow(graph, tag)
    if json:
        print_json(found)
    elif found.columns:
        results.print(_table(found.columns))
    else:
        results.print(f"values with the tag {tag} reach no other column")
    if found.cut:
        errors.print("cut: more exist, only the nearest are shown")


@app.command()
def watch(
    tag: Annotated[str, typer.Argument(metavar="TAG", help="Name of the tag.")],
    stop: Annotated[bool, typer.Option("--stop", help="Watch it no more.")] = False,
) -> None:
    """Watch a tag: new columns that its values reach unmasked fire `on.tag_reaches`."""
    with connected(load_settings()) as graph:
        if stop:
            unwatch_tag(graph, tag)
            results.print(f"{tag} is not watched")
            return
        found = watch_tag(graph, tag)
    results.print(
        f"{tag} is watched: its values reach {len(found.columns)} columns now; "
        f"new ones are the event {name_tag_event(tag)}"
    )


@app.command()
def watched(json: Json = False) -> None:
    """List the watched tags with the number of columns that their values reach."""
    with connected(load_settings()) as graph:
        found = graph.read(list_watches)
    rows = ((one.tag, clock(one.since), str(one.columns)) for one in found)
    print_json(found) if json else print_table(("TAG", "SINCE", "REACHES"), rows, "no watched tags")


def _table(columns: tuple[ReachedColumn, ...]) -> Table:
    table = Table("column", "dataset", "path", box=None, pad_edge=False)
    for one in columns:
        path = " › ".join(_step(step) for step in one.path)
        table.add_row(one.column, f"{one.namespace}:{one.dataset}", path)
    return table


def _step(step: FlowStep) -> str:
    return f"{step.namespace}:{step.dataset}#{step.column}"
