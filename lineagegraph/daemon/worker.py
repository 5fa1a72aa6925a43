"""The process of one run: `python -m lineagegraph.daemon.worker RUN FENCE`.

It holds the run by lease and fence, runs the user's code, and reports to the graph itself, so the
daemon that started it may die without harm to the run.
"""

import os
import socket
import sys
import tempfile
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from pathlib import Path

import msgspec
import structlog

from lineagegraph.daemon.cluster_keeper import ClusterKeeper
from lineagegraph.daemon.database_clock import database_clock
from lineagegraph.daemon.enter_environment import enter_environment
from lineagegraph.daemon.failure import failure_events
from lineagegraph.daemon.heartbeat import Heartbeat
from lineagegraph.daemon.left import read_left
from lineagegraph.daemon.own_sessions import open_sessions
from lineagegraph.daemon.report import GraphReporter
from lineagegraph.daemon.run_expander import ExpandedFunctions, RunExpander
from lineagegraph.daemon.run_gate import open_gate
from lineagegraph.daemon.run_variables import RunVariables
from lineagegraph.daemon.sensor_looks import SensorLooks
from lineagegraph.daemon.signals import call_on_signals
from lineagegraph.daemon.start_cluster import start_cluster
from lineagegraph.daemon.take_version import take_version
from lineagegraph.definitions.archive import unpack
from lineagegraph.definitions.load import Functions
from lineagegraph.definitions.variables import offering
from lineagegraph.errors import LineagegraphError, RunError
from lineagegraph.execution import Cancellation, RunRequest, run_pipeline
from lineagegraph.execution.clusters import Compute
from lineagegraph.execution.gate import Parked
from lineagegraph.execution.sensor_process import OwnSensorProcess
from lineagegraph.graph import Graph
from lineagegraph.model.definition import Pipeline, PipelineVersion
from lineagegraph.model.parameters import resolve_params
from lineagegraph.model.payload import read_payload
from lineagegraph.model.states import SUCCEEDED, RunState
from lineagegraph.model.typed import decode_json
from lineagegraph.model.upstream import Upstream, offered
from lineagegraph.neo4j_server import find_java
from lineagegraph.scheduling.keep_hold import keep_hold
from lineagegraph.scheduling.reruns import read_done
from lineagegraph.settings import Settings, load_settings
from lineagegraph.spark import ship_by_value
from lineagegraph.store import launches, task_codes
from lineagegraph.store.archives import read_source
from lineagegraph.store.connect import open_graph
from lineagegraph.store.expansions import read_originals
from lineagegraph.store.launches import Launch

log = structlog.get_logger()
_MOST_UPSTREAM = 10_000
_REPORT_SECONDS = 5.0


def main(run_id: str, fence: int) -> None:
    """Run one claimed run to its end, and leave the process."""
    settings = load_settings()
    cancellation = Cancellation()
    call_on_signals(cancellation.request)
    with open_graph(settings) as graph:
        state = _hold_and_run(graph, settings, run_id, fence, cancellation)
    # Threads that the user's code left behind must not keep the process.
    sys.stdout.flush()
    os._exit(0 if state in SUCCEEDED else 1)


def _hold_and_run(
    graph: Graph, settings: Settings, run_id: str, fence: int, cancellation: Cancellation
) -> RunState:
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
        return _run(graph.outlasting(), settings, run_id, fence, reporter, cancellation)
    except Parked:
        log.info("run_parked", run=run_id)
        return RunState.WAITING
    except LineagegraphError as error:
        log.error("run_not_started", run=run_id, error=str(error))
        _report_failure(graph, run_id, reporter, error)
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
        functions = Functions(
            code, graph.write(task_codes.claim_task_code, id=run_id), ship_by_value
        )
        _enter_project(Path(version.root))
        sessions = partial(open_sessions, code, java_home, settings)
        with offering(RunVariables(graph, run_id)), OwnSensorProcess(graph, settings) as own:
            load = ExpandedFunctions(graph, functions, code, left.expansions)
            expander = RunExpander(graph, run_id, fence, settings.max_expanded_tasks, code)
            looks = SensorLooks(graph, settings, load)
            gate = open_gate(graph, settings, launch, version.pipeline, looks, own)
            keeper = ClusterKeeper(graph, run_id, fence, version)
            guard = partial(graph.write, keep_hold, run_id, fence)
            compute = Compute(partial(start_cluster, settings, request.logs), keeper, guard)
            return run_pipeline(
                request, reporter, sessions, cancellation, load, expander, gate, compute, looks
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


def _enter_project(root: Path) -> None:
    """Work where the project is, so that paths in its code mean the same as for its author."""
    if root.is_dir():
        os.chdir(root)


def _report_failure(
    graph: Graph, run_id: str, reporter: GraphReporter, error: LineagegraphError
) -> None:
    """End a run that could not be started, or whose end could not be reported."""
    still_open = graph.read(launches.list_open, id=run_id)
    events = failure_events(still_open, "NOT_STARTED", str(error))
    if events:
        reporter.report(events)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
