"""`owners`: who owns jobs and datasets."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table
from lineagegraph.cli.options import Json
from lineagegraph.graph import Graph
from lineagegraph.queries.analysis import Owned, list_owners
from lineagegraph.queries.analysis.owners import owners_of
from lineagegraph.queries.find.find import find_node
from lineagegraph.reactions.describe import describe_node
from lineagegraph.settings import load_settings
from lineagegraph.store.jobs.names import NamedJob


def owners(
    node: Annotated[
        str | None, typer.Argument(metavar="[NODE]", help="Job or dataset (default: all).")
    ] = None,
    state: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="OWNER", help="State its owners (repeatable)."),
    ] = None,
    json: Json = False,
) -> None:
    """List the owners of jobs and datasets, those without an owner first; or state them."""
    if state and node is None:
        raise typer.BadParameter("it needs a job or dataset", param_hint="--set")
    with connected(load_settings()) as graph:
        found = list_owners(graph) if node is None else _owners(graph, node, state)
    rows = (
        (one.kind, f"{one.namespace}:{one.name}", ", ".join(one.owners) or "–", one.by or "")
        for one in found
    )
    columns = ("KIND", "NAME", "OWNERS", "STATED BY")
    print_json(found) if json else print_table(columns, rows, "no jobs or datasets")


def _owners(graph: Graph, node: str, state: list[str] | None) -> list[Owned]:
    found = find_node(graph, node)
    is_job = isinstance(found, NamedJob)
    if state:
        named = (found.namespace, found.name)
        graph.write(describe_node, named, is_job=is_job, owners=state)
    keys = ([found.key], []) if is_job else ([], [found.key])
    return list(graph.read(owners_of, *keys).values())
