"""Write pipelines with their versions, jobs and triggers to the graph."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from lineagegraph.code.git import GitState, git_state
from lineagegraph.errors import LineagegraphError
from lineagegraph.freshness.pool_slots import pool_fault
from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import JobName, name_job
from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.model.pipelines.hierarchy import tasks_in
from lineagegraph.model.pipelines.task_code import read_packed
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.states import JobKind
from lineagegraph.reading.activate import ActiveVersion, activate_versions, stored_version
from lineagegraph.reading.link_parents import DependencyCircle, adopt_stubs
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
from lineagegraph.store.jobs import jobs
from lineagegraph.store.pipelines import task_codes, versions
from lineagegraph.store.pipelines.archives import keep_source
from lineagegraph.store.pipelines.versions import PinRow
from lineagegraph.store.runs import pools
from lineagegraph.store.triggers import triggers
from lineagegraph.store.triggers.conditions import list_unknown
from lineagegraph.triggers.of_definition import StatedBy, write_definitions
from lineagegraph.triggers.refusals import UnusableTriggers
from lineagegraph.triggers.stated import watches_jobs


class WrittenVersion(NamedTuple):
    """A pipeline in the graph, whether its version is new, and its active version.

    That is the `pinned` one if the pipeline is pinned, and None if nothing was activated.
    """

    job_key: str
    is_new: bool
    active: ActiveVersion | None
    pinned: str | None


class _Stated(NamedTuple):
    """A pipeline that was read, with its jobs and packed files."""

    parsed: ParsedPipeline
    job: JobName
    tasks: list[TaskJob]
    #: paths of the packed files, sorted, and the hash of each
    files: dict[str, list[str]]

    @property
    def pipeline(self) -> Pipeline:
        return self.parsed.version.pipeline

    @property
    def hash(self) -> str:
        return self.parsed.version.hash

    @property
    def job_keys(self) -> set[str]:
        return {self.job.key, *(task.name.key for task in self.tasks)}


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
    first, undefined = _write_jobs(tx, stated, application)
    sources = {one.parsed.source.sha256: _source(one) for one in stated}
    versions.merge_sources(tx, rows=list(sources.values()))
    rows = [_version(one) for one in stated]
    new = set(versions.merge_versions(tx, rows=rows, token=new_id(), now=now))
    added = [one for one in stated if one.hash in new]
    pins = _pins(tx, [one for one in stated if one.job.key not in undefined]) if activate else {}
    active = [
        _active_version(one, pins.get(one.job.key), is_first=one.job.key in first)
        for one in stated
        if activate
    ]
    activate_versions(tx, active, now=now)
    if activate:
        replacing = [one for one in added if one.job.key not in undefined]
        versions.delete_replaced(tx, rows=[_link(one) for one in replacing])
    _write_tasks(tx, added)
    _write_parts(tx, added)
    _write_codes(tx, pipelines)
    return [
        WrittenVersion(one.job.key, one.hash in new, now_active, pin.version if pin else None)
        for one, now_active in zip_longest(stated, active)
        for pin in (pins.get(one.job.key),)
    ]


def _pins(tx: Transaction, stated: Sequence[_Stated]) -> dict[str, PinRow]:
    """Return the pins of pipelines by their jobs' keys, after storing the latest versions."""
    pins = {one.job_key: one for one in versions.list_pins(tx, keys=[s.job.key for s in stated])}
    versions.set_latest(tx, rows=[_link(one) for one in stated if one.job.key in pins])
    return pins


def _active_version(one: _Stated, pin: PinRow | None, *, is_first: bool) -> ActiveVersion:
    """Return the version to activate; a pinned pipeline keeps its own."""
    if pin:
        return stored_version(pin.version, pin.definition)
    return ActiveVersion(one.job, one.hash, one.pipeline, one.tasks, is_first)


def _link(one: _Stated) -> dict[str, str]:
    return {"job_key": one.job.key, "hash": one.hash}


def _state(parsed: ParsedPipeline) -> _Stated:
    return _Stated(parsed, _job_of(parsed), list_task_jobs(parsed.version.pipeline), _files(parsed))


def _job_of(parsed: ParsedPipeline) -> JobName:
    return name_job(parsed.version.pipeline.namespace, parsed.version.pipeline.name)


def _write_jobs(
    tx: Transaction, stated: list[_Stated], application: str
) -> tuple[set[str], set[str]]:
    """Return the keys of pipelines without a job so far, also by name, and of undefined jobs."""
    rows = []
    for one in stated:
        rows.append(jobs.job_row(one.job, None) | {"kind": JobKind.PIPELINE.value})
        for task in one.tasks:
            row = jobs.job_row(task.name, task.parent.key)
            rows.append(row | {"kind": task.kind.value})
    undefined = jobs.merge_defined(tx, application=application, rows=rows)
    adopting = adopt_stubs(tx, [one.key for one in undefined])
    new = {one.key for one in undefined if one.is_new} - adopting
    first = {one.job.key for one in stated if one.job_keys <= new}
    return first, {one.key for one in undefined}


def _source(one: _Stated) -> dict[str, Any]:
    source = one.parsed.source
    archive = source.content if source.url is None else None
    return {"sha256": source.sha256, "archive": archive, "url": source.url} | one.files


def _files(parsed: ParsedPipeline) -> dict[str, list[str]]:
    packed = read_packed(parsed.source.content)
    hashes = {path: hashlib.sha256(packed[path]).hexdigest() for path in sorted(packed)}
    return {"files": list(hashes), "file_hashes": list(hashes.values())}


def _version(one: _Stated) -> dict[str, Any]:
    version = one.parsed.version
    return one.files | {
        "job_key": one.job.key,
        "hash": version.hash,
        "structure_hash": version.structure_hash,
        "code_hash": version.code_hash,
        "covers": version.covers,
        "definition": msgspec.json.encode(version.pipeline).decode(),
        "properties": pipeline_properties(version.pipeline),
        "file": version.file,
        "root": version.root,
        "source_sha256": version.source_sha256,
    }


def _write_tasks(tx: Transaction, added: list[_Stated]) -> None:
    rows = [
        {
            "hash": task_hash(one.hash, job.path),
            "properties": task_properties(job, number),
            "container_hash": task_hash(one.hash, job.path[:-1]),
            "after": [task_hash(one.hash, (*job.path[:-1], name)) for name in job.task.after],
        }
        for one in added
        for number, job in enumerate(one.tasks)
    ]
    versions.merge_tasks(tx, rows=rows)


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

    namespace: str  # namespace of its job
    pipeline: str  # its name
    version: str  # hash of its version
    is_new: bool  # whether the version is new
    file: str  # file that declares it
    pinned: str | None = None  # hash of the version that it runs instead; None without one
    suspended: dict[str, str] = {}  # triggers that no person suspended, each with the reason
    unknown: tuple[str, ...] = ()  # watched jobs with neither a definition nor a run


class Refusal(NamedTuple):
    """Pipelines of which each is part of an error."""

    pipelines: Sequence[ParsedPipeline]
    reason: str


class UnusablePipelines(LineagegraphError):
    """Pipelines that the graph cannot take."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__("; ".join(one.reason for one in refusals))
        self.refusals = refusals


def write_pipelines(
    tx: Transaction, pipelines: Sequence[ParsedPipeline], *, application: str
) -> list[SyncedPipeline]:
    """Activate versions and the triggers of their pipelines.

    Raises `UnusablePipelines` for those of which the graph cannot take something of one kind; there
    may be more.
    """
    keys = [_job_of(one).key for one in pipelines]
    with audited(tx, "pipeline.sync", *keys):
        return _write(tx, pipelines, application)


def _write(
    tx: Transaction, pipelines: Sequence[ParsedPipeline], application: str
) -> list[SyncedPipeline]:
    try:
        written = write_versions(tx, pipelines, application=application)
    except DependencyCircle as error:
        refusal = Refusal(_all_of(pipelines, error.keys), str(error))
        raise UnusablePipelines([refusal]) from error
    check_pools(tx, pipelines)
    before: dict[str, list[str]] = defaultdict(list)
    earlier = [one.job_key for one in written if not _is_first(one)]
    for row in triggers.list_defined(tx, keys=earlier):
        before[row.job_key].append(row.id)
    stated = [
        StatedBy(one.active.pipeline, one.job_key, before[one.job_key])
        for one in written
        if one.active
    ]
    try:
        suspended = write_definitions(tx, stated)
    except UnusableTriggers as error:
        raise UnusablePipelines(
            [
                Refusal([parsed], str(error.reasons[one.job_key]))
                for parsed, one in zip(pipelines, written, strict=True)
                if one.job_key in error.reasons
            ]
        ) from error
    watching = [one.job_key for one in written if not _is_first(one) or _watches_jobs(one)]
    unknown = list_unknown(tx, keys=watching)
    return [
        SyncedPipeline(
            parsed.version.pipeline.namespace,
            parsed.version.pipeline.name,
            parsed.version.hash,
            one.is_new,
            parsed.version.file,
            one.pinned,
            suspended.get(one.job_key, {}),
            tuple(job.name for job in unknown if job.starts == one.job_key),
        )
        for parsed, one in zip(pipelines, written, strict=True)
    ]


def _is_first(one: WrittenVersion) -> bool:
    return one.active is not None and one.active.is_first


def _watches_jobs(one: WrittenVersion) -> bool:
    return one.active is not None and any(map(watches_jobs, one.active.pipeline.triggers))


def check_pools(tx: Transaction, pipelines: Sequence[ParsedPipeline]) -> None:
    """Raise `UnusablePipelines` for those with a task whose pool is unknown or too small."""
    asked = {id(one): list(_with_pools(one.version.pipeline.tasks)) for one in pipelines}
    names = {task.pool for tasks in asked.values() for task in tasks if task.pool}
    sizes = {row.name: row.slots for row in pools.list_sizes(tx, names=sorted(names))}
    refusals = [
        Refusal([one], f"task {task.name}: {fault}")
        for one in pipelines
        for task in asked[id(one)]
        if (fault := pool_fault(task.pool or "", sizes.get(task.pool or ""), task.pool_slots))
    ]
    if refusals:
        raise UnusablePipelines(refusals)


def _with_pools(tasks: Sequence[Task]) -> Iterator[Task]:
    for task in tasks:
        if task.pool is not None:
            yield task
        yield from _with_pools(tasks_in(task.work))


def _all_of(pipelines: Sequence[ParsedPipeline], keys: Sequence[str]) -> Sequence[ParsedPipeline]:
    """Return the pipelines that are, or contain, one of the jobs with these keys."""
    return [one for one in pipelines if not _jobs_of(one).isdisjoint(keys)] or pipelines[-1:]


def _jobs_of(one: ParsedPipeline) -> set[str]:
    return {_job_of(one).key, *(job.name.key for job in list_task_jobs(one.version.pipeline))}


def store_source(
    parsed: ParsedPipeline,
    settings: Settings,
    read_git: Callable[[Path], GitState | None] = git_state,
) -> ParsedPipeline:
    """Return a pipeline with the state of its repository, after storing its files and secrets.

    Call it before the transaction that writes the pipeline.
    """
    source = parsed.source
    keep_private(settings, _job_of(parsed).key, parsed.private)
    url = keep_source(settings, source.sha256, source.content).url
    placed = msgspec.structs.replace(source, url=url)
    git = read_git(Path(parsed.version.root))
    return msgspec.structs.replace(parsed, source=placed, git=git)
