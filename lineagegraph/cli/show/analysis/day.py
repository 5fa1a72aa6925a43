"""`analysis critical-path`, `waits` and `days`: what delayed a day, and what differed."""

from collections.abc import Iterable
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.formatting import clock, count, state_text
from lineagegraph.cli.options import Json, Limit
from lineagegraph.cli.show.analysis.formatting import format_seconds
from lineagegraph.queries.analysis import Leg, compare_days, read_critical_path, read_waits
from lineagegraph.queries.analysis.days_compared import JobDays
from lineagegraph.settings import load_settings

Day = Annotated[
    str | None,
    typer.Argument(metavar="DAY", help="2026-01-31, tuesday or yesterday (default: today)."),
]


def critical_path(
    day: Day = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="NODE", help="Job or dataset that it leads to (default: all)."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show the chain of work and waits that determined when a day's work ended."""
    settings = load_settings()
    with connected(settings) as graph:
        found = read_critical_path(graph, day, settings.zone, to)
    if json:
        print_json(found)
        return
    _print_legs(found.legs, f"no run of {found.day} {f'to {to} ' if to else ''}has ended")
    if found.legs:
        results.print(
            f"{format_seconds(found.worked)} of work, {format_seconds(found.waited)} of waits"
        )


def waits(day: Day = None, limit: Limit = 20, json: Json = False) -> None:
    """List the work of a day that waited longest before it started."""
    settings = load_settings()
    with connected(settings) as graph:
        found = read_waits(graph, day, settings.zone, limit)
    print_json(found) if json else _print_legs(found, "nothing waited")


def days(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="Day, such as 2026-01-31.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="Day to compare.")] = "today",
    json: Json = False,
) -> None:
    """Compare two days: runs, states, durations, rows and versions of each job."""
    settings = load_settings()
    with connected(settings) as graph:
        found = compare_days(graph, before, after, settings.zone)
    if json:
        print_json(found)
        return
    columns = ("JOB", "CHANGED", "RUNS", "STATES", "TOOK", "ROWS")
    print_table(columns, map(_days, found.jobs), "nothing ran on either day")


def _print_legs(legs: Iterable[Leg], empty: str) -> None:
    columns = ("JOB", "STATE", "BEGAN", "AFTER", "WAITED", "QUEUED", "WORKED")
    rows = (
        (
            leg.job,
            state_text(leg.state),
            clock(leg.began),
            leg.by or "",
            format_seconds(leg.waited),
            format_seconds(leg.queued),
            format_seconds(leg.worked),
        )
        for leg in legs
    )
    print_table(columns, rows, empty)


def _days(one: JobDays) -> tuple[str, ...]:
    return (
        one.job,
        ", ".join(one.changed),
        _pair(str(one.runs_before), str(one.runs_after)),
        _pair(_states(one.states_before), _states(one.states_after)),
        _pair(format_seconds(one.seconds_before), format_seconds(one.seconds_after)),
        _pair(count(one.rows_before), count(one.rows_after)),
    )


def _pair(before: str, after: str) -> str:
    return before if before == after else f"{before or '–'} → {after or '–'}"


def _states(states: dict[str, int]) -> str:
    return ", ".join(f"{number} {state}" for state, number in states.items())
