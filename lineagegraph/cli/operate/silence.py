"""`silence`: after how long a run of a job counts as dead when nothing is heard of it."""

from datetime import timedelta
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import results
from lineagegraph.cli.formatting import seconds
from lineagegraph.cli.options import Namespace
from lineagegraph.queries.find.find import find_job
from lineagegraph.settings import load_settings, read_age
from lineagegraph.store.runs.silence import get_job, set_job

_OFF, _DEFAULT = "off", "default"


def silence(
    job: Annotated[str, typer.Argument(help="FQN or unique simple name of a job.")],
    age: Annotated[
        str | None,
        typer.Argument(metavar="[AGE|off|default]", help="As 2h; without it, what holds is shown."),
    ] = None,
    namespace: Namespace = None,
) -> None:
    """Say after how long without a word a run of somebody else's job counts as dead."""
    given = _seconds(age) if age else None
    with connected(load_settings()) as graph:
        found = find_job(graph, job, namespace)
        if age:
            graph.write(set_job, job_key=found.key, seconds=given)
        results.print(f"{found.fqn}: {_say(graph.read(get_job, job_key=found.key))}")


def _seconds(age: str) -> float | None:
    if age in (_OFF, _DEFAULT):
        return 0 if age == _OFF else None
    try:
        length = read_age(age).total_seconds()
    except ValueError as error:
        raise typer.BadParameter(f"{error}, or off, or default", param_hint="AGE") from None
    if length == 0:
        raise typer.BadParameter("an age of nothing ends all runs: did you mean off?")
    return length


def _say(own: float | None) -> str:
    if own is None:
        return "as its namespace has it (setting silent_after)"
    if own == 0:
        return "off, its runs may be silent for ever"
    return f"its runs are dead after {seconds(timedelta(seconds=own))} without a word"
