"""Write pipelines with their versions, jobs and triggers to the graph."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from lineagegraph.code.git import git_state
from lineagegraph.errors import GraphError, LineagegraphError
from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.names.keys import JobName, name_job
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.task_code import read_packed
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import JobKind
from lineagegraph.model.triggers.condition import OnCron
from lineagegraph.reading.link_parents import DependencyCircle, adopt_stubs, link_parents
from lineagegraph.reading.parser import ParsedPipeline
from lineagegraph.reading.private_values import keep_private
from lineagegraph.reading.task_jobs import TaskJob, list_task_jobs
from lineagegraph.reading.version_nodes import (
    Parts,
    list_parts,
    pipeline_properties,
    task_hash,
    task_properties,
)
from lineagegraph.settings import Settings
from lineagegraph.store.admin.audit import audited
from lineagegraph.store.freshness import terms
from lineagegraph.store.freshness.terms import terms_properties
from lineagegraph.store.jobs import jobs
from lineagegraph.store.pipelines import task_codes, versions
from lineagegraph.store.pipelines.archives import keep_source
from lineagegraph.store.triggers import triggers
from lineagegraph.triggers.of_definition import write_definition


def terms_row(pipeline: Pipeline, job: JobName, tasks: Sequence[TaskJob]) -> dict[str, Any]:
    """Return the terms that the tasks of a pipeline state.

    A task that always runs, with a maximum age of 0, has none.
    """
    awaits, awaits_zone = _schedule(pipeline)
    stated: list[dict[str, Any]] = [
        {"key": one.name.key, "terms": terms_properties(terms)}
        for one in tasks
        if one.task.freshness and one.task.freshness.max_age != 0
        for terms in [Terms(freshness=one.task.freshness, awaits=awaits, awaits_zone=awaits_zone)]
    ]
    return {"job_key": job.key, "stated": stated}


def _schedule(pipeline: Pipeline) -> tuple[str, str] | tuple[None, None]:
    """Return the first schedule of a pipeline with its zone, if there is one."""
    crons = (one.when for one in pipeline.triggers if isinstance(one.when, OnCron))
    return next(((one.cron, one.zone) for one in crons), (None, None))


class WrittenVersion(NamedTuple):
    """A pipeline in the graph, and whether its version is new."""

    job_key: str
    is_new: bool


class _Stated(NamedTuple):
    """A pipeline that was read, with its jobs."""

    parsed: ParsedPipeline
    job: JobName
    tasks: list[TaskJob]

    @property
    def pipeline(self) -> Pipeline:
        return self.parsed.version.pipeline

    @property
    def hash(self) -> str:
        return self.parsed.version.hash


def write_versions(
    tx: Transaction,
    pipelines: Sequence[ParsedPipeline],
    *,
    application: str,
    activate: bool = True,
    now: datetime | None = None,
) -> list[WrittenVersion]:
    """Write versions, and activate them unless `activate` is False; a known version adds nothing.

    Packed files with a URL are stored there, and not in the graph. Raises `DependencyCircle` if
    tasks would wait for each other.
    """
    stated = [_state(one) for one in pipelines]
    _write_jobs(tx, stated, application)
    versions.merge_sources(tx, rows=[_source(one) for one in pipelines])
    rows = [_version(one) for one in stated]
    new = set(versions.merge_versions(tx, rows=rows, token=new_id(), in_force=activate, now=now))
    added = [one for one in stated if one.hash in new]
    if activate:
        replacing = [{"job_key": one.job.key, "hash": one.hash} for one in added]
        versions.delete_replaced(tx, rows=replacing)
    _write_tasks(tx, added)
    _write_parts(tx, added)
    _write_codes(tx, pipelines)
    if activate:
        stated_terms = [terms_row(one.pipeline, one.job, one.tasks) for one in stated]
        terms.set_stated(tx, rows=stated_terms, now=now)
        link_parents(tx, {one.job.key: one.tasks for one in stated})
    return [WrittenVersion(one.job.key, one.hash in new) for one in stated]


def _state(parsed: ParsedPipeline) -> _Stated:
    pipeline = parsed.version.pipeline
    return _Stated(parsed, name_job(pipeline.namespace, pipeline.name), list_task_jobs(pipeline))


def _write_jobs(tx: Transaction, stated: list[_Stated], application: str) -> None:
    rows, kinds = [], []
    for one in stated:
        rows.append(jobs.job_row(one.job, None))
        rows += [jobs.job_row(task.name, task.parent.key) for task in one.tasks]
        kinds.append({"key": one.job.key, "kind": JobKind.PIPELINE.value})
        kinds += [{"key": task.name.key, "kind": task.kind.value} for task in one.tasks]
    adopt_stubs(tx, jobs.merge_jobs(tx, rows=rows))
    jobs.set_defined(tx, application=application, rows=kinds)


def _source(parsed: ParsedPipeline) -> dict[str, Any]:
    source = parsed.source
    archive = source.content if source.url is None else None
    return {
        "sha256": source.sha256,
        "archive": archive,
        "url": source.url,
        "files": source.files,
    }


def _version(one: _Stated) -> dict[str, Any]:
    version = one.parsed.version
    packed = read_packed(one.parsed.source.content)
    hashes = {path: hashlib.sha256(body).hexdigest() for path, body in packed.items()}
    return {
        "job_key": one.job.key,
        "hash": version.hash,
        "structure_hash": version.structure_hash,
        "code_hash": version.code_hash,
        "definition": msgspec.json.encode(version.pipeline).decode(),
        "properties": pipeline_properties(version.pipeline),
        "file": version.file,
        "root": version.root,
        "files": sorted(hashes),
        "file_hashes": [hashes[path] for path in sorted(hashes)],
        "source_sha256": version.source_sha256,
    }


def _write_tasks(tx: Transaction, added: list[_Stated]) -> None:
    tasks, links, order = [], [], []
    for one in added:
        for number, job in enumerate(one.tasks):
            hash_ = task_hash(one.hash, job.path)
            tasks.append({"hash": hash_, "properties": task_properties(job, number)})
            links.append({"hash": hash_, "container_hash": task_hash(one.hash, job.path[:-1])})
            before = (task_hash(one.hash, (*job.path[:-1], name)) for name in job.task.after)
            order += [{"first_hash": first, "hash": hash_} for first in before]
    versions.merge_tasks(tx, rows=tasks)
    versions.link_tasks(tx, rows=links)
    versions.link_order(tx, rows=order)


def _write_parts(tx: Transaction, added: list[_Stated]) -> None:
    each = [list_parts(one.pipeline, one.tasks, one.hash) for one in added]
    rows = {
        name: [row for parts in each for row in getattr(parts, name)]
        for name in Parts.__struct_fields__
    }
    if any(rows.values()):
        versions.merge_parts(tx, **rows)


def _write_codes(tx: Transaction, pipelines: Sequence[ParsedPipeline]) -> None:
    codes = [
        {"version": one.version.hash} | msgspec.structs.asdict(one.code)
        for one in pipelines
        if one.code
    ]
    task_codes.merge_task_codes(tx, rows=codes)
    states = [
        {"hash": one.version.hash} | msgspec.structs.asdict(one.git) for one in pipelines if one.git
    ]
    versions.set_git(tx, rows=states)


class SyncedPipeline(msgspec.Struct, frozen=True):
    """A pipeline that was read, and whether its version is new."""

    pipeline: str
    version: str
    is_new: bool
    file: str


class UnusablePipeline(LineagegraphError):
    """A pipeline that the graph cannot take."""

    def __init__(self, pipeline: ParsedPipeline, message: str) -> None:
        super().__init__(message)
        self.pipeline = pipeline


def write_pipelines(
    tx: Transaction, pipelines: Sequence[ParsedPipeline], *, application: str
) -> list[SyncedPipeline]:
    """Activate versions and the triggers of their pipelines.

    Raises `UnusablePipeline` for the first that the graph cannot take.
    """
    keys = [_state(one).job.key for one in pipelines]
    with audited(tx, "pipeline.sync", *keys):
        return _write(tx, pipelines, application)


def _write(
    tx: Transaction, pipelines: Sequence[ParsedPipeline], application: str
) -> list[SyncedPipeline]:
    try:
        written = write_versions(tx, pipelines, application=application)
    except DependencyCircle as error:
        raise UnusablePipeline(_last_of(pipelines, error.keys), str(error)) from error
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
            raise UnusablePipeline(parsed, str(error)) from error
    return [
        SyncedPipeline(
            parsed.version.pipeline.name, parsed.version.hash, one.is_new, parsed.version.file
        )
        for parsed, one in zip(pipelines, written, strict=True)
    ]


def _last_of(pipelines: Sequence[ParsedPipeline], keys: Sequence[str]) -> ParsedPipeline:
    """Return the last of the pipelines that is, or contains, one of the jobs with these keys."""
    involved = [one for one in pipelines if not _jobs_of(one).isdisjoint(keys)]
    return (involved or pipelines)[-1]


def _jobs_of(one: ParsedPipeline) -> set[str]:
    pipeline = one.version.pipeline
    own = name_job(pipeline.namespace, pipeline.name).key
    return {own, *(task.name.key for task in list_task_jobs(pipeline))}


def store_source(parsed: ParsedPipeline, settings: Settings) -> ParsedPipeline:
    """Return a pipeline with the state of its repository, after storing its files and secrets.

    Call it before the transaction that writes the pipeline.
    """
    source = parsed.source
    keep_private(settings, _state(parsed).job.key, parsed.private)
    url = keep_source(settings, source.sha256, source.content).url
    placed = msgspec.structs.replace(source, url=url)
    git = git_state(Path(parsed.version.root))
    return msgspec.structs.replace(parsed, source=placed, git=git)
