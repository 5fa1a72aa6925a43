"""`batch graph`: the tasks of a batch and their parents."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from rich.tree import Tree

from lineagegraph.cli.console import print_json, results
from lineagegraph.cli.options import Json
from lineagegraph.cli.run.batch.files import BatchName, File, read_batch
from lineagegraph.cli.show.lineage import WRITERS, LineageFormat
from lineagegraph.cli.written_file import write_file
from lineagegraph.drawing.batch import Edge, Row, draw_batch, list_layers
from lineagegraph.drawing.svg import to_svg
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.settings import load_settings


def graph(
    file: File,
    batch: BatchName = None,
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file.")] = None,
    format: Annotated[LineageFormat, typer.Option(help="Output format.")] = LineageFormat.TEXT,  # noqa: A002
    json: Json = False,
) -> None:
    """Show the tasks of a batch in run order, and how fresh their parents must be."""
    pipeline = read_batch(load_settings(), file, batch).version.pipeline
    picture = draw_batch(pipeline)
    if svg is not None:
        write_file(svg, to_svg(*picture))
        results.print(str(svg))
    elif json or format is LineageFormat.JSON:
        print_json(list_layers(pipeline))
    elif format in WRITERS:
        print(WRITERS[format](*picture), end="")
    else:
        results.print(_tree(pipeline))


def _tree(pipeline: Pipeline) -> Tree:
    whole = Tree(Text(f"{pipeline.name} ({len(pipeline.tasks)} tasks)", "bold magenta"))
    for number, layer in enumerate(list_layers(pipeline), 1):
        below = whole.add(Text(f"{number}.", "dim"))
        for row in layer:
            task = below.add(_task(row))
            for edge in row.needs:
                task.add(_edge(edge, pipeline))
    return whole


def _task(row: Row) -> Text:
    cluster = f", on {row.cluster}" if row.cluster else ""
    return Text.assemble(
        (row.task, "magenta"), (f"  {row.runs}, fresh {row.fresh}{cluster}", "dim")
    )


def _edge(edge: Edge, pipeline: Pipeline) -> Text:
    place = f" of {edge.namespace}" if edge.namespace != pipeline.namespace else ""
    return Text.assemble("needs ", (edge.job, "cyan"), place, (f"  {edge.terms}", "dim"))
