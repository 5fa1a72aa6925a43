"""Somebody who looks at sensors, where no daemon does."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from lineagegraph.graph import Graph
from lineagegraph.settings import Settings, settings_environment
from lineagegraph.store import processes

_ALIVE = timedelta(seconds=10)
_GRACE = 10.0


@contextmanager
def looking(graph: Graph, settings: Settings) -> Iterator[None]:
    """Have a sensor process of one's own meanwhile, unless one lives or a daemon keeps some."""
    if _is_looked_at(graph, settings):
        yield
        return
    process = subprocess.Popen(
        [sys.executable, "-m", "lineagegraph.daemon.sensing", "--child"],
        # Its end tells the child that nobody is there any more.
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | settings_environment(settings),
    )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _is_looked_at(graph: Graph, settings: Settings) -> bool:
    kinds = ["sensing", *(["daemon"] if settings.sensor_processes else [])]
    return any(
        graph.read(processes.list_live, kind=kind, within=_ALIVE, now=None) for kind in kinds
    )
