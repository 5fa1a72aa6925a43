"""The process of one run: `python -m lineagegraph.worker.worker RUN FENCE`.

It holds the run by lease and fence, runs the user's code, and reports to the graph itself, so the
daemon that started it may die without harm to the run.
"""

import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

from lineagegraph.code.load import KeptFunctions
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.kinds.python_work import Load
from lineagegraph.execution.process_output import capture_process_output
from lineagegraph.execution.processes import ForkServer, TaskProcesses
from lineagegraph.execution.sessions import OpenSessions
from lineagegraph.liveness.logs import configure_worker_logs
from lineagegraph.liveness.signals import call_on_signals
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.model.runs.states import SUCCEEDED
from lineagegraph.process_environment.handover import receive_settings
from lineagegraph.process_environment.modules import search_folder
from lineagegraph.settings import Settings
from lineagegraph.spark.archived_code import ship_by_value
from lineagegraph.store.connect import open_graph
from lineagegraph.worker.held_run import run_claimed
from lineagegraph.worker.own_sessions import open_sessions
from lineagegraph.worker.run_claim import RunClaim
from lineagegraph.worker.task_attempts import start_fork_server


class WorkerProcessEnvironment:
    """A process for one run: it works in the project's folder, with the kept code."""

    capture_output = staticmethod(capture_process_output)
    may_park = True

    def __init__(self, settings: Settings, server: ForkServer | None = None) -> None:
        self._settings = settings
        self._server = server

    def enter(self, root: Path) -> None:
        """Change to the project's folder, so that relative paths work as for its author."""
        if root.is_dir():
            os.chdir(root)

    def functions(self, code: Path, stored: TaskCode | None) -> Load:
        """Return a loader of the functions kept with the version."""
        return KeptFunctions(code, stored, ship_by_value)

    def processes(self, stored: TaskCode | None) -> TaskProcesses | None:
        """Return the processes of tasks that do not share the Spark session."""
        return TaskProcesses(self._server, stored) if self._server else None

    def sessions(self, code: Path, java_home: Path | None) -> OpenSessions:
        """Return a factory of Spark sessions."""
        return partial(open_sessions, code, java_home, self._settings)


def main(run_id: str, fence: int) -> None:
    """Execute one claimed run to its end, and leave the process."""
    configure_worker_logs()
    search_folder()
    settings = receive_settings()
    server = start_fork_server(settings)
    cancellation = Cancellation()
    call_on_signals(cancellation.request)
    with open_graph(settings) as graph:
        run = RunClaim(graph, settings, run_id, fence)
        state = run_claimed(run, WorkerProcessEnvironment(settings, server), cancellation)
    # Threads that the user's code left behind must not keep the process.
    with suppress(OSError):  # a full disk
        sys.stdout.flush()
    os._exit(0 if state in SUCCEEDED else 1)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
