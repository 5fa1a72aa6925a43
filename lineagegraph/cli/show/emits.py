"""`emits`: the values that a pipeline emits."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table
from lineagegraph.cli.options import Json, Namespace
from lineagegraph.queries.jobs.emits import read_emits
from lineagegraph.settings import load_settings


def emits(
    job: Annotated[str, typer.Argument(help="Full name or unique simple name of a pipeline.")],
    namespace: Namespace = None,
    json: Json = False,
) -> None:
    """List the values that a pipeline's tasks declare in `emits`."""
    with connected(load_settings()) as graph:
        found = read_emits(graph, job, namespace)
    if json:
        print_json(found)
        return
    rows = ((emit.name, emit.type, emit.task) for emit in found)
    print_table(("NAME", "TYPE", "TASK"), rows, f"no task of {job} declares what it emits")
