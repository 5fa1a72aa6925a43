"""Options that several commands share."""

from datetime import datetime
from typing import Annotated

import typer


def read_time(text: str) -> datetime:
    """Return a typed time; without a zone it is local time."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"{text!r} is not an ISO 8601 time") from None


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
RunId = Annotated[str, typer.Argument(metavar="RUN", help="Run id, or a unique prefix.")]
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
