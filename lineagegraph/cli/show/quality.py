"""`quality`: the latest verdicts of the assertions about a dataset."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json
from lineagegraph.queries.find.find import find_dataset, find_node
from lineagegraph.settings import load_settings
from lineagegraph.store.datasets.assertions import AssertionRow, list_assertions


def quality(
    dataset: Annotated[str, typer.Argument(help="dataset:NAMESPACE:NAME or a name.")],
    json: Json = False,
) -> None:
    """Show the latest verdict of each assertion about a dataset."""
    with connected(load_settings()) as graph:
        is_id = dataset.startswith("dataset:")
        found = find_node(graph, dataset) if is_id else find_dataset(graph, dataset)
        rows = graph.read(list_assertions, keys=[found.key])
    if json:
        print_json(rows)
        return
    columns = ("ASSERTION", "COLUMN", "VERDICT", "AT", "BY", "EXPECTED", "FOUND", "VERSION")
    print_table(columns, map(_row, rows), f"no assertion about {dataset} is known")


def _row(one: AssertionRow) -> tuple[str, ...]:
    judge = one.job or one.run_id or ""
    values = (one.expected or "", one.actual or "", (one.version or "")[:12])
    return one.name, one.column or "", one.verdict, clock(one.at), judge, *values
