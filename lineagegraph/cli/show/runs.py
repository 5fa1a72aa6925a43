"""`runs`: the newest runs of a job."""

from typing import Annotated

import typer
from rich.text import Text

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import is_wide, print_json, print_table
from lineagegraph.cli.formatting import first_line, moment, reason, run_id, state_text, took
from lineagegraph.cli.options import Json, Limit, Namespace
from lineagegraph.queries.runs.runs import read_runs
from lineagegraph.settings import load_settings
from lineagegraph.store.runs.history import RunRow


def runs(
    job: Annotated[str, typer.Argument(help="Full name or unique simple name of a job.")],
    namespace: Namespace = None,
    limit: Limit = 20,
    json: Json = False,
) -> None:
    """List the newest runs of a job."""
    with connected(load_settings()) as graph:
        found = read_runs(graph, job, namespace, limit=limit)
    print_json(found) if json else print_runs(found, job)


def print_runs(found: list[RunRow], job: str) -> None:
    """Print a table of runs of a job."""
    columns = ("RUN", "STATE", "STARTED", "TOOK", "VERSION", "WHY")
    print_table(columns, map(_row, found), f"{job} has not run yet")


def _row(run: RunRow) -> tuple[str | Text, ...]:
    wide = is_wide()
    why = reason(run.fired_by, wide)
    if run.error or run.reason:
        why = f"{run.reason or run.state}: {first_line(run.error or run.message)}".rstrip(": ")
    return (
        run_id(run.id, wide),
        state_text(run.state, run.reason),
        moment(run.started_at or run.created_at, wide),
        took(run.started_at, run.ended_at),
        (run.version or "")[:10],
        why,
    )
