"""A pipeline's version as nodes and relationships, and the jobs that it states."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.canonical import canonical_hash
from lineagegraph.model.definition import Pipeline, PipelineTask, PipelineVersion, Task
from lineagegraph.model.ids import new_id
from lineagegraph.model.names import JobName, name_job
from lineagegraph.model.places import kind_of, name_task, tasks_in
from lineagegraph.model.states import JobKind
from lineagegraph.store import jobs, versions


class Written(NamedTuple):
    """A pipeline in the graph, and whether its version is new there."""

    job_key: str
    is_new: bool


class _Place(NamedTuple):
    """A task of a version, its job, and the hashes and keys of what it is in and waits for."""

    task: Task
    path: str
    hash: str
    container_hash: str
    job: JobName
    parent_key: str
    after: tuple[str, ...]


def write_version(
    tx: Transaction,
    version: PipelineVersion,
    *,
    archive: bytes,
    files: list[str],
    now: datetime | None = None,
) -> Written:
    """Write a version and make it the current one; a known version adds nothing."""
    pipeline = version.pipeline
    job = name_job(pipeline.namespace, pipeline.name)
    places = list(_tasks(pipeline.tasks, pipeline, job, version.hash, version.hash, ""))
    _write_jobs(tx, job, places)
    versions.merge_source(tx, sha256=version.source_sha256, archive=archive, files=files)
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
        _write_tasks(tx, places)
    return Written(job.key, is_new)


def _tasks(
    tasks: tuple[Task, ...],
    pipeline: Pipeline,
    parent: JobName,
    container: str,
    version: str,
    above: str,
) -> Iterator[_Place]:
    for task in tasks:
        path = f"{above}{task.name}"
        own = canonical_hash([version, path])
        job = name_task(task, parent, pipeline)
        after = tuple(canonical_hash([version, f"{above}{name}"]) for name in task.after)
        yield _Place(task, path, own, container, job, parent.key, after)
        inside = task.work.pipeline if isinstance(task.work, PipelineTask) else pipeline
        yield from _tasks(tasks_in(task.work), inside, job, own, version, f"{path}.")


def _write_jobs(tx: Transaction, job: JobName, places: list[_Place]) -> None:
    rows = [_job_row(job, None), *(_job_row(place.job, place.parent_key) for place in places)]
    jobs.merge_jobs(tx, rows=rows)
    kinds = [{"key": job.key, "kind": JobKind.PIPELINE.value}]
    kinds += [{"key": place.job.key, "kind": kind_of(place.task.work).value} for place in places]
    jobs.set_defined(tx, rows=kinds)


def _job_row(job: JobName, parent_key: str | None) -> dict[str, Any]:
    return {
        "key": job.key,
        "namespace": job.namespace,
        "name": job.name,
        "simple_name": job.simple_name,
        "fqn": job.fqn,
        "parent_key": parent_key,
    }


def _write_tasks(tx: Transaction, places: list[_Place]) -> None:
    rows = [
        {
            "hash": place.hash,
            "name": place.task.name,
            "path": place.path,
            "runs": msgspec.to_builtins(place.task.work)["runs"],
            "retries": place.task.retries,
            "definition": msgspec.json.encode(place.task).decode(),
        }
        for place in places
    ]
    versions.merge_tasks(tx, rows=rows)
    links = [{"hash": place.hash, "container_hash": place.container_hash} for place in places]
    versions.link_tasks(tx, rows=links)
    order = [{"first_hash": first, "hash": p.hash} for p in places for first in p.after]
    versions.link_order(tx, rows=order)
