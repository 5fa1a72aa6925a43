"""`run` and `cancel`."""

import os
import socket
from typing import Annotated, NamedTuple

import msgspec
import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, results
from lineagegraph.cli.follow import follow, is_final
from lineagegraph.cli.interrupt import interrupts
from lineagegraph.cli.look import reason
from lineagegraph.daemon import ALIVE, Launcher, nudge_daemons
from lineagegraph.definitions.parameters import resolve_params
from lineagegraph.errors import InvalidParameter, RunError
from lineagegraph.explore import find_job, find_run, read_run
from lineagegraph.graph import Graph
from lineagegraph.model.definition import Pipeline
from lineagegraph.model.ids import new_id
from lineagegraph.model.states import RunState
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store import launches, processes, versions

_STOP_SECONDS = 20.0


class Queued(NamedTuple):
    """A run that was queued, and whether it waits for a daemon elsewhere."""

    run_id: str
    has_daemon: bool


def run(
    job: Annotated[str, typer.Argument(help="FQN or unique simple name of a pipeline.")],
    param: Annotated[
        list[str] | None, typer.Option("--param", "-p", help="A parameter, as name=value.")
    ] = None,
    only: Annotated[str | None, typer.Option(help="Some tasks only, with commas.")] = None,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Follow a daemon's run to its end.")
    ] = False,
    namespace: Annotated[str | None, typer.Option(help="Where several jobs have the name.")] = None,
) -> None:
    """Run a pipeline: by a daemon if one lives, here otherwise."""
    settings = load_settings()
    with connected(settings) as graph:
        queued = _queue(graph, job, namespace, param or [], only.split(",") if only else [])
        if queued.has_daemon and not wait:
            results.print(queued.run_id)
            return
        if queued.has_daemon:
            _follow(graph, queued.run_id)
        else:
            _run_here(graph, settings, queued.run_id)
        raise typer.Exit(_report(graph, queued.run_id))


def cancel(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="Its id or a start of it.")],
) -> None:
    """End a run: its Spark jobs are cancelled, and it becomes KILLED."""
    with connected(load_settings()) as graph:
        found = find_run(graph, run_id).id
        if graph.write(launches.set_cancelled, id=found) is None:
            raise RunError(
                f"run {found} is not running here: only runs in progress can be cancelled"
            )
        results.print(f"run {found} is asked to end")


def _queue(
    graph: Graph, job: str, namespace: str | None, given: list[str], only: list[str]
) -> Queued:
    found = find_job(graph, job, namespace)
    text = graph.read(versions.get_definition, job_key=found.key)
    if text is None:
        raise RunError(
            f"{found.fqn} is no pipeline that was synced: `lineagegraph sync PATH` first"
        )
    pipeline = msgspec.json.decode(text, type=Pipeline)
    params = resolve_params(pipeline, dict(_split(item) for item in given))
    run_id = new_id()
    graph.write(
        launches.merge_queued,
        run_id=run_id,
        job_key=found.key,
        params=msgspec.json.encode(params).decode(),
        only=only,
        now=None,
    )
    live = graph.read(processes.list_live, kind="daemon", within=ALIVE, now=None)
    nudge_daemons(graph)
    return Queued(run_id, bool(live))


def _split(item: str) -> tuple[str, str]:
    name, equals, value = item.partition("=")
    if not equals or not name:
        raise InvalidParameter(f"--param {item}: expected name=value")
    return name, value


def _follow(graph: Graph, run_id: str) -> None:
    follow(graph, lambda: [run_id], lambda: is_final(graph, run_id), results)


def _run_here(graph: Graph, settings: Settings, run_id: str) -> None:
    launcher = Launcher(graph, settings, f"{socket.gethostname()}:{os.getpid()}")
    worker = launcher.launch(run_id)
    if worker is None:
        _follow(graph, run_id)
        return
    with interrupts() as asked:
        follow(
            graph,
            lambda: [run_id],
            lambda: asked.is_set() or worker.process.poll() is not None,
            results,
        )
        if asked.is_set():
            errors.print("ending the run (Ctrl-C again leaves it to itself)")
        launcher.stop(_STOP_SECONDS)


def _report(graph: Graph, run_id: str) -> int:
    whole = read_run(graph, run_id)
    row = whole.run
    results.print(f"run {run_id} {row.state}")
    if row.error:
        errors.print(f"{row.reason or row.state}: {row.error.strip().splitlines()[-1]}")
    if row.log:
        errors.print(f"log: {row.log}")
    for firing in whole.fired:
        results.print(f"fired: {reason(firing.reason)}")
    return 0 if row.state == RunState.COMPLETED else 1
