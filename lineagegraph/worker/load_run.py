"""Read a claimed run from the graph: its version, its parameters, and the state to resume from."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import structlog

from lineagegraph.errors import RunError
from lineagegraph.execution.outcome import Outcome
from lineagegraph.execution.request import RunRequest
from lineagegraph.graph import Graph, Transaction
from lineagegraph.liveness.clock import database_clock
from lineagegraph.model.names.keys import name_job
from lineagegraph.model.names.named_values import values_of
from lineagegraph.model.pipelines.definition import Pipeline, PipelineVersion
from lineagegraph.model.pipelines.definition_diff import task_paths
from lineagegraph.model.pipelines.entry import Skipped
from lineagegraph.model.pipelines.expansion import Expansion, expanded
from lineagegraph.model.pipelines.masked import restore_pipeline
from lineagegraph.model.pipelines.parameters import resolve_params
from lineagegraph.model.pipelines.scheduled import scheduled_values
from lineagegraph.model.pipelines.upstream import Upstream, offered
from lineagegraph.model.runs.deferral import DeferralAnswer
from lineagegraph.model.runs.ids import derived_id
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.runs.values import read_value
from lineagegraph.model.triggers.predicate import read_payload
from lineagegraph.model.typed import decode_json
from lineagegraph.neo4j_server import find_java
from lineagegraph.process_environment.graph_place import graph_place
from lineagegraph.reading.private_values import read_private
from lineagegraph.reading.refresh import check_is_active, refresh
from lineagegraph.reruns.original import read_added_before, read_done
from lineagegraph.settings import Settings
from lineagegraph.store.admin import skips, variables
from lineagegraph.store.pipelines import task_codes
from lineagegraph.store.runs import deferrals, launches
from lineagegraph.store.runs.expansions import read_expansions
from lineagegraph.store.runs.launches import Launch
from lineagegraph.worker.run_claim import RunClaim

log = structlog.get_logger()
_MAX_UPSTREAM = 10_000


def load_launch(graph: Graph, settings: Settings, run_id: str) -> Launch:
    """Fix the version of a run, and return how it was queued.

    Raises `RunError` if no file defines its pipeline any more.
    """
    pin_version(graph, settings, run_id)
    # Files and functions of one reading: a sync may give the version others at any time.
    graph.write(task_codes.claim_task_code, id=run_id)
    launch = graph.read(launches.get_launch, id=run_id)
    if launch is None:
        raise RunError(f"run {run_id} is no longer in the graph: it was deleted while queued")
    return launch


def pin_version(graph: Graph, settings: Settings, run_id: str) -> None:
    """Keep the version that the run was queued with, or else pin the newest of its definition.

    Raises `RunError` if no file defines its pipeline any more.
    """
    wanted = graph.read(launches.get_wanted, id=run_id)
    if wanted is None or wanted.version is not None:
        return
    for fault in refresh(graph, settings, wanted.job_key):
        log.warning("definition_not_read", run=run_id, fault=fault)
    graph.read(check_is_active, wanted.job_key)
    graph.write(_set_version, run_id)


def _set_version(tx: Transaction, run_id: str) -> None:
    variables.set_initial(tx, run_id=run_id)
    launches.set_version(tx, id=run_id)


def version_of(launch: Launch, settings: Settings) -> PipelineVersion:
    """Return the pipeline version of a run, with the secrets of this machine.

    Raises `RunError` if its job has no definition, or for a secret that is not known here.
    """
    if launch.version is None or launch.definition is None:
        raise RunError(
            f"job {launch.job} has no definition in this graph: read it with `lineagegraph sync`"
        )
    pipeline = decode_json(launch.definition, into=Pipeline)
    key = name_job(pipeline.namespace, pipeline.name).key
    return PipelineVersion(
        hash=launch.version,
        structure_hash=launch.structure_hash or "",
        code_hash=launch.code_hash or "",
        pipeline=restore_pipeline(pipeline, read_private(settings, key)),
        source_sha256=launch.source_sha256 or "",
        file=launch.file or "",
        root=launch.root or "",
    )


def load_request(run: RunClaim, launch: Launch, version: PipelineVersion, code: Path) -> RunRequest:
    """Return the request of a run whose source is unpacked in `code`."""
    graph, settings, pipeline = run.graph, run.settings, version.pipeline
    upstream = _upstream(graph, run.id)
    given = scheduled_values(pipeline, upstream) | offered(pipeline.parameters, upstream)
    given |= msgspec.json.decode(launch.params) if launch.params else {}
    original = graph.read(read_added_before, run.id) if launch.only else ()
    resumed = load_resume_state(graph, launch, pipeline, original)
    done = graph.read(read_done, run.id) if launch.only else {}
    return RunRequest(
        run_id=run.id,
        version=version,
        params=resolve_params(pipeline, given),
        code=code,
        logs=settings.home / "logs" / run.id,
        only=tuple(launch.only),
        expansions=resumed.expansions,
        done={path: values_of(row.emitted) for path, row in done.items()},
        outputs={path: value for path, row in done.items() if (value := read_value(row.output))},
        skips=_skips(run),
        began_at=launch.started_at,
        attempt=launch.launches,
        fence=run.fence,
        place=graph_place(settings),
        known=resumed.known,
        waiting=resumed.waiting,
        begun=resumed.begun,
        answers=resumed.answers,
        opened=resumed.opened,
        upstream=upstream,
        nominal_start=_scheduled_at(upstream),
        java_home=find_java(settings),
        clock=database_clock(graph),
    )


def _skips(run: RunClaim) -> dict[str, Skipped]:
    rows = run.graph.write(skips.claim_snapshot, run_id=run.id)
    return {row.job_key: Skipped(row.reason, row.author) for row in rows}


def _upstream(graph: Graph, run_id: str) -> tuple[Upstream, ...]:
    rows = graph.read(launches.list_upstream, id=run_id, most=_MAX_UPSTREAM)
    return tuple(
        Upstream(
            status=row.status,
            at=row.at,
            chosen=row.chosen,
            job=row.job,
            run_id=row.run_id,
            started_at=row.started_at,
            ended_at=row.ended_at,
            event=row.event,
            zone=row.zone,
            payload=read_payload(row.params, row.emitted, row.reported),
            datasets=row.datasets,
        )
        for row in rows
    )


def _scheduled_at(upstream: Iterable[Upstream]) -> str | None:
    """Return the scheduled time that started a run, if there is exactly one."""
    times = [row.at for row in upstream if row.status == "DUE"]
    return times[0].isoformat() if len(times) == 1 else None


@dataclass(frozen=True, slots=True)
class ResumeState:
    """State that earlier launches of a run left, by path of the task.

    `known` has how tasks ended, `waiting` the run ids of waiting tasks, `begun` the paths of those
    that deferred, `opened` the run ids of groups around them, `expansions` the tasks that were
    added at run time, `answers` those of the sensors that tasks deferred to.
    """

    known: dict[str, Outcome] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    opened: dict[str, str] = field(default_factory=dict)
    expansions: tuple[Expansion, ...] = ()
    answers: dict[str, list[DeferralAnswer]] = field(default_factory=dict)


def load_resume_state(
    graph: Graph, launch: Launch, pipeline: Pipeline, taken: Sequence[Expansion] = ()
) -> ResumeState:
    """Return the state to resume a run from; `taken` are expansions of its original."""
    if launch.launches == 1:
        return ResumeState(expansions=tuple(taken))
    own = graph.read(read_expansions, launch.id)
    expansions = {expansion.names: expansion for expansion in (*taken, *own)}
    state = ResumeState(expansions=tuple(expansions.values()))
    paths = _paths(launch, expanded(pipeline, state.expansions))
    for row in graph.read(launches.list_left, id=launch.id):
        if path := paths.get(row.id):
            _put(state, path, row)
    for one in graph.read(deferrals.list_answers, id=launch.id):
        answers = decode_json(one.answers, into=list[DeferralAnswer])
        # A later launch of a task has all answers of the earlier ones, and maybe more.
        if (path := paths.get(one.run_id)) and len(answers) > len(state.answers.get(path, ())):
            state.answers[path] = answers
    return state


def _paths(launch: Launch, pipeline: Pipeline) -> dict[str, str]:
    """Return the paths of tasks by every run id that an earlier launch may have given them."""
    numbers = range(1, launch.launches + 1)
    paths = task_paths(pipeline)
    return {derived_id(launch.id, path, str(n)): path for n in numbers for path in paths}


def _put(state: ResumeState, path: str, row: launches.LaunchedTask) -> None:
    match row.state:
        case RunState.WAITING:
            state.waiting[path] = row.id
            if row.attempt is not None:
                state.begun.add(path)
        case RunState.RUNNING:
            state.opened[path] = row.id
        case _:
            emitted = json.loads(row.emitted) if row.emitted else {}
            output = read_value(row.output)
            state.known[path] = Outcome(
                row.state, row.reason, emitted=emitted, attempt=row.attempt, output=output
            )
