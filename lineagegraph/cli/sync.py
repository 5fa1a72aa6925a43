"""`sync`: definition files into the graph."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, print_json, print_table
from lineagegraph.definitions.read import read_definitions
from lineagegraph.definitions.variables_of_now import all_values
from lineagegraph.graph import Graph
from lineagegraph.parsing.place import place
from lineagegraph.parsing.write_pipeline import Synced, write_pipeline
from lineagegraph.settings import Settings, load_settings


class SyncResult(msgspec.Struct):
    """What was read, and one line for each file that could not be."""

    pipelines: list[Synced]
    failures: list[str]


def sync(
    path: Annotated[Path, typer.Argument(help="A definition file, or a folder of them.")],
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Read definition files, and keep what they state as versions in the graph."""
    settings = load_settings()
    with connected(settings) as graph:
        result = sync_path(graph, settings, path)
    if json:
        print_json(result)
    else:
        rows = [(s.pipeline, s.version[:12], _news(s), s.file) for s in result.pipelines]
        print_table(("pipeline", "version", "", "file"), rows, "no pipelines were read")
        for failure in result.failures:
            errors.print(f"error: {failure}")
    raise typer.Exit(1 if result.failures else 0)


def sync_path(graph: Graph, settings: Settings, path: Path) -> SyncResult:
    """Read the definitions at a path; one that cannot be read keeps none of the others back."""
    with errors.status(f"reading {path}"):
        found = read_definitions(path, settings, all_values(graph))
    written = [
        graph.write(write_pipeline, place(one, settings), application=settings.application)
        for one in found.pipelines
    ]
    return SyncResult(written, [failure.message for failure in found.failures])


def _news(synced: Synced) -> str:
    return "new version" if synced.is_new else "unchanged"
