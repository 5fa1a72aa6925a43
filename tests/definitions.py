"""Pipelines in the graph as `sync` leaves them there, without a definition file."""

import hashlib
import io
import zipfile
from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from lineagegraph.backfills.start import start_backfill
from lineagegraph.code.hashing import code_hash
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.model.pipelines.definition import (
    CommandTask,
    Parameter,
    Pipeline,
    PipelineVersion,
    Task,
)
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.model.triggers.backfill import BackfillSpan, NominalRange
from lineagegraph.project.archive import SourceArchive
from lineagegraph.reading.parser import ParsedPipeline
from lineagegraph.reading.write_versions import write_versions
from tests.events import run_event

NOTHING = Task(name="nothing", work=CommandTask(command=("true",)))


def daily(name: str = "daily", *, partition_by: tuple[str, ...] = ("day",)) -> Pipeline:
    """A pipeline of a day and a region, which does nothing."""
    return Pipeline(
        name=name,
        namespace="default",
        tasks=(NOTHING,),
        parameters=(
            Parameter(name="day", type="date", required=True),
            Parameter(name="region", type="str", default="EU"),
            Parameter(name="limit", type="int", default=10),
        ),
        partition_by=partition_by,
    )


def define(
    graph: Graph,
    pipeline: Pipeline,
    application: str = "default",
    now: datetime | None = None,
    hash: str | None = None,
    files: dict[str, str] | None = None,
) -> str:
    """Make a pipeline's version the current one, and return the key of its job."""
    code = {name: text.encode() for name, text in (files or {}).items()}
    archive = packed(code) if code else b""
    version = version_of(pipeline, f"{application}.py", hash, code_hash(code))
    if archive:
        version = replace(version, source_sha256=hashlib.sha256(archive).hexdigest())
    return put_in_force(graph, version, archive, sorted(code), application=application, now=now)


def version_of(
    pipeline: Pipeline, file: str, hash: str | None = None, code: str | None = None
) -> PipelineVersion:
    """A version of a pipeline, whose files nobody has."""
    hash_ = hash or canonical_hash(pipeline)
    return PipelineVersion(
        hash=hash_,
        structure_hash=hash_,
        code_hash=code or hash_,
        pipeline=pipeline,
        source_sha256=hash_,
        file=file,
        root="/",
    )


def put_in_force(
    graph: Graph,
    version: PipelineVersion,
    archive: bytes = b"",
    files: Sequence[str] = (),
    *,
    code: TaskCode | None = None,
    application: str = "default",
    now: datetime | None = None,
) -> str:
    """Make a version the current one, and return the key of its job."""
    parsed = ParsedPipeline(
        version, SourceArchive(version.source_sha256, archive, list(files)), 1, code
    )
    (written,) = graph.write(write_versions, [parsed], application=application, now=now)
    return written.job_key


def packed(files: dict[str, bytes]) -> bytes:
    """Files as they are packed with a version."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


def start_january(graph: Graph) -> None:
    """Have a pipeline `daily`, and a backfill `january` of it, of which nothing runs yet."""
    span = BackfillSpan(times=NominalRange("2026-01-01", "2026-01-31"))
    start_backfill(graph, define(graph, daily()), span, backfill_id="january")


def tell_daily(graph: Graph, run_id: str) -> None:
    """Tell of a run of the pipeline `daily` that completed."""
    graph.write(record, extract([run_event("daily", run_id=run_id)]))
