"""Versions of pipelines as nodes and relationships, and the jobs that they state."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.names.keys import JobName, name_job
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.task_code import read_packed
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import JobKind
from lineagegraph.model.triggers.condition import OnCron
from lineagegraph.reading.jobs import TaskJob, list_task_jobs
from lineagegraph.reading.link_parents import adopt_stubs, link_parents
from lineagegraph.reading.parser import ParsedPipeline
from lineagegraph.reading.version_nodes import (
    Parts,
    list_parts,
    pipeline_properties,
    task_hash,
    task_properties,
)
from lineagegraph.store.freshness import terms
from lineagegraph.store.freshness.terms import terms_properties
from lineagegraph.store.jobs import jobs
from lineagegraph.store.pipelines import task_codes, versions


def terms_row(pipeline: Pipeline, job: JobName, tasks: Sequence[TaskJob]) -> dict[str, Any]:
    """Return the terms that the tasks of a pipeline state.

    A task that is to run whatever its age states none.
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
    """Return the first schedule of a pipeline, and its zone, if there is any."""
    crons = (one.when for one in pipeline.triggers if isinstance(one.when, OnCron))
    return next(((one.cron, one.zone) for one in crons), (None, None))


class Written(NamedTuple):
    """A pipeline in the graph, and whether its version is new there."""

    job_key: str
    is_new: bool


class _Stated(NamedTuple):
    """A pipeline that was read, with the jobs that it states."""

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
    in_force: bool = True,
    now: datetime | None = None,
) -> list[Written]:
    """Write versions and put them in force, or only keep them; a known version adds nothing.

    Packed files that have a URL are there, and not in the graph. Raises `Circle` where tasks would
    wait for each other.
    """
    stated = [_state(one) for one in pipelines]
    _write_jobs(tx, stated, application)
    versions.merge_sources(tx, rows=[_source(one) for one in pipelines])
    rows = [_version(one) for one in stated]
    new = set(versions.merge_versions(tx, rows=rows, token=new_id(), in_force=in_force, now=now))
    news = [one for one in stated if one.hash in new]
    _write_tasks(tx, news)
    _write_parts(tx, news)
    _write_codes(tx, pipelines)
    if in_force:
        said = [terms_row(one.pipeline, one.job, one.tasks) for one in stated]
        terms.set_stated(tx, rows=said, now=now)
        link_parents(tx, {one.job.key: one.tasks for one in stated})
    return [Written(one.job.key, one.hash in new) for one in stated]


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


def _write_tasks(tx: Transaction, news: list[_Stated]) -> None:
    tasks, links, order = [], [], []
    for one in news:
        for number, job in enumerate(one.tasks):
            hash_ = task_hash(one.hash, job.path)
            tasks.append({"hash": hash_, "properties": task_properties(job, number)})
            links.append({"hash": hash_, "container_hash": task_hash(one.hash, job.path[:-1])})
            before = (task_hash(one.hash, (*job.path[:-1], name)) for name in job.task.after)
            order += [{"first_hash": first, "hash": hash_} for first in before]
    versions.merge_tasks(tx, rows=tasks)
    versions.link_tasks(tx, rows=links)
    versions.link_order(tx, rows=order)


def _write_parts(tx: Transaction, news: list[_Stated]) -> None:
    each = [list_parts(one.pipeline, one.tasks, one.hash) for one in news]
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
