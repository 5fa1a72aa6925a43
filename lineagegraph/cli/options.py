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
Params = Annotated[
    list[str] | None, typer.Option("--param", "-p", help="A parameter, as name=value.")
]
Only = Annotated[str | None, typer.Option("--only", help="Some tasks only, with commas.")]
Wait = Annotated[bool, typer.Option("--wait/--no-wait", help="Follow a daemon's run to its end.")]
Force = Annotated[bool, typer.Option("--force", help="A batch: run tasks however fresh they are.")]
IgnoreUpstream = Annotated[
    bool, typer.Option("--ignore-upstream", help="A batch: run tasks whatever their parents are.")
]
WithUpstream = Annotated[
    bool, typer.Option("--with-upstream", help="A batch: run stale parents elsewhere too.")
]
