"""Batch files that are given on the command line."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from lineagegraph.authoring.current_variables import all_values
from lineagegraph.authoring.project import find_root
from lineagegraph.cli.run.batch.choose import choose_batch
from lineagegraph.errors import DefinitionError, NotFound
from lineagegraph.graph import Graph
from lineagegraph.reading.check_files import ReadFile
from lineagegraph.reading.definition_files import find_definitions
from lineagegraph.reading.importer import Importer, ImportRequest
from lineagegraph.reading.parser import ParsedPipeline, parse_file
from lineagegraph.settings import Settings


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
    """Return a file's batch, or the one of that name; raise `DefinitionError` if there is none."""
    if not path.is_file():
        raise NotFound(f"{path}: no such file")
    (file,) = read_files(settings, [path])
    if file.parsed.fault:
        raise DefinitionError(file.parsed.fault)
    batches = {one.version.pipeline.name: one for one in file.batches}
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
        environment=dict(os.environ),
        variables=variables,
    )


def _shown(file: Path) -> str:
    here = Path.cwd()
    return str(file.relative_to(here) if file.is_relative_to(here) else file)
