"""`spark-submit`: anybody's Python file for Spark, as a run with lineage."""

from pathlib import Path
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors
from lineagegraph.client.submitted_file import read_submission, submit_file
from lineagegraph.model.runs.states import RunState
from lineagegraph.settings import load_settings


def spark_submit(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[OPTIONS OF spark-submit] FILE.py [ARGUMENTS]",
            help="As `spark-submit` takes them; write `--` before its options.",
        ),
    ],
    name: Annotated[
        str | None, typer.Option(help="Job of the run (default: the name of the file).")
    ] = None,
) -> None:
    """Run a Python file by `spark-submit` as a run of a job, with the lineage of its Spark work."""
    asked = read_submission(words)
    settings = load_settings()
    with connected(settings) as graph:
        outcome = submit_file(graph, settings, name or Path(asked.file).stem, asked)
    if outcome.message:
        errors.print(f"{outcome.state}: {outcome.message}")
    raise typer.Exit(0 if outcome.state is RunState.COMPLETED else 1)
