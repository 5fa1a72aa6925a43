"""`run-states`: the state changes of all runs."""

import time
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import is_wide, results
from lineagegraph.cli.formatting import moment, run_id, state_text
from lineagegraph.graph import Graph
from lineagegraph.ingest.numbering import number_changes
from lineagegraph.queries.runs.run_states import RunStateChange, check_kept, read_changes
from lineagegraph.settings import load_settings

_PAGE = 500
_POLL_SECONDS = 0.5


def run_states(
    after: Annotated[
        int | None, typer.Option(min=0, help="Start after this change number.")
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Follow new changes until Ctrl-C.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON Lines.")] = False,
) -> None:
    """List the stored state changes of runs, or follow them."""
    settings = load_settings()
    with connected(settings) as graph:
        bounds = number_changes(graph)
        position = bounds.forgotten if after is None else after
        check_kept(bounds, position)
        position = _write(graph, position, bounds.newest, json, settings.inherit_namespace)
        while follow:
            time.sleep(_POLL_SECONDS)
            newest = number_changes(graph, position).newest
            position = _write(graph, position, newest, json, settings.inherit_namespace)


def _write(graph: Graph, after: int, newest: int, json: bool, inherit: bool) -> int:
    while after < newest:
        until = min(after + _PAGE, newest)
        for change in graph.read(read_changes, after, until, inherit):
            if json:
                print(msgspec.json.encode(change).decode(), flush=True)
            else:
                results.print(_line(change))
        after = until
    return after


def _line(change: RunStateChange) -> Text:
    wide = is_wide()
    return Text.assemble(
        (f"{change.id:>7}  ", "dim"),
        f"{moment(change.state_change_time, wide)}  ",
        state_text(change.state),
        " ",
        (change.program.name, "bold"),
        f"  {run_id(change.program_run_id, wide)}",
        f"  {change.reason}" if change.reason else "",
    )
