"""`lineage`: where data came from and where it went."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from rich.tree import Tree

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, results
from lineagegraph.cli.formatting import state_text
from lineagegraph.cli.options import At, Json
from lineagegraph.drawing.dot import to_dot
from lineagegraph.drawing.mermaid import to_mermaid
from lineagegraph.drawing.svg import to_svg
from lineagegraph.drawing.tree import Direction, Twig, lineage_trees
from lineagegraph.queries.lineage.lineage import walk_lineage
from lineagegraph.queries.lineage.lineage_graph import LineageGraph
from lineagegraph.settings import load_settings

_STYLES = {"job": "magenta", "dataset": "bold cyan", "column": "cyan"}


class Format(StrEnum):
    """How a lineage graph is written."""

    TEXT = "text"
    JSON = "json"
    MERMAID = "mermaid"
    DOT = "dot"
    SVG = "svg"


class Level(StrEnum):
    """What stands for the jobs inside it."""

    PIPELINE = "pipeline"
    TASK = "task"


WRITERS = {Format.MERMAID: to_mermaid, Format.DOT: to_dot, Format.SVG: to_svg}
_Steps = typer.Option(min=0, help="Edges to follow; all without a number.")


def lineage(
    node: Annotated[
        str,
        typer.Argument(help="job:NAMESPACE:NAME, dataset:NAMESPACE:NAME or a name; #COLUMN of it."),
    ],
    up: Annotated[int | None, _Steps] = None,
    down: Annotated[int | None, _Steps] = None,
    columns: Annotated[bool, typer.Option("--columns", help="From column to column.")] = False,
    indirect: Annotated[
        bool, typer.Option("--indirect", help="Columns that only filter, join or group as well.")
    ] = False,
    level: Annotated[Level | None, typer.Option(help="Show these, not what is in them.")] = None,
    at: At = None,
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file.")] = None,
    format: Annotated[Format, typer.Option(help="How to write it.")] = Format.TEXT,  # noqa: A002
    json: Json = False,
) -> None:
    """Show where the data of a job, a dataset or a column came from and went."""
    with connected(load_settings()) as graph:
        found = walk_lineage(
            graph,
            node,
            up=up,
            down=down,
            columns=columns,
            indirect=indirect,
            level=level.value if level else None,
            at=at,
        )
    if found.cut:
        errors.print("this is not all of it: give --up and --down")
    if svg is not None:
        svg.write_text(to_svg(found), encoding="utf-8")
        results.print(str(svg))
    elif json or format is Format.JSON:
        print_json(found)
    elif format in WRITERS:
        print(WRITERS[format](found), end="")
    else:
        print_lineage(found, up != 0, down != 0)


def print_lineage(graph: LineageGraph, up: bool = True, down: bool = True) -> None:
    """Write the trees of what data came from and of what came of it."""
    directions: list[tuple[bool, Direction]] = [(up, "upstream"), (down, "downstream")]
    for wanted, direction in directions:
        if wanted:
            whole = Tree(Text(direction, "dim"))
            for twig in lineage_trees(graph, direction):
                whole.add(_tree(twig))
            results.print(whole)


def _tree(twig: Twig) -> Tree:
    label = Text(twig.text, _STYLES[twig.kind])
    if twig.state:
        label = Text.assemble(label, "  ", state_text(twig.state))
    if twig.seen:
        label = Text.assemble(label, ("  (see above)", "dim"))
    tree = Tree(label)
    for child in twig.children:
        tree.add(_tree(child))
    return tree
