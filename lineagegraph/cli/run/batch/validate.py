"""`batch validate`: errors in batches, before they are synced."""

from pathlib import Path
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected_if_running
from lineagegraph.cli.console import errors, print_json, results
from lineagegraph.cli.options import Json
from lineagegraph.cli.run.batch.files import read_files
from lineagegraph.reading.check_files import FileReport, check_files
from lineagegraph.settings import load_settings


def validate(
    files: Annotated[list[Path], typer.Argument(help="Batch files or folders.")],
    offline: Annotated[
        bool, typer.Option("--offline", help="Do not check parents in the graph.")
    ] = False,
    json: Json = False,
) -> None:
    """Check batches for errors and warnings; parents in other files are looked up in the graph."""
    settings = load_settings()
    if offline:
        reports = check_files(read_files(settings, files), None)
    else:
        with connected_if_running(settings) as graph:
            reports = check_files(read_files(settings, files, graph), graph)
        if graph is None:
            errors.print("no graph is running: parents in other files are not checked")
    print_json(reports) if json else _print(reports)
    raise typer.Exit(1 if any(one.faults for one in reports) else 0)


def _print(reports: list[FileReport]) -> None:
    for one in reports:
        for batch in one.batches:
            state = "has errors" if one.faults else "is valid"
            results.print(f"{one.file}: batch {batch.name}, {batch.tasks} tasks, {state}")
        if not one.batches and not one.faults:
            errors.print(f"{one.file}: defines no batch")
        for warning in one.warnings:
            errors.print(f"warning: {warning}")
        for fault in one.faults:
            errors.print(f"error: {fault}")
