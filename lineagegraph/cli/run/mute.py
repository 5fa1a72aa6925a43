"""`mute` and `unmute`: no notifications of a job's failures for a while."""

from datetime import datetime
from typing import Annotated

import typer

from lineagegraph.admin.mutes import mute_job, unmute_job
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import results
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Author, Namespace, read_time
from lineagegraph.queries.find.find import find_job
from lineagegraph.settings import load_settings

Job = Annotated[str, typer.Argument(help="Full name or unique simple name of a job.")]


def mute(
    job: Job,
    until: Annotated[
        datetime,
        typer.Option(
            parser=read_time, metavar="TIME", help="End (local time unless a zone is given)."
        ),
    ],
    reason: Annotated[str, typer.Option(help="Reason, shown by `status`.")],
    author: Author = None,
    namespace: Namespace = None,
) -> None:
    """Send no notifications of failures of a job and its tasks until a time."""
    with connected(load_settings()) as graph:
        found = find_job(graph, job, namespace)
        mute_job(graph, found.key, reason, until, author=author)
    results.print(f"{found.fqn} is muted until {clock(until)}")


def unmute(job: Job, namespace: Namespace = None) -> None:
    """Send notifications of a muted job's failures again."""
    with connected(load_settings()) as graph:
        found = find_job(graph, job, namespace)
        unmute_job(graph, found.key, found.fqn)
    results.print(f"{found.fqn} is muted no longer")
