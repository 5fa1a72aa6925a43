"""Options that several commands share."""

import re
from datetime import UTC, datetime, time, timedelta
from typing import Annotated

import typer

from lineagegraph.model.typed import parse_time
from lineagegraph.text import read_duration

_OF_DAY = re.compile(r"([01]?\d|2[0-3]):[0-5]\d")


def read_time(text: str) -> datetime:
    """Return a typed time; without a zone it is local time."""
    try:
        return parse_time(text).astimezone()
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"{text!r} is not an ISO 8601 time") from None


def read_since(text: str) -> datetime:
    """Return a typed time, or the time a typed duration ago."""
    seconds = read_duration(text)
    try:
        return read_time(text) if seconds is None else _ago(seconds)
    except OverflowError:
        raise typer.BadParameter(f"{text!r} is too long ago") from None


def read_until(text: str) -> datetime:
    """Return a typed time, the next time of day such as `06:00`, or a typed duration from now."""
    now = datetime.now().astimezone()
    if _OF_DAY.fullmatch(text):
        days = (now.date(), now.date() + timedelta(days=1))
        times = (datetime.combine(day, time.fromisoformat(text.zfill(5))) for day in days)
        # Each in the zone by itself, as a day may have 23 or 25 hours.
        return next(at for at in map(datetime.astimezone, times) if at > now)
    seconds = read_duration(text)
    try:
        return read_time(text) if seconds is None else now + timedelta(seconds=seconds)
    except OverflowError:
        raise typer.BadParameter(f"{text!r} is too far ahead") from None


def _ago(seconds: float) -> datetime:
    return datetime.fromtimestamp(datetime.now(UTC).timestamp() - seconds, UTC)


At = Annotated[
    datetime | None,
    typer.Option(
        parser=read_time,
        metavar="TIME",
        help="Show the state at this time (local time unless a zone is given).",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="Maximum number of rows.")]
Namespace = Annotated[str | None, typer.Option(help="Namespace, if the name is not unique.")]
Author = Annotated[str | None, typer.Option(help="Recorded author (default: current user).")]
RunId = Annotated[
    str, typer.Argument(metavar="RUN", help="Run id, or a unique start or end of it.")
]
Params = Annotated[
    list[str] | None, typer.Option("--param", "-p", help="Parameter as name=value (repeatable).")
]
Only = Annotated[str | None, typer.Option("--only", help="Run only these tasks, comma-separated.")]
Wait = Annotated[
    bool, typer.Option("--wait/--no-wait", help="Follow a daemon's run until it ends.")
]
Force = Annotated[bool, typer.Option("--force", help="Run a batch's tasks even if they are fresh.")]
IgnoreUpstream = Annotated[
    bool,
    typer.Option(
        "--ignore-upstream", help="Run a batch's tasks whatever the state of their parents."
    ),
]
WithUpstream = Annotated[
    bool, typer.Option("--with-upstream", help="Also run stale parents in other batches.")
]
