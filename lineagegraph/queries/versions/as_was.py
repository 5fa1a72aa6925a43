"""The as-was view: a run or a pipeline in the past, with nothing of today unless marked."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.named_values import values_of
from lineagegraph.model.pipelines.definition import Pipeline, Task
from lineagegraph.model.pipelines.environment import Package
from lineagegraph.model.pipelines.expansion import Expansion, expanded
from lineagegraph.model.typed import decode_json
from lineagegraph.queries.lineage.run_lineage import MOST_NODES
from lineagegraph.queries.versions.runs_as_was import external_tasks, tasks_of_run
from lineagegraph.queries.versions.tasks_as_was import (
    DataAsWas,
    TaskAsWas,
    stated_tasks,
    take_inputs,
    take_outputs,
)
from lineagegraph.store.jobs.details import list_reads, list_writes
from lineagegraph.store.runs.as_was import (
    RunThenRow,
    ThenEnvironment,
    ThenRun,
    ThenVersion,
    get_in_force,
    get_run,
    walk_below,
)


class EnvironmentAsWas(msgspec.Struct, frozen=True):
    """The environment of a run."""

    sha256: str
    python: str
    platform: str
    packages: tuple[Package, ...]


class AsWas(msgspec.Struct, frozen=True, kw_only=True):
    """A pipeline as it was, its tasks in order of dependency.

    For a run it has the states of the tasks; for a time `at`, the version active then and its span.
    `missing` lists in words what is no longer known. `run_then` is the newest run at the time.
    """

    namespace: str | None  # namespace of the job
    job: str  # full name of the job
    run: ThenRun | None = None  # the run; None for the view of a time
    at: datetime | None = None  # the time of the view; None for a run
    since: datetime | None = None  # start of the version's period at that time
    until: datetime | None = None  # end of that period; None if it still holds
    run_then: str | None = None  # newest run at that time
    version: ThenVersion | None = None  # the version that ran or was active
    description: str | None = None  # description of the version
    start_date: datetime | None = None  # first time of its schedules
    end_date: datetime | None = None  # last time of its schedules
    params: dict[str, Any] = {}  # parameters of the run, or the defaults
    variables: dict[str, Any] = {}  # variables that the run read
    emitted: dict[str, Any] = {}  # values that the run emitted
    cost: dict[str, Any] = {}  # Spark usage of the run
    spark: dict[str, str] = {}  # Spark configuration of the version
    environment: EnvironmentAsWas | None = None  # Python and packages of the run
    tasks: tuple[TaskAsWas, ...] = ()  # tasks in order of dependency
    inputs: tuple[DataAsWas, ...] = ()  # data read from outside the run
    outputs: tuple[DataAsWas, ...] = ()  # data written by the run
    missing: tuple[str, ...] = ()  # unknown parts in words


def read_as_was(graph: Graph, run: str) -> AsWas:
    """Return the run of an id as it was."""
    return graph.read(_run_as_was, run)


def read_job_as_was(graph: Graph, job_key: str, at: datetime) -> AsWas:
    """Return the pipeline of a key at a time, by the version active then."""
    row = graph.read(get_in_force, job_key=job_key, at=at)
    if row is None:
        raise NotFound(f"no job with key {job_key}: it is no longer in the graph")
    if row.version is None or row.definition is None:
        why = _no_version(row.known_since, at)
        raise NotFound(f"no version of {row.job} was active at {at.isoformat()}: {why}")
    pipeline = _pipeline(row.definition)
    return AsWas(
        namespace=row.namespace,
        job=row.job,
        at=at,
        since=row.since,
        until=row.until,
        run_then=row.run,
        version=row.version,
        description=pipeline.description,
        start_date=pipeline.start_date,
        end_date=pipeline.end_date,
        params={one.name: one.default for one in pipeline.parameters if not one.required},
        spark=pipeline.spark,
        tasks=tuple(stated_tasks(pipeline, _today(row.today))),
        missing=tuple(_missing_code(row.version)),
    )


def _no_version(known_since: datetime | None, at: datetime) -> str:
    if known_since is None:
        return "it has no definition here"
    if known_since > at:
        return f"its first version is of {known_since.isoformat()}"
    return "no file defined it then"


def _run_as_was(tx: Transaction, run: str) -> AsWas:
    row = get_run(tx, id=run)
    if row is None:
        raise NotFound(f"no run {run!r}: `lineagegraph runs JOB` lists a job's runs")
    below = walk_below(tx, id=run, limit=MOST_NODES + 1)
    is_cut, below = len(below) > MOST_NODES, below[:MOST_NODES]
    ids = [run, *(one.id for one in below)]
    reads, writes = list_reads(tx, ids=ids), list_writes(tx, ids=ids)
    pipeline = _ran(row)
    if pipeline is None:
        tasks = external_tasks(run, below, reads, writes)
    else:
        stated = list(stated_tasks(pipeline, _today(row.today)))
        tasks = tasks_of_run(row.run, stated, below, reads, writes)
    return AsWas(
        namespace=row.namespace,
        job=row.job,
        run=row.run,
        version=row.version,
        description=pipeline.description if pipeline else None,
        start_date=pipeline.start_date if pipeline else None,
        end_date=pipeline.end_date if pipeline else None,
        params=values_of(row.params),
        variables=values_of(row.variables),
        emitted=values_of(row.emitted),
        cost=values_of(row.cost),
        spark=pipeline.spark if pipeline else {},
        environment=_environment(row.environment),
        tasks=tuple(tasks),
        inputs=take_inputs(reads, set(ids)),
        outputs=take_outputs(writes),
        missing=tuple(_missing(row, is_cut)),
    )


def _ran(row: RunThenRow) -> Pipeline | None:
    """Return the pipeline with everything that the run itself added to it."""
    if row.definition is None:
        return None
    added = [
        Expansion(behind=tuple(one.behind), task=decode_json(one.definition, into=Task))
        for one in row.expansions
    ]
    return expanded(_pipeline(row.definition), added)


def _pipeline(definition: str) -> Pipeline:
    return decode_json(definition, into=Pipeline)


def _today(definition: str | None) -> Pipeline | None:
    return None if definition is None else _pipeline(definition)


def _environment(row: ThenEnvironment | None) -> EnvironmentAsWas | None:
    if row is None:
        return None
    packages = decode_json(row.packages, into=tuple[Package, ...])
    return EnvironmentAsWas(row.sha256, row.python, row.platform, packages)


def _missing(row: RunThenRow, is_cut: bool) -> Iterator[str]:
    if row.version is None and row.run.parent:
        yield f"the version is that of the run around it: see run {row.run.parent}"
    elif row.version_hash is None:
        yield "no version is known: the run has not begun, or its producer reported none"
    elif row.version is None:
        yield (f"version {row.version_hash[:12]} has no definition here: tasks are those that ran")
    else:
        yield from _missing_code(row.version)
        if row.environment is None and row.run.started_at:
            yield "the environment was not recorded"
    if is_cut:
        yield f"only the first {MOST_NODES:,} runs below it are shown"


def _missing_code(version: ThenVersion) -> Iterator[str]:
    if version.source is None or (version.files and not version.is_kept):
        yield "the archived code is no longer stored"
