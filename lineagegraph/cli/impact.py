"""`impact`: what depends on a column."""

from typing import Annotated

import typer
from rich.table import Table

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, results
from lineagegraph.cli.options import Json
from lineagegraph.explore.impact import Impact, find_impact
from lineagegraph.settings import load_settings


def impact(
    column: Annotated[str, typer.Argument(metavar="DATASET#COLUMN", help="A column.")],
    json: Json = False,
) -> None:
    """Show what breaks if a column changes: columns, datasets and jobs after it."""
    with connected(load_settings()) as graph:
        found = find_impact(graph, column)
    if json:
        print_json(found)
    elif found.columns:
        results.print(_table(found))
    else:
        results.print(f"nothing is made from {found.column.name} of {found.dataset.name}")


def _table(found: Impact) -> Table:
    """Return a row for each column; what only filters, joins, sorts or groups by it is indirect."""
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
