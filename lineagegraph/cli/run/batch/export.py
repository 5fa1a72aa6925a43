"""`batch export airflow`: a batch as a DAG of another scheduler."""

from pathlib import Path
from typing import Annotated

import typer

from lineagegraph.authoring.airflow_dag import airflow_dag
from lineagegraph.cli.console import results
from lineagegraph.cli.run.batch.files import BatchName, File, read_batch
from lineagegraph.cli.written_file import write_file
from lineagegraph.settings import load_settings

app = typer.Typer(no_args_is_help=True, help="Export a batch to another scheduler.")


@app.callback()
def options() -> None:
    """Export a batch to another scheduler."""


@app.command()
def airflow(
    file: File,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file.")
    ] = None,
    path: Annotated[
        str | None, typer.Option(help="Path of the batch file on Airflow's workers.")
    ] = None,
    batch: BatchName = None,
) -> None:
    """Write a DAG file for Airflow 3 that runs each task by `lineagegraph batch run FILE --only`.

    Each task waits by itself for parents in other batches; fresh tasks are skipped.
    """
    pipeline = read_batch(load_settings(), file, batch).version.pipeline
    text = airflow_dag(pipeline, path or str(file.resolve()))
    if output is None:
        print(text, end="")
        return
    write_file(output, text)
    results.print(str(output))
