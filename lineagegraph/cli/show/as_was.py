"""`as-was`: a run, or a pipeline at a time, as it was."""

from pathlib import Path
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, results
from lineagegraph.cli.options import At, Json, Namespace
from lineagegraph.cli.show.as_was_text import print_as_was
from lineagegraph.cli.show.lineage import WRITERS, Format
from lineagegraph.drawing.as_was import draw_as_was
from lineagegraph.drawing.svg import to_svg
from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.queries.find.find import find_job, find_run
from lineagegraph.queries.versions.as_was import read_as_was, read_job_as_was
from lineagegraph.settings import load_settings


def as_was(
    what: Annotated[
        str, typer.Argument(metavar="RUN", help="A run, by a start of its id; or JOB with --at.")
    ],
    at: At = None,
    namespace: Namespace = None,
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file.")] = None,
    format: Annotated[Format, typer.Option(help="How to write it.")] = Format.TEXT,  # noqa: A002
    json: Json = False,
) -> None:
    """Show what a run was: its tasks and how they went, its code, data and environment then."""
    with connected(load_settings()) as graph:
        if at is not None:
            found = read_job_as_was(graph, find_job(graph, what, namespace).key, at)
        else:
            found = read_as_was(graph, _run(graph, what))
    if svg is not None:
        svg.write_text(to_svg(draw_as_was(found)), encoding="utf-8")
        results.print(str(svg))
    elif json or format is Format.JSON:
        print_json(found)
    elif format in WRITERS:
        print(WRITERS[format](draw_as_was(found)), end="")
    else:
        print_as_was(found)


def _run(graph: Graph, what: str) -> str:
    try:
        return find_run(graph, what).id
    except NotFound as error:
        advice = f"of a job give the time: `lineagegraph as-was {what} --at TIME`"
        raise NotFound(f"{error}; {advice}") from None
