"""Lookup of a batch file's job in the graph."""

from pathlib import Path
from typing import Annotated

import typer

from lineagegraph.cli.console import counting
from lineagegraph.cli.run.batch.choose import choose_batch
from lineagegraph.errors import DefinitionError, NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.typed import decode_json
from lineagegraph.queries.find.find import find_job
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from lineagegraph.store.jobs.names import NamedJob
from lineagegraph.store.pipelines import versions

File = Annotated[Path, typer.Argument(help="A batch file.")]
BatchName = Annotated[
    str | None, typer.Option("--batch", help="Batch name, if the file has several.")
]


def find_batch(graph: Graph, settings: Settings, file: Path, name: str | None) -> NamedJob:
    """Sync a file and return its batch, or the one of that name; raise `DefinitionError`."""
    if not file.is_file():
        raise NotFound(f"{file}: no such file")
    with counting(f"reading {file}") as progress:
        result = sync_path(graph, settings, file, progress)
    if result.failures:
        raise DefinitionError(result.failures[0])
    found = [find_job(graph, one.pipeline) for one in result.pipelines]
    batches = {one.fqn: one for one in found if _is_batch(graph, one.key)}
    return choose_batch(file, batches, name)


def _is_batch(graph: Graph, job_key: str) -> bool:
    text = graph.read(versions.get_definition, job_key=job_key)
    return text is not None and decode_json(text, into=Pipeline).batch
