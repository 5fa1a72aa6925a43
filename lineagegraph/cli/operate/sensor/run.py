"""`sensor run`: sensor processes without a daemon."""

import logging
import threading
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, results
from lineagegraph.liveness.logs import configure_logs
from lineagegraph.liveness.signals import call_on_signals
from lineagegraph.process_environment.conceal import conceal_environment
from lineagegraph.sensing.children import SensorChildren
from lineagegraph.settings import load_settings

_LOOK_SECONDS = 0.5
_GRACE_SECONDS = 10.0


def run(
    processes: Annotated[int, typer.Option("--processes", min=1, help="Number of processes.")] = 1,
) -> None:
    """Run sensor processes until Ctrl-C; restart one that ends."""
    settings = load_settings()
    conceal_environment()
    configure_logs(logging.INFO)
    over = threading.Event()
    with connected(settings):
        children = SensorChildren(settings, processes)
        call_on_signals(over.set)
        children.keep()
        said = "1 sensor process runs" if processes == 1 else f"{processes} sensor processes run"
        results.print(f"{said}; Ctrl-C ends it")
        while not over.wait(_LOOK_SECONDS):
            children.keep()
        errors.print("stopping")
        children.stop(_GRACE_SECONDS)
