"""`tags flow TAG`: where the values of tagged columns flow."""

from typing import Annotated

import typer
from rich.table import Table

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, results
from lineagegraph.cli.options import Json
from lineagegraph.queries.lineage.tag_flow import FlowStep, ReachedColumn, read_tag_flow
from lineagegraph.settings import load_settings

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


def _table(columns: tuple[ReachedColumn, ...]) -> Table:
    table = Table("column", "dataset", "path", box=None, pad_edge=False)
    for one in columns:
        path = " › ".join(_step(step) for step in one.path)
        table.add_row(one.column, f"{one.namespace}:{one.dataset}", path)
    return table


def _step(step: FlowStep) -> str:
    return f"{step.namespace}:{step.dataset}#{step.column}"
