"""`as-was`: a past run, or a pipeline at a past time."""

from pathlib import Path
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, results
from lineagegraph.cli.options import At, Json, Namespace
from lineagegraph.cli.show.as_was_text import print_as_was
from lineagegraph.cli.show.lineage import WRITERS, LineageFormat
from lineagegraph.drawing.as_was import draw_as_was
from lineagegraph.drawing.svg import to_svg
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.queries.find.find import find_job, find_run
from lineagegraph.queries.versions.as_was import read_as_was, read_job_as_was
from lineagegraph.settings import load_settings


def as_was(
    what: Annotated[
        str, typer.Argument(metavar="RUN", help="Run id or a unique prefix; or a job with --at.")
    ],
    at: At = None,
    namespace: Namespace = None,
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file.")] = None,
    format: Annotated[LineageFormat, typer.Option(help="Output format.")] = LineageFormat.TEXT,  # noqa: A002
    json: Json = False,
) -> None:
    """Show a run as it was: its tasks and their states, code, data and environment."""
    with connected(load_settings()) as graph:
        if at is not None:
            found = read_job_as_was(graph, find_job(graph, what, namespace).key, at)
        else:
            found = read_as_was(graph, _run(graph, what))
    if svg is not None:
        svg.write_text(to_svg(draw_as_was(found)), encoding="utf-8")
        results.print(str(svg))
    elif json or format is LineageFormat.JSON:
        print_json(found)
    elif format in WRITERS:
        print(WRITERS[format](draw_as_was(found)), end="")
    else:
        print_as_was(found)


def _run(graph: Graph, what: str) -> str:
    try:
        return find_run(graph, what).id
    except NotFound as error:
        advice = f"a job needs a time: `lineagegraph as-was {what} --at TIME`"
        raise NotFound(f"{error}; {advice}") from None
