"""`versions`: the versions of a job over time."""

from typing import Annotated

import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, is_wide, print_json, print_table
from lineagegraph.cli.formatting import format_git, moment
from lineagegraph.cli.options import Json, Limit, Namespace
from lineagegraph.model.pipelines.definition import OWN_CLOSURE
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.pins import describe_pin, find_pin
from lineagegraph.queries.versions.history import VersionInHistory, read_versions
from lineagegraph.settings import load_settings

_SHORT = 12


def versions(
    job: Annotated[str, typer.Argument(help="Full name or unique simple name of a job.")],
    namespace: Namespace = None,
    limit: Limit = 20,
    json: Json = False,
) -> None:
    """List the versions of a job: when each was active, its runs, and its changes."""
    with connected(load_settings()) as graph:
        key = find_job(graph, job, namespace).key
        found, pin = read_versions(graph, key, limit), find_pin(graph, key)
    if json:
        print_json(found)
        return
    has_git = any(one.git_commit for one in found)
    git = ("COMMIT",) if has_git else ()
    columns = ("", "VERSION", "IN FORCE SINCE", "UNTIL", "RUNS", *git, "WHAT MADE IT NEW")
    print_table(columns, (_row(one, has_git) for one in found), f"{job} has no version yet")
    current = next((one for one in found if one.is_current), None)
    if current and current.covers not in (None, OWN_CLOSURE):
        errors.print(f"the code hash of {current.version[:_SHORT]} covers {current.covers}")
    if pin:
        errors.print(describe_pin(pin))


def _row(one: VersionInHistory, has_git: bool) -> tuple[str | Text, ...]:
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
        *((format_git(one.git_commit, None, one.git_dirty),) if has_git else ()),
        "; ".join(one.news),
    )
