"""`claims`: parts of events about jobs and datasets of others."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json
from lineagegraph.queries.jobs.claims import list_claims
from lineagegraph.settings import load_settings


def claims(
    author: Annotated[str | None, typer.Option(help="Only events of this token.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number.")] = 100,
    json: Json = False,
) -> None:
    """List parts of events that do not count, because their sender may not state them."""
    with connected(load_settings()) as graph:
        found = graph.read(list_claims, author=author, limit=limit).items
    if json:
        print_json([one._asdict() for one in found])
        return
    rows = [
        (clock(one.received_at), one.author, one.job or "", ", ".join(one.claims)) for one in found
    ]
    print_table(("RECEIVED", "AUTHOR", "JOB", "CLAIMS"), rows, "no claims")
