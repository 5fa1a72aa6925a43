"""A pipeline's version as nodes and relationships, and the jobs that it states."""

import hashlib
from datetime import datetime
from typing import NamedTuple

import msgspec

from lineagegraph.definitions.jobs import TaskJob, list_task_jobs
from lineagegraph.definitions.stated_terms import state_terms
from lineagegraph.definitions.version_nodes import (
    list_parts,
    pipeline_properties,
    task_hash,
    task_properties,
)
from lineagegraph.graph import Transaction
from lineagegraph.model.definition import Pipeline, PipelineVersion
from lineagegraph.model.ids import new_id
from lineagegraph.model.names import JobName, name_job
from lineagegraph.model.packed import read_packed
from lineagegraph.model.states import JobKind
from lineagegraph.model.task_code import TaskCode
from lineagegraph.store import jobs, task_codes, versions


class Written(NamedTuple):
    """A pipeline in the graph, and whether its version is new there."""

    job_key: str
    is_new: bool


def write_version(
    tx: Transaction,
    version: PipelineVersion,
    *,
    application: str,
    archive: bytes,
    files: list[str],
    code: TaskCode | None = None,
    url: str | None = None,
    now: datetime | None = None,
) -> Written:
    """Write a version and put it in force; a known version adds nothing.

    With a `url` the packed files are there, and not in the graph.
    """
    pipeline = version.pipeline
    job = name_job(pipeline.namespace, pipeline.name)
    tasks = list_task_jobs(pipeline)
    _write_jobs(tx, job, tasks, application)
    state_terms(tx, pipeline, job, tasks, now=now)
    versions.merge_source(tx, sha256=version.source_sha256, archive=archive, url=url, files=files)
    hashes = {path: hashlib.sha256(body).hexdigest() for path, body in read_packed(archive).items()}
    is_new = versions.merge_version(
        tx,
        job_key=job.key,
        hash=version.hash,
        structure_hash=version.structure_hash,
        code_hash=version.code_hash,
        definition=msgspec.json.encode(pipeline).decode(),
        properties=pipeline_properties(pipeline),
        file=version.file,
        root=version.root,
        files=sorted(hashes),
        file_hashes=[hashes[path] for path in sorted(hashes)],
        source_sha256=version.source_sha256,
        token=new_id(),
        now=now,
    )
    if is_new:
        _write_tasks(tx, version.hash, tasks)
        _write_parts(tx, version.hash, pipeline, tasks)
    if code:
        task_codes.merge_task_code(tx, version=version.hash, **msgspec.structs.asdict(code))
    return Written(job.key, is_new)


def _write_jobs(tx: Transaction, job: JobName, tasks: list[TaskJob], application: str) -> None:
    below = (jobs.job_row(task.name, task.parent.key) for task in tasks)
    jobs.merge_jobs(tx, rows=[jobs.job_row(job, None), *below])
    kinds = [{"key": job.key, "kind": JobKind.PIPELINE.value}]
    kinds += [{"key": task.name.key, "kind": task.kind.value} for task in tasks]
    jobs.set_defined(tx, application=application, rows=kinds)


def _write_tasks(tx: Transaction, version: str, tasks: list[TaskJob]) -> None:
    rows = [
        {"hash": task_hash(version, job.path), "properties": task_properties(job, number)}
        for number, job in enumerate(tasks)
    ]
    versions.merge_tasks(tx, rows=rows)
    links = [
        {
            "hash": task_hash(version, job.path),
            "container_hash": task_hash(version, job.path[:-1]),
        }
        for job in tasks
    ]
    versions.link_tasks(tx, rows=links)
    order = [
        {
            "first_hash": task_hash(version, (*job.path[:-1], name)),
            "hash": task_hash(version, job.path),
        }
        for job in tasks
        for name in job.task.after
    ]
    versions.link_order(tx, rows=order)


def _write_parts(tx: Transaction, version: str, pipeline: Pipeline, tasks: list[TaskJob]) -> None:
    parts = list_parts(pipeline, tasks, version)
    versions.merge_parts(tx, **msgspec.structs.asdict(parts))
