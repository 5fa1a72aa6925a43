"""`impact`: everything that depends on a column, a dataset or a job."""

from datetime import datetime
from typing import Annotated

import typer
from rich.table import Table

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_table, results
from lineagegraph.cli.options import Json, read_since
from lineagegraph.queries.analysis import BlastRadius, read_blast_radius
from lineagegraph.queries.datasets.last_statements import StatedFilter
from lineagegraph.queries.find.find import find_node_or_column
from lineagegraph.queries.lineage.impact import Impact, find_impact
from lineagegraph.settings import load_settings


def impact(
    node: Annotated[
        str, typer.Argument(metavar="NODE", help="DATASET#COLUMN, or a dataset or job.")
    ],
    latest: Annotated[
        bool, typer.Option("--latest", help="Of a column: only what the newest runs state.")
    ] = False,
    since: Annotated[
        datetime | None,
        typer.Option(
            parser=read_since,
            metavar="AGE|TIME",
            help="Of a column: only what was reported since, such as 30d.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show all data that is made from a column, a dataset or a job, directly or not."""
    with connected(load_settings()) as graph:
        is_column = find_node_or_column(graph, node).column is not None
        if not is_column and (latest or since):
            raise typer.BadParameter("--latest and --since need a column: write DATASET#COLUMN")
        found = (
            find_impact(graph, node, StatedFilter(latest, since))
            if is_column
            else read_blast_radius(graph, node)
        )
    if json:
        print_json(found)
    elif isinstance(found, BlastRadius):
        _print_hits(found)
    elif found.columns:
        results.print(_table(found))
    else:
        results.print(f"nothing is made from {found.column.name} of {found.dataset.name}")
    if found.cut:
        errors.print("more exist: only the nearest are shown")


def _print_hits(found: BlastRadius) -> None:
    rows = [
        (one.kind, one.name, str(one.distance), ", ".join(one.owners), ", ".join(one.columns))
        for one in found.hits
    ]
    columns = ("KIND", "NAME", "EDGES", "OWNERS", "COLUMNS")
    print_table(columns, rows, f"nothing is made from {found.node}")


def _table(found: Impact) -> Table:
    """Return a row for each column; one used only to filter, join, sort or group is indirect."""
    table = Table("column", "dataset", "edges", "how", "through", box=None, pad_edge=False)
    for one in found.columns:
        table.add_row(
            one.column.name,
            one.dataset.name,
            str(one.distance),
            "direct" if one.direct else "indirect",
            " › ".join(job.name for job in one.path),
        )
    return table
