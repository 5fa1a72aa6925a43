"""Reads all definitions of a file or folder; one that is broken does not stop the others."""

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lineagegraph.definitions.clashes import find_clashes
from lineagegraph.definitions.parser import ParsedPipeline, parse
from lineagegraph.definitions.project import find_definitions, find_root
from lineagegraph.errors import DefinitionError
from lineagegraph.settings import Settings


@dataclass(frozen=True, slots=True)
class Failure:
    """A file or pipeline that cannot be used; the message is the whole of it."""

    file: str
    message: str


@dataclass(frozen=True, slots=True)
class Definitions:
    """What was read, by file and line, and what could not be."""

    pipelines: list[ParsedPipeline]
    failures: list[Failure]


def read_definitions(
    path: Path, settings: Settings, variables: Mapping[str, Any] | None = None
) -> Definitions:
    """Read a file, or every definition file of a folder; nothing is written anywhere.

    `variables` has the values of all variables that are set.
    Raises `NotFound` where there is no such path.
    """
    root = find_root(path)
    files = find_definitions(path)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda file: _read(file, root, settings, variables), files))
    parsed = [one for result in results if isinstance(result, list) for one in result]
    failures = [result for result in results if isinstance(result, Failure)]
    if not parsed and not failures:
        failures = [Failure(str(path), f"{path}: has no pipeline: call lg.pipeline(…) in it")]
    clashes = find_clashes(parsed)
    failures += [Failure(parsed[index].version.file, fault) for index, fault in clashes.items()]
    sound = [one for index, one in enumerate(parsed) if index not in clashes]
    return Definitions(sound, failures)


def _read(
    file: Path, root: Path, settings: Settings, variables: Mapping[str, Any] | None
) -> list[ParsedPipeline] | Failure:
    try:
        return parse(
            file,
            root,
            settings.parse_seconds,
            namespace=settings.namespace,
            zone=settings.zone,
            variables=variables,
        )
    except DefinitionError as error:
        return Failure(str(file), str(error))
