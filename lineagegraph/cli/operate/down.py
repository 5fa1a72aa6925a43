"""`down`: stop the background processes."""

from math import inf
from typing import Annotated

import typer

from lineagegraph import neo4j_server
from lineagegraph.cli.console import errors, results
from lineagegraph.cli.operate.note import drain_service, end_service, find_note
from lineagegraph.settings import load_settings
from lineagegraph.text import format_count, read_duration

_STOP_SECONDS = 40.0


def _read_seconds(text: str) -> float:
    seconds = read_duration(text)
    if seconds is None:
        raise typer.BadParameter(f"{text!r} is not a duration: write it as 90s, 30m or 2h")
    return seconds


def down(
    drain: Annotated[
        bool, typer.Option("--drain", help="Start no more runs, and let those under way end first.")
    ] = False,
    timeout: Annotated[
        float | None,
        typer.Option(
            parser=_read_seconds,
            metavar="TIME",
            help="With --drain: time after which the remaining runs are ended, such as 30m.",
        ),
    ] = None,
) -> None:
    """Stop all processes that `up` started, and the managed Neo4j."""
    if timeout is not None and not drain:
        raise typer.BadParameter("it needs --drain", param_hint="--timeout")
    settings = load_settings()
    note = find_note(settings)
    if note and not (drain and drain_service(settings, note, timeout or inf, _print_drained)):
        end_service(note, _STOP_SECONDS)
    stopped = False if settings.neo4j_uri else neo4j_server.stop(settings)
    results.print("stopped" if note or stopped else "nothing was running")


def _print_drained(jobs: tuple[str, ...]) -> None:
    said = f"waiting for {format_count(len(jobs), 'run')}: {', '.join(jobs)}"
    errors.print(said if jobs else "all runs have ended")
