"""Batch files that are given on the command line."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from lineagegraph.authoring.current_variables import all_values
from lineagegraph.cli.connect import connected_if_running
from lineagegraph.cli.console import counting
from lineagegraph.errors import DefinitionError, NotFound
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.typed import decode_json
from lineagegraph.process_environment.handover import task_environment
from lineagegraph.project.root import find_root
from lineagegraph.queries.find.find import find_job
from lineagegraph.reading.check_files import ReadFile
from lineagegraph.reading.definition_files import find_definitions
from lineagegraph.reading.importer import Importer, ImportRequest
from lineagegraph.reading.parser import ParsedPipeline, parse_file
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from lineagegraph.store.jobs.names import NamedJob
from lineagegraph.store.pipelines import versions

T = TypeVar("T")


def choose_batch(file: Path, batches: Sequence[tuple[str, str, T]], name: str | None) -> T:
    """Return the only batch or the one of that name; raise `DefinitionError` if there is none.

    Each batch comes with its namespace and name; where two have one name, `NAMESPACE:NAME` is one.
    """
    named = [(f"{namespace}:{own}", own, one) for namespace, own, one in batches]
    found = [one for full, own, one in named if name in (None, own, full)]
    if len(found) == 1:
        return found[0]
    if not batches:
        raise DefinitionError(f"{file} has no batch")
    twice = len({own for _, own, _ in named}) < len(named)
    names = ", ".join(full if twice else own for full, own, _ in named)
    if not found:
        raise DefinitionError(f"{file} has no batch {name!r}; it has {names}")
    raise DefinitionError(f"{file} has several batches ({names}): choose one with --batch")


def read_files(
    settings: Settings, paths: Sequence[Path], graph: Graph | None = None
) -> list[ReadFile]:
    """Read files, and the definition files of folders; an error is kept with its file.

    Variables have their values from the graph, if one is given.
    """
    variables = json.dumps(all_values(graph) if graph else {})
    files = dict.fromkeys(file for path in paths for file in find_definitions(path))
    with Importer() as importer:
        return [
            ReadFile(_shown(file), parse_file(importer, _request(settings, file, variables)))
            for file in files
        ]


def read_batch(settings: Settings, path: Path, name: str | None = None) -> ParsedPipeline:
    """Return a file's batch, or the one of that name; raise `DefinitionError` if there is none.

    Variables have their values if the graph is running.
    """
    if not path.is_file():
        raise NotFound(f"{path}: no such file")
    with connected_if_running(settings) as graph:
        (file,) = read_files(settings, [path], graph)
    if file.parsed.fault:
        raise DefinitionError(file.parsed.fault)
    pipelines = ((one.version.pipeline, one) for one in file.batches)
    batches = [(pipeline.namespace, pipeline.name, one) for pipeline, one in pipelines]
    return choose_batch(path, batches, name)


def _request(settings: Settings, file: Path, variables: str) -> ImportRequest:
    return ImportRequest(
        file=str(file),
        root=str(find_root(file)),
        namespace=settings.namespace,
        zone=settings.zone,
        seconds=settings.parse_seconds,
        memory_bytes=settings.parse_memory_bytes,
        archive_bytes=settings.archive_max_bytes,
        environment=task_environment(settings),
        variables=variables,
    )


def _shown(file: Path) -> str:
    here = Path.cwd()
    return str(file.relative_to(here) if file.is_relative_to(here) else file)


File = Annotated[Path, typer.Argument(help="A batch file.")]
BatchName = Annotated[
    str | None,
    typer.Option("--batch", help="Batch name or NAMESPACE:NAME, if the file has several."),
]


def find_batch(graph: Graph, settings: Settings, file: Path, name: str | None) -> NamedJob:
    """Sync a file and return its batch, or the one of that name; raise `DefinitionError`."""
    if not file.is_file():
        raise NotFound(f"{file}: no such file")
    with counting(f"reading {file}") as progress:
        result = sync_path(graph, settings, file, progress)
    if result.failures:
        raise DefinitionError(result.failures[0])
    found = [find_job(graph, one.pipeline, one.namespace) for one in result.pipelines]
    batches = [(one.namespace, one.fqn, one) for one in found if _is_batch(graph, one.key)]
    return choose_batch(file, batches, name)


def _is_batch(graph: Graph, job_key: str) -> bool:
    text = graph.read(versions.get_definition, job_key=job_key)
    return text is not None and decode_json(text, into=Pipeline).batch
