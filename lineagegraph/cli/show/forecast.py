"""`forecast`: the runs to come, and what will be stale."""

from datetime import datetime
from typing import Annotated

import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.formatting import reason
from lineagegraph.cli.options import Json, read_until
from lineagegraph.settings import load_settings
from lineagegraph.text import format_count
from lineagegraph.views.forecast import Forecast, read_forecast


def forecast(
    until: Annotated[
        datetime,
        typer.Option(parser=read_until, metavar="TIME|AGE", help="Such as 06:00 or 8h."),
    ] = "12h",  # type: ignore[assignment]
    json: Json = False,
) -> None:
    """Show which runs come, which of them cannot start, and what will be stale, with reasons."""
    settings = load_settings()
    with connected(settings) as graph:
        found = read_forecast(graph, settings.zone, until)
    print_json(found) if json else _print(found)


def _print(found: Forecast) -> None:
    said = f"until {_moment(found.until)}: {format_count(found.total, 'run')}"
    said += f", {format_count(found.dead, 'dead letter')}" if found.dead else ""
    results.print(f"{said}, {len(found.stale)} stale")
    rows = [
        (
            _moment(run.at),
            run.job,
            run.trigger or "",
            Text(f"dead letter: {run.trouble}", "bold red") if run.trouble else reason(run.reason),
        )
        for run in found.runs
    ]
    if rows:
        print_table(("NEXT", "STARTS", "TRIGGER", "WHY"), rows, "")
    stale = [(_moment(one.at), one.node, one.why) for one in found.stale]
    if stale:
        results.print()
        print_table(("STALE", "NODE", "WHY"), stale, "")


def _moment(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M %Z}"
