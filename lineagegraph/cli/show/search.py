"""`search`: jobs and datasets by a part of a name, or by words about them."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_rest, print_table
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json, Limit
from lineagegraph.queries.search.search import SearchTerms, find_by_part
from lineagegraph.settings import load_settings


def search(
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT",
            help="Part of a name or tag, or words of a description, an owner, SQL or columns.",
        ),
    ],
    namespace: Annotated[str | None, typer.Option(help="Only in this namespace.")] = None,
    limit: Limit = 50,
    json: Json = False,
) -> None:
    """Find jobs and datasets by a part of a name, or by words about them."""
    with connected(load_settings()) as graph:
        found = find_by_part(graph, text, SearchTerms(namespace=namespace), inherit=False)
    shown = found[:limit]
    print_rest(len(found) - len(shown))
    if json:
        print_json(shown)
        return
    rows = (
        (
            one.kind.value.lower(),
            one.name,
            one.namespace,
            ", ".join(one.places),
            clock(one.updated_at),
        )
        for one in shown
    )
    columns = ("KIND", "NAME", "NAMESPACE", "FOUND IN", "CHANGED")
    print_table(columns, rows, f"no job or dataset has {text!r} in its name, tags or facets")
