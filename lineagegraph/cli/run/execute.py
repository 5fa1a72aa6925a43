"""Execution of a queued run: by a running daemon, otherwise in this process."""

import os
import socket

import typer
from rich.console import Console

from lineagegraph.cli.console import errors, results
from lineagegraph.cli.formatting import reason
from lineagegraph.cli.interrupt import interrupts
from lineagegraph.client.follow import PATIENCE_SECONDS, follow, is_final
from lineagegraph.graph import Graph
from lineagegraph.model.runs.states import SUCCEEDED
from lineagegraph.process_environment.conceal import conceal_environment
from lineagegraph.queries.runs.runs import read_run
from lineagegraph.settings import Settings
from lineagegraph.text import headline
from lineagegraph.worker.launcher import Launcher

_STOP_SECONDS = 20.0


def execute_queued(
    graph: Graph,
    settings: Settings,
    run_id: str,
    *,
    has_daemon: bool,
    wait: bool,
    output: Console = results,
) -> None:
    """Print the id of a run that a daemon executes, or follow the run and exit with its result."""
    if has_daemon and not wait:
        output.print(run_id)
        return
    if has_daemon:
        _follow(graph, run_id, output)
    else:
        _run_here(graph, settings, run_id, output)
    raise typer.Exit(_report(graph.outlasting(), run_id, output))


def _follow(graph: Graph, run_id: str, output: Console) -> None:
    quick = graph.with_patience(PATIENCE_SECONDS)
    follow(graph, lambda: [run_id], lambda: is_final(quick, run_id), output)


def _run_here(graph: Graph, settings: Settings, run_id: str, output: Console) -> None:
    launcher = Launcher(graph.outlasting(), settings, f"{socket.gethostname()}:{os.getpid()}")
    conceal_environment()
    worker = launcher.launch(run_id)
    if worker is None:
        _follow(graph, run_id, output)
        return
    with interrupts() as asked:
        follow(
            graph,
            lambda: [run_id],
            lambda: asked.is_set() or worker.process.poll() is not None,
            output,
        )
        if asked.is_set():
            errors.print("ending the run (Ctrl-C again: do not wait for it)")
        launcher.stop(_STOP_SECONDS)


def _report(graph: Graph, run_id: str, output: Console) -> int:
    whole = read_run(graph, run_id)
    row = whole.run
    output.print(f"run {run_id} {row.state}")
    if row.error:
        errors.print(f"{row.reason or row.state}: {headline(row.error)}")
    if row.log:
        errors.print(f"log: {row.log}")
    for firing in whole.fired:
        output.print(f"fired: {reason(firing.reason)}")
    return 0 if row.state in SUCCEEDED else 1
