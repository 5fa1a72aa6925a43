"""`pause` and `resume`: no trigger starts a run for a while."""

from datetime import datetime
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import results
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Author, read_until
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.settings import load_settings
from lineagegraph.triggers.pause import pause_all, resume_all

All = Annotated[bool, typer.Option("--all", help="All triggers.")]


def pause(
    reason: Annotated[str, typer.Option(help="Reason, shown by `status` and the page.")],
    all_: All = False,
    until: Annotated[
        datetime | None,
        typer.Option(
            parser=read_until,
            metavar="TIME|AGE",
            help="End, such as 06:00 or 2d (default: until `resume --all`).",
        ),
    ] = None,
    author: Author = None,
) -> None:
    """Let no trigger start a run until a time; runs by hand still start."""
    _demand_all(all_, "disable")
    with connected(load_settings()) as graph:
        graph.write(pause_all, reason, until, author=author)
    end = f"until {clock(until)}" if until else "until `lineagegraph resume --all`"
    results.print(f"all triggers are paused {end}")


def resume(all_: All = False) -> None:
    """Let triggers start runs again before the end of a pause."""
    _demand_all(all_, "enable")
    with connected(load_settings()) as graph:
        graph.write(resume_all)
        nudge_daemons(graph)
    results.print("all triggers start runs again")


def _demand_all(all_: bool, single: str) -> None:
    if not all_:
        raise typer.BadParameter(
            f"it is needed: a single trigger is named with `trigger {single} NAME`",
            param_hint="--all",
        )
