"""`versions`: what a job was, one version after the other."""

from typing import Annotated

import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import is_wide, print_json, print_table
from lineagegraph.cli.look import moment
from lineagegraph.cli.options import Json, Limit, Namespace
from lineagegraph.explore import find_job
from lineagegraph.explore.history_of_versions import VersionInHistory, read_versions
from lineagegraph.settings import load_settings

_SHORT = 12


def versions(
    job: Annotated[str, typer.Argument(help="FQN or unique simple name of a job.")],
    namespace: Namespace = None,
    limit: Limit = 20,
    json: Json = False,
) -> None:
    """List the versions of a job: when each was in force, its runs, and what made it new."""
    with connected(load_settings()) as graph:
        found = read_versions(graph, find_job(graph, job, namespace).key, limit)
    if json:
        print_json(found)
        return
    columns = ("", "VERSION", "IN FORCE SINCE", "UNTIL", "RUNS", "WHAT MADE IT NEW")
    print_table(columns, map(_row, found), f"{job} has no version yet")


def _row(one: VersionInHistory) -> tuple[str | Text, ...]:
    wide = is_wide()
    last = one.periods[-1] if one.periods else None
    since = last.since if last else one.created_at
    back = " (again)" if len(one.periods) > 1 else ""
    return (
        Text("*", "green") if one.is_current else "",
        one.version[:_SHORT],
        moment(since, wide) + back,
        moment(last.until if last else None, wide),
        str(one.runs),
        "; ".join(one.news),
    )
