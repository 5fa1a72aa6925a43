"""`firings`: the decisions of triggers, with reasons."""

from typing import Annotated

import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import is_wide, print_json, print_table
from lineagegraph.cli.formatting import moment, reason, run_id
from lineagegraph.cli.options import Json, Limit
from lineagegraph.queries.triggers.triggers import read_firings, reason_of
from lineagegraph.settings import load_settings
from lineagegraph.store.runs.history import FiringRow

_STYLES = {"HELD": "yellow", "ABORTED": "yellow", "EXPIRED": "yellow", "DEAD_LETTER": "bold red"}


def firings(
    trigger: Annotated[str | None, typer.Argument(help="Only firings of this trigger.")] = None,
    limit: Limit = 20,
    json: Json = False,
) -> None:
    """List the newest firings of triggers, each with its reason and the run it started."""
    with connected(load_settings()) as graph:
        found = read_firings(graph, trigger, limit)
    print_json(found) if json else print_firings(found, trigger)


def print_firings(found: list[FiringRow], trigger: str | None = None) -> None:
    """Print a table of firings."""
    columns = ("FIRED", "STATE", "STARTS", "REASON", "RUN")
    empty = f"{trigger} has not fired yet" if trigger else "no trigger has fired yet"
    print_table(
        columns,
        map(_row, found),
        empty,
    )


def _row(firing: FiringRow) -> tuple[str | Text, ...]:
    wide = is_wide()
    runs = [(run_id(run.id, wide), run.state or "") for run in firing.started]
    name = firing.starts or firing.trigger_name or firing.trigger
    return (
        moment(firing.fired_at, wide),
        Text(firing.state or "", _STYLES.get(firing.state or "", "")),
        Text(name, "bold"),
        reason(reason_of(firing), wide),
        Text("\n".join((" " if wide else "\n").join(run).strip() for run in runs)),
    )
