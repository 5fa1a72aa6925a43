"""Options that several commands have."""

from datetime import datetime
from typing import Annotated

import typer


def read_time(text: str) -> datetime:
    """Return a time that was typed; without a zone it is local."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"{text!r} is no ISO 8601 time") from None


At = Annotated[
    datetime | None,
    typer.Option(parser=read_time, metavar="TIME", help="As it was then; local without a zone."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="At most that many.")]
Namespace = Annotated[str | None, typer.Option(help="Where several have the name.")]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="Its id, or a unique start of it.")]
