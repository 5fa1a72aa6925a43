"""`lineage`: upstream and downstream of a job, a dataset or a column."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from rich.tree import Tree

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_tree, results
from lineagegraph.cli.formatting import state_text
from lineagegraph.cli.options import At, Json
from lineagegraph.cli.written_file import write_file
from lineagegraph.drawing.dot import to_dot
from lineagegraph.drawing.mermaid import to_mermaid
from lineagegraph.drawing.svg import to_svg
from lineagegraph.drawing.tree import Direction, Twig, lineage_trees
from lineagegraph.queries.lineage.lineage import LineageScope, walk_lineage
from lineagegraph.queries.lineage.lineage_graph import LineageGraph
from lineagegraph.settings import load_settings

_STYLES = {"job": "magenta", "dataset": "bold cyan", "column": "cyan"}


class LineageFormat(StrEnum):
    """Output formats of a lineage graph."""

    TEXT = "text"
    JSON = "json"
    MERMAID = "mermaid"
    DOT = "dot"
    SVG = "svg"


class LineageLevel(StrEnum):
    """Levels at which jobs are shown."""

    PIPELINE = "pipeline"
    TASK = "task"


WRITERS = {LineageFormat.MERMAID: to_mermaid, LineageFormat.DOT: to_dot, LineageFormat.SVG: to_svg}
_Steps = typer.Option(min=0, help="Number of edges to follow (default: all).")


def lineage(
    node: Annotated[
        str,
        typer.Argument(
            help="job:NAMESPACE:NAME, dataset:NAMESPACE:NAME, a name, or namespace:NAMESPACE for "
            "all that it has; #COLUMN for a column."
        ),
    ],
    up: Annotated[int | None, _Steps] = None,
    down: Annotated[int | None, _Steps] = None,
    columns: Annotated[bool, typer.Option("--columns", help="Show column lineage.")] = False,
    indirect: Annotated[
        bool,
        typer.Option("--indirect", help="Also columns used only to filter, join, sort or group."),
    ] = False,
    level: Annotated[LineageLevel | None, typer.Option(help="Group jobs at this level.")] = None,
    at: At = None,
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file.")] = None,
    format: Annotated[LineageFormat, typer.Option(help="Output format.")] = LineageFormat.TEXT,  # noqa: A002
    json: Json = False,
) -> None:
    """Show the upstream and downstream lineage of a job, a dataset, a column or a namespace."""
    settings = load_settings()
    scope = LineageScope(
        up=up,
        down=down,
        columns=columns,
        indirect=indirect,
        level=level.value if level else None,
        at=at,
        inherit=settings.inherit_namespace,
    )
    with connected(settings) as graph:
        found = walk_lineage(graph, node, scope)
    if found.cut:
        errors.print("the lineage is cut off: limit it with --up and --down")
    if svg is not None:
        write_file(svg, to_svg(found))
        results.print(str(svg))
    elif json or format is LineageFormat.JSON:
        print_json(found)
    elif format in WRITERS:
        print(WRITERS[format](found), end="")
    else:
        print_lineage(found, up != 0, down != 0)


def print_lineage(graph: LineageGraph, up: bool = True, down: bool = True) -> None:
    """Print the upstream and the downstream trees."""
    directions: list[tuple[bool, Direction]] = [(up, "upstream"), (down, "downstream")]
    for wanted, direction in directions:
        if wanted:
            whole = Tree(Text(direction, "dim"))
            for twig in lineage_trees(graph, direction):
                whole.add(_tree(twig))
            print_tree(whole)


def _tree(top: Twig) -> Tree:
    whole = Tree(_label(top))
    left = [(whole, top)]
    while left:
        tree, twig = left.pop()
        left += [(tree.add(_label(child)), child) for child in twig.children]
    return whole


def _label(twig: Twig) -> Text:
    label = Text(twig.text, _STYLES[twig.kind])
    if twig.state:
        label = Text.assemble(label, "  ", state_text(twig.state))
    if twig.seen:
        label = Text.assemble(label, ("  (see above)", "dim"))
    return label
