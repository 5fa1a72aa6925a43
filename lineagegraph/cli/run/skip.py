"""`skip add|list|remove`: jobs that runs skip for a while."""

from datetime import datetime, timedelta
from typing import Annotated

import msgspec
import typer

from lineagegraph.admin import skips
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import is_wide, print_json, print_table, results
from lineagegraph.cli.formatting import clock, skip_id
from lineagegraph.cli.options import Author, Json, Namespace, read_time
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.queries.find.find import find_job
from lineagegraph.settings import load_settings, read_age
from lineagegraph.store.admin.skips import SkipRow

app = typer.Typer(no_args_is_help=True, help="Skip jobs for a while.")


def _read_length(text: str) -> timedelta:
    try:
        return read_age(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


@app.command()
def add(
    jobs: Annotated[list[str], typer.Argument(metavar="JOB…", help="Tasks or whole batches.")],
    reason: Annotated[str, typer.Option(help="Reason, shown with skipped jobs.")],
    lasting: Annotated[
        timedelta | None,
        typer.Option(
            "--for", parser=_read_length, metavar="AGE", help="Duration, such as 3d or 12h."
        ),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(
            parser=read_time, metavar="TIME", help="End time (local time unless a zone is given)."
        ),
    ] = None,
    author: Author = None,
    namespace: Namespace = None,
) -> None:
    """Skip jobs and all their tasks in all runs that start after this."""
    if lasting is not None and until is not None:
        raise typer.BadParameter("give --for or --until, not both", param_hint="--until")
    with connected(load_settings()) as graph:
        found = [find_job(graph, job, namespace) for job in jobs]
        for job in {one.key: one for one in found}.values():
            added = skips.add_skip(
                graph, job.key, reason, author=author, lasting=lasting, until=until
            )
            results.print(f"{added.job} is skipped {_until(added)}: {added.id}")


@app.command("list")
def list_(
    ended: Annotated[bool, typer.Option("--all", help="Also expired and removed entries.")] = False,
    namespace: Annotated[str | None, typer.Option(help="Only jobs of this namespace.")] = None,
    json: Json = False,
) -> None:
    """List skipped jobs, newest first: author, reason and end."""
    with connected(load_settings()) as graph:
        found = skips.list_skips(graph, ended=ended, namespace=namespace)
    if json:
        print_json([msgspec.structs.asdict(one) for one in found])
        return
    wide = is_wide()
    rows = [
        (
            skip_id(one.id, wide),
            one.job,
            one.reason,
            one.author,
            clock(one.created_at),
            clock(one.expires_at),
            _ended(one),
        )
        for one in found
    ]
    columns = ("ID", "JOB", "REASON", "AUTHOR", "SINCE", "UNTIL", "ENDED")
    empty = "no skipped jobs: `lineagegraph skip add JOB` skips one"
    print_table(columns, rows, f"no skipped jobs in namespace {namespace}" if namespace else empty)


@app.command()
def remove(
    jobs: Annotated[
        list[str], typer.Argument(metavar="JOB|ID…", help="Ids or jobs of entries to remove.")
    ],
    author: Author = None,
    namespace: Namespace = None,
) -> None:
    """Stop skipping jobs; runs that started before still skip them."""
    with connected(load_settings()) as graph:
        for job in jobs:
            results.print(f"{_remove(graph, job, namespace, author)} is no longer skipped")


def _remove(graph: Graph, name: str, namespace: str | None, by: str | None) -> str:
    """Remove an entry by id or by job, and return the name of its job."""
    try:
        known = skips.find_skip(graph, name)
    except NotFound:
        job = find_job(graph, name, namespace)
        skips.remove_skips(graph, job.key, job.fqn, by=by)
        return job.fqn
    return skips.remove_skip(graph, known.id, by=by).job


def _until(one: SkipRow) -> str:
    return f"until {clock(one.expires_at)}" if one.expires_at else "until it is removed"


def _ended(one: SkipRow) -> str:
    if one.state == skips.IN_FORCE:
        return ""
    return f"removed {clock(one.removed_at)} by {one.removed_by}" if one.removed_at else "expired"
