"""The packages that a run finds: those of this process, unless a rerun is held to others."""

import os

from lineagegraph.errors import RunError
from lineagegraph.graph import Graph
from lineagegraph.reruns.environment import changed_packages, told
from lineagegraph.reruns.installed import installed_environment
from lineagegraph.settings import Settings
from lineagegraph.store.runs.environments import WantedEnvironment, get_wanted, write_environment
from lineagegraph.worker.isolated import isolated_python

_INSIDE = "LINEAGEGRAPH_INSIDE_ENVIRONMENT"


def enter_environment(graph: Graph, settings: Settings, run_id: str, fence: int) -> None:
    """Note what a run runs in; raise `RunError` where it is held to something else.

    For an isolated rerun this process becomes one of the environment that it asks for.
    """
    wanted = graph.read(get_wanted, run_id=run_id)
    if wanted and wanted.isolated and os.environ.get(_INSIDE) != wanted.sha256:
        _become(settings, wanted, run_id, fence)
    here = installed_environment()
    if wanted and not wanted.isolated and (changes := changed_packages(wanted.read(), here)):
        listed = "; ".join(told(one) for one in changes)
        raise RunError(f"run {run_id} cannot run as it was here: {listed}")
    graph.write(write_environment, run_id, here)


def _become(settings: Settings, wanted: WantedEnvironment, run_id: str, fence: int) -> None:
    """Go on with another Python in the same process: whoever watches it sees no end."""
    python = str(isolated_python(settings, wanted.read()))
    command = [python, "-m", "lineagegraph.worker.worker", run_id, str(fence)]
    os.execve(python, command, {**os.environ, _INSIDE: wanted.sha256})
