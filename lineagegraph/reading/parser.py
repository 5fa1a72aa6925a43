"""Parse a definition file into versions of pipelines, with its inputs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from lineagegraph import errors
from lineagegraph.authoring.declared import FileStatement
from lineagegraph.code.closure import CodeHash
from lineagegraph.code.git import GitState
from lineagegraph.code.hashing import structure_hash, version_hash
from lineagegraph.code.signed import signed
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.definition import Pipeline, PipelineVersion
from lineagegraph.model.pipelines.masked import mask_pipeline
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.process_environment.handover import task_environment
from lineagegraph.project.archive import MOST_BYTES, SourceArchive
from lineagegraph.reading.importer import (
    ImportedFile,
    Importer,
    ImportRefused,
    ImportRequest,
    Inputs,
    StatedPipeline,
)
from lineagegraph.settings import load_settings

MEMORY_BYTES = 2_000_000_000


class ParsedPipeline(msgspec.Struct, frozen=True):
    """A version of a pipeline with its files, its line, and its tasks' functions.

    The version is masked; `private` has the masked values by place.
    `git` is the state of the repository around it, if that was read; `parents` has the place of
    each dependency, by task and job.
    """

    version: PipelineVersion
    source: SourceArchive
    line: int
    code: TaskCode | None = None
    git: GitState | None = None
    parents: dict[str, dict[str, str]] = {}
    private: dict[str, Any] = {}


class Parsed(msgspec.Struct, frozen=True, kw_only=True):
    """The pipelines of a file or the fault that makes it unusable, with its inputs."""

    pipelines: list[ParsedPipeline] = []
    fault: str | None = None
    inputs: Inputs
    statement: FileStatement = FileStatement()
    unsteady: tuple[str, ...] = ()
    variables: dict[str, Any] = {}


def parse(
    path: Path,
    root: Path,
    seconds: float,
    *,
    namespace: str = "default",
    zone: str = "UTC",
    variables: Mapping[str, Any] | None = None,
) -> list[ParsedPipeline]:
    """Return the pipelines that a file declares, which may be none.

    `root` is the folder from which its modules are imported; namespace and zone are defaults;
    `variables` has the values of all that are set. Raises `DefinitionError` for a file that fails,
    ends Python or exceeds a limit.
    """
    request = ImportRequest(
        file=str(path.resolve()),
        root=str(root.resolve()),
        namespace=namespace,
        zone=zone,
        seconds=seconds,
        memory_bytes=MEMORY_BYTES,
        archive_bytes=MOST_BYTES,
        environment=task_environment(load_settings()),
        variables=json.dumps(variables or {}),
    )
    with Importer() as importer:
        answer = importer.ask(request)
    if isinstance(answer, ImportRefused):
        refusal: type[DefinitionError] = getattr(errors, answer.error, DefinitionError)
        raise refusal(answer.message)
    return _pipelines(answer, request)


def parse_file(importer: Importer, request: ImportRequest) -> Parsed:
    """Return the content of a file, or its fault."""
    answer = importer.ask(request)
    if isinstance(answer, ImportRefused):
        return Parsed(fault=answer.message, inputs=answer.inputs, variables=answer.variables)
    return Parsed(
        pipelines=_pipelines(answer, request),
        inputs=answer.inputs,
        statement=answer.statement,
        unsteady=answer.unsteady,
        variables=answer.variables,
    )


def _pipelines(read: ImportedFile, request: ImportRequest) -> list[ParsedPipeline]:
    if read.source is None:
        return []
    return [_version(stated, read.source, request) for stated in read.stated]


def _version(
    stated: StatedPipeline, source: SourceArchive, request: ImportRequest
) -> ParsedPipeline:
    pipeline, private = mask_pipeline(stated.pipeline)
    hashed = stated.hashed
    version = make_version(pipeline, source.sha256, hashed, request.shown, request.root)
    code = signed(stated.code) if stated.code else None
    return ParsedPipeline(
        version, source, stated.line, code, parents=stated.parents, private=private
    )


def make_version(
    pipeline: Pipeline, sha256: str, code: CodeHash, file: str, root: str
) -> PipelineVersion:
    """Return the version of a masked pipeline; `sha256` is the hash of its packed files.

    As secrets are masked, their rotation makes no version.
    """
    structure = structure_hash(pipeline)
    return PipelineVersion(
        hash=version_hash(structure, code.hash),
        structure_hash=structure,
        code_hash=code.hash,
        pipeline=pipeline,
        source_sha256=sha256,
        file=file,
        root=root,
        covers=code.covers,
    )
