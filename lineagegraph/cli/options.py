"""Options that several commands have."""

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="At most that many.")]
Namespace = Annotated[str | None, typer.Option(help="Where several have the name.")]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="Its id, or a unique start of it.")]
