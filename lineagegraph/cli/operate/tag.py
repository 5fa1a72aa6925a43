"""`tag`: the tags of a job, a dataset or a column."""

from typing import Annotated

import typer

from lineagegraph.admin.namespaces import attach_tags, detach_tag
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import results
from lineagegraph.graph import Graph
from lineagegraph.queries.find.find import find_node_or_column, find_placed_column
from lineagegraph.queries.search.details import read_details
from lineagegraph.settings import load_settings
from lineagegraph.text import one_line

_LONGEST = 200


def tag(
    node: Annotated[str, typer.Argument(metavar="NODE", help="Job, dataset or DATASET#COLUMN.")],
    tags: Annotated[
        list[str] | None, typer.Argument(metavar="[TAG]...", help="Names of tags to attach.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take these tags off.")] = False,
) -> None:
    """Attach tags to a job, dataset or column, or take them off; without a tag, show them."""
    if any(one_line(name, _LONGEST) != name for name in tags or ()):
        raise typer.BadParameter(
            f"the name of a tag has 1 to {_LONGEST} characters on one line", param_hint="TAG"
        )
    with connected(load_settings()) as graph:
        found = find_node_or_column(graph, node)
        column = find_placed_column(graph, node, with_tagged=remove) if found.column else None
        key = column.key if column else found.node.key
        if tags and remove:
            for name in tags:
                detach_tag(graph, key, name)
        elif tags:
            attach_tags(graph, key, tags)
        attached = _attached(graph, found.node.key, column.name if column else None)
    results.print(f"{node}: {', '.join(attached) or 'no tags'}")


def _attached(graph: Graph, key: str, column: str | None) -> list[str]:
    found = read_details(graph, key)
    if column is None:
        return list(found.tags)
    return [one.tag for one in found.column_tags if one.field == column]
