"""`silence`: the time after which a run without reports counts as dead."""

from functools import partial
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import results
from lineagegraph.cli.options import Namespace
from lineagegraph.queries.find.find import find_job
from lineagegraph.settings import load_settings, read_age
from lineagegraph.store.admin.audit import make_audited
from lineagegraph.store.runs.silence import get_job, set_job
from lineagegraph.text import format_duration

_OFF, _DEFAULT = "off", "default"


def silence(
    job: Annotated[str, typer.Argument(help="Full name or unique simple name of a job.")],
    age: Annotated[
        str | None,
        typer.Argument(
            metavar="[AGE|off|default]",
            help="Duration such as 2h, or 'off' or 'default'. Without it, show the value.",
        ),
    ] = None,
    namespace: Namespace = None,
) -> None:
    """Set how long a run of an external job may send no event before it counts as dead."""
    given = _seconds(age) if age else None
    with connected(load_settings()) as graph:
        found = find_job(graph, job, namespace)
        if age:
            change = partial(set_job, job_key=found.key, seconds=given)
            graph.write(make_audited, "job.silence", found.key, change)
        results.print(f"{found.fqn}: {_describe(graph.read(get_job, job_key=found.key))}")


def _seconds(age: str) -> float | None:
    if age in (_OFF, _DEFAULT):
        return 0 if age == _OFF else None
    try:
        length = read_age(age).total_seconds()
    except ValueError as error:
        raise typer.BadParameter(f"{error}, or 'off', or 'default'", param_hint="AGE") from None
    if length == 0:
        raise typer.BadParameter("an age of 0 would fail every run; use 'off' to disable")
    return length


def _describe(own: float | None) -> str:
    if own is None:
        return "its namespace's default (setting silent_after)"
    if own == 0:
        return "off: its runs may stay silent forever"
    return f"its runs count as dead after {format_duration(own)} without an event"
