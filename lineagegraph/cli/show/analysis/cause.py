"""`analysis cause`: why something is stale or failed."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.formatting import clock, first_line
from lineagegraph.cli.options import Json
from lineagegraph.queries.analysis import find_root_cause
from lineagegraph.settings import load_settings


def cause(
    node: Annotated[str, typer.Argument(metavar="NODE|RUN", help="Job or dataset.")],
    json: Json = False,
) -> None:
    """Show why a job or dataset is stale or failed: upstream and inside the run."""
    settings = load_settings()
    with connected(settings) as graph:
        found = find_root_cause(graph, settings.zone, node)
    if json:
        print_json(found)
        return
    rows = [
        (step.node, str(step.state or ""), step.run_state or "", clock(step.run_at))
        for step in found.path
    ]
    empty = "no cause found" if found.failure is None else "no cause found upstream"
    print_table(("NODE", "FRESH", "LATEST RUN", "AT"), rows, empty)
    if failure := found.failure:
        said = first_line(failure.said)
        results.print(f"{failure.job} {failure.state} in run {failure.run}: {said}".rstrip(": "))
