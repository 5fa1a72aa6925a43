"""Pipelines that were read, with their versions and triggers, into the graph."""

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from lineagegraph.errors import GraphError, LineagegraphError
from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import name_job
from lineagegraph.reading.jobs import list_task_jobs
from lineagegraph.reading.link_parents import Circle
from lineagegraph.reading.parser import ParsedPipeline
from lineagegraph.reading.write_version import write_versions
from lineagegraph.store.triggers import triggers
from lineagegraph.triggers.of_definition import write_definition


class Synced(msgspec.Struct, frozen=True):
    """One pipeline that was read, and whether its version is new."""

    pipeline: str
    version: str
    is_new: bool
    file: str


class Unusable(LineagegraphError):
    """A pipeline that the graph cannot take."""

    def __init__(self, pipeline: ParsedPipeline, message: str) -> None:
        super().__init__(message)
        self.pipeline = pipeline


def write_pipelines(
    tx: Transaction, pipelines: Sequence[ParsedPipeline], *, application: str
) -> list[Synced]:
    """Make versions the current ones, and their triggers those of the pipelines.

    Raises `Unusable` for the first that the graph cannot take.
    """
    try:
        written = write_versions(tx, pipelines, application=application)
    except Circle as error:
        raise Unusable(_last_of(pipelines, error.keys), str(error)) from error
    before: dict[str, list[str]] = defaultdict(list)
    for row in triggers.list_defined(tx, keys=[one.job_key for one in written]):
        before[row.job_key].append(row.id)
    for parsed, one in zip(pipelines, written, strict=True):
        try:
            stated = parsed.version.pipeline
            write_definition(tx, stated, starts=one.job_key, before=before[one.job_key])
        except GraphError:
            raise
        except LineagegraphError as error:
            raise Unusable(parsed, str(error)) from error
    return [
        Synced(parsed.version.pipeline.name, parsed.version.hash, one.is_new, parsed.version.file)
        for parsed, one in zip(pipelines, written, strict=True)
    ]


def _last_of(pipelines: Sequence[ParsedPipeline], keys: Sequence[str]) -> ParsedPipeline:
    """Return the last of the pipelines that is one of the jobs with these keys, or has one."""
    involved = [one for one in pipelines if not _jobs_of(one).isdisjoint(keys)]
    return (involved or pipelines)[-1]


def _jobs_of(one: ParsedPipeline) -> set[str]:
    pipeline = one.version.pipeline
    own = name_job(pipeline.namespace, pipeline.name).key
    return {own, *(task.name.key for task in list_task_jobs(pipeline))}
