"""A pipeline's version as nodes and relationships, and the jobs that it states."""

from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from lineagegraph.definitions.jobs import TaskJob, list_task_jobs
from lineagegraph.graph import Transaction
from lineagegraph.model.canonical import canonical_hash
from lineagegraph.model.definition import Emit, PipelineVersion
from lineagegraph.model.ids import new_id
from lineagegraph.model.names import JobName, name_job
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
    """Write a version and make it the current one; a known version adds nothing.

    With a `url` the packed files are there, and not in the graph.
    """
    pipeline = version.pipeline
    job = name_job(pipeline.namespace, pipeline.name)
    tasks = list_task_jobs(pipeline)
    _write_jobs(tx, job, tasks, application)
    versions.merge_source(tx, sha256=version.source_sha256, archive=archive, url=url, files=files)
    is_new = versions.merge_version(
        tx,
        job_key=job.key,
        hash=version.hash,
        structure_hash=version.structure_hash,
        code_hash=version.code_hash,
        definition=msgspec.json.encode(pipeline).decode(),
        file=version.file,
        root=version.root,
        source_sha256=version.source_sha256,
        token=new_id(),
        now=now,
    )
    if is_new:
        _write_tasks(tx, version.hash, tasks)
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
    versions.merge_tasks(tx, rows=[_task_row(version, task) for task in tasks])
    links = [
        {"hash": _hash(version, job.path), "container_hash": _hash(version, job.path[:-1])}
        for job in tasks
    ]
    versions.link_tasks(tx, rows=links)
    order = [
        {"first_hash": _hash(version, (*job.path[:-1], name)), "hash": _hash(version, job.path)}
        for job in tasks
        for name in job.task.after
    ]
    versions.link_order(tx, rows=order)


def _task_row(version: str, job: TaskJob) -> dict[str, Any]:
    return {
        "hash": _hash(version, job.path),
        "name": job.task.name,
        "path": ".".join(job.path),
        "runs": msgspec.to_builtins(job.task.work)["runs"],
        "retries": job.task.retries,
        "definition": msgspec.json.encode(job.task).decode(),
        "emits": _emitted("name", job.task.emits),
        "emit_types": _emitted("type", job.task.emits),
    }


def _emitted(field: str, emits: tuple[Emit, ...] | None) -> list[str] | None:
    return None if emits is None else [getattr(emit, field) for emit in emits]


def _hash(version: str, path: tuple[str, ...]) -> str:
    """Return a task's hash within its version; without a path it is the version itself."""
    return canonical_hash([version, *path]) if path else version
