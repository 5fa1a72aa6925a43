"""`readers`: the jobs that read a dataset or a column."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json
from lineagegraph.queries.lineage.readers import find_readers
from lineagegraph.settings import load_settings


def readers(
    node: Annotated[str, typer.Argument(metavar="DATASET", help="Dataset or DATASET#COLUMN.")],
    json: Json = False,
) -> None:
    """Show who reads a dataset or a column, also those that make nothing of it."""
    with connected(load_settings()) as graph:
        found = find_readers(graph, node)
    if json:
        print_json(found)
        return
    rows = [
        (one.name, one.namespace, one.use, str(one.outputs or "none"), clock(one.last_seen))
        for one in found
    ]
    print_table(("JOB", "NAMESPACE", "USE", "OUTPUTS", "LAST"), rows, "no reader is known")
