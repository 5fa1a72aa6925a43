"""`run` and `cancel`."""

import os
import socket
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, results
from lineagegraph.cli.follow import follow, is_final
from lineagegraph.cli.interrupt import interrupts
from lineagegraph.cli.look import reason
from lineagegraph.cli.queue import queue_run
from lineagegraph.daemon import Launcher
from lineagegraph.errors import RunError
from lineagegraph.explore import find_job, find_run, read_run
from lineagegraph.graph import Graph
from lineagegraph.model.states import RunState
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store import launches, triggers

_STOP_SECONDS = 20.0


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
    consume: Annotated[
        bool, typer.Option("--consume", help="Take what pends for the triggers of the pipeline.")
    ] = False,
) -> None:
    """Run a pipeline: by a daemon if one lives, here otherwise."""
    settings = load_settings()
    with connected(settings) as graph:
        found = find_job(graph, job, namespace)
        ids = graph.read(triggers.list_starting, job_key=found.key) if consume else []
        tasks = only.split(",") if only else []
        queued = queue_run(graph, found.key, found.fqn, param or [], tasks, ids, consume=consume)
        if consume:
            errors.print(f"it takes {queued.consumed} things that pended for its triggers")
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
