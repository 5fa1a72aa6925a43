"""A claimed run, carried out in this process: its lease, its version, its code and its reports."""

import os
import socket
import tempfile
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Protocol

import msgspec
import structlog

from lineagegraph.authoring.variables import offering
from lineagegraph.code.archive import unpack
from lineagegraph.errors import LineagegraphError, RunError
from lineagegraph.execution import Cancellation, RunRequest, run_pipeline
from lineagegraph.execution.clusters import Compute
from lineagegraph.execution.gate import Parked
from lineagegraph.execution.logs import Captured
from lineagegraph.execution.python_work import Load
from lineagegraph.execution.sensor_process import OwnSensorProcess
from lineagegraph.execution.sessions import OpenSessions
from lineagegraph.freshness.lease import keep_hold
from lineagegraph.graph import Graph
from lineagegraph.liveness.clock import database_clock
from lineagegraph.liveness.heartbeat import Heartbeat
from lineagegraph.model.pipelines.definition import Pipeline, PipelineVersion
from lineagegraph.model.pipelines.parameters import resolve_params
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.model.pipelines.upstream import Upstream, offered
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.payload import read_payload
from lineagegraph.model.typed import decode_json
from lineagegraph.neo4j_server import find_java
from lineagegraph.reactions.end_runs import failure_events
from lineagegraph.reruns.original import read_done
from lineagegraph.runs.report import GraphReporter
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines import task_codes
from lineagegraph.store.pipelines.archives import read_source
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.expansions import read_originals
from lineagegraph.store.runs.launches import Launch
from lineagegraph.worker.cluster_records import ClusterKeeper
from lineagegraph.worker.enter_environment import enter_environment
from lineagegraph.worker.resume_state import read_left
from lineagegraph.worker.run_expander import ExpandedFunctions, RunExpander
from lineagegraph.worker.run_gate import open_gate
from lineagegraph.worker.run_variables import RunVariables
from lineagegraph.worker.sensor_pokes import SensorLooks
from lineagegraph.worker.start_cluster import start_cluster
from lineagegraph.worker.take_version import take_version

log = structlog.get_logger()
_MOST_UPSTREAM = 10_000
_REPORT_SECONDS = 5.0


class Place(Protocol):
    """Where a run is carried out: in a process of its own, or beside what a notebook holds."""

    @property
    def captured(self) -> Captured:
        """What takes over what is printed and logged."""

    def enter(self, root: Path) -> None:
        """Prepare for the code of a project."""

    def functions(self, code: Path, stored: TaskCode | None) -> Load:
        """Return what finds the functions of tasks."""

    def sessions(self, code: Path, java_home: Path | None) -> OpenSessions:
        """Return what opens sessions of Spark."""


def hold_and_run(
    graph: Graph,
    settings: Settings,
    run_id: str,
    fence: int,
    cancellation: Cancellation,
    place: Place,
) -> RunState:
    """Run a claimed run to its end, while it is this process's by its fence."""
    lease = timedelta(seconds=settings.lease_seconds)
    heartbeat = Heartbeat(
        graph,
        run_id,
        fence,
        owner=f"{socket.gethostname()}:{os.getpid()}",
        seconds=settings.heartbeat_seconds,
        lease=lease,
        stop_run=cancellation.request,
    )
    heartbeat.start()
    news = timedelta(seconds=settings.news_seconds)
    # What it cannot report at once is kept.
    quick = graph.with_patience(_REPORT_SECONDS)
    reporter = GraphReporter(quick, run_id, fence, news, settings.notify, lease)
    try:
        return _run(graph.outlasting(), settings, run_id, fence, reporter, cancellation, place)
    except Parked:
        log.info("run_parked", run=run_id)
        return RunState.WAITING
    except Exception as error:
        is_foreseen = isinstance(error, LineagegraphError)
        said = str(error) if is_foreseen else f"{type(error).__name__}: {error}"
        log.error("run_not_started", run=run_id, error=said, exc_info=not is_foreseen)
        _report_failure(graph, run_id, reporter, said)
        return RunState.FAILED
    finally:
        heartbeat.stop()


def _run(
    graph: Graph,
    settings: Settings,
    run_id: str,
    fence: int,
    reporter: GraphReporter,
    cancellation: Cancellation,
    place: Place,
) -> RunState:
    take_version(graph, settings, run_id)
    launch = graph.read(launches.get_launch, id=run_id)
    if launch is None:
        raise RunError(f"run {run_id} is not in the graph any more")
    version = _version(launch)
    taken = graph.read(read_originals, run_id) if launch.only else ()
    enter_environment(graph, settings, run_id, launch.fence)
    java_home = find_java(settings)
    upstream = _upstream(graph, run_id)
    given = offered(version.pipeline.parameters, upstream)
    given |= msgspec.json.decode(launch.params) if launch.params else {}
    left = read_left(graph, launch, version.pipeline, taken)
    with tempfile.TemporaryDirectory(prefix="lineagegraph-") as folder:
        code = Path(folder)
        unpack(read_source(graph, settings, version.source_sha256), code)
        request = RunRequest(
            run_id=run_id,
            version=version,
            params=resolve_params(version.pipeline, given),
            code=code,
            logs=settings.home / "logs" / run_id,
            only=tuple(launch.only),
            expansions=left.expansions,
            done=graph.read(read_done, run_id),
            attempt=launch.launches,
            fence=fence,
            known=left.known,
            waiting=left.waiting,
            opened=left.opened,
            upstream=upstream,
            nominal_start=_scheduled_at(upstream),
            java_home=java_home,
            clock=database_clock(graph),
        )
        functions = place.functions(code, graph.write(task_codes.claim_task_code, id=run_id))
        place.enter(Path(version.root))
        with offering(RunVariables(graph, run_id)), OwnSensorProcess(graph, settings) as own:
            load = ExpandedFunctions(graph, functions, code, left.expansions)
            expander = RunExpander(graph, run_id, fence, settings.max_expanded_tasks, code)
            looks = SensorLooks(graph, settings, load)
            gate = open_gate(graph, settings, launch, version.pipeline, looks, own)
            keeper = ClusterKeeper(graph, run_id, fence, version)
            guard = partial(graph.write, keep_hold, run_id, fence)
            compute = Compute(partial(start_cluster, settings, request.logs), keeper, guard)
            return run_pipeline(
                request,
                reporter,
                place.sessions(code, java_home),
                cancellation,
                load,
                expander,
                gate,
                compute,
                looks,
                place.captured,
            )


def _upstream(graph: Graph, run_id: str) -> tuple[Upstream, ...]:
    rows = graph.read(launches.list_upstream, id=run_id, most=_MOST_UPSTREAM)
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
            payload=read_payload(row.params, row.emitted),
            datasets=row.datasets,
        )
        for row in rows
    )


def _scheduled_at(upstream: Iterable[Upstream]) -> str | None:
    """Return the scheduled time that set a run off, if just one did."""
    times = [one.at for one in upstream if one.status == "DUE"]
    return times[0].isoformat() if len(times) == 1 else None


def _version(launch: Launch) -> PipelineVersion:
    if launch.version is None or launch.definition is None:
        raise RunError(f"job {launch.job} has no definition here: `lineagegraph sync` reads one")
    return PipelineVersion(
        hash=launch.version,
        structure_hash=launch.structure_hash or "",
        code_hash=launch.code_hash or "",
        pipeline=decode_json(launch.definition, into=Pipeline),
        source_sha256=launch.source_sha256 or "",
        file=launch.file or "",
        root=launch.root or "",
    )


def _report_failure(graph: Graph, run_id: str, reporter: GraphReporter, said: str) -> None:
    """End a run that could not be started, or whose end could not be reported."""
    still_open = graph.read(launches.list_open, id=run_id)
    events = failure_events(still_open, "NOT_STARTED", said)
    if events:
        reporter.report(events)
