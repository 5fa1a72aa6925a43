"""A small process beside a run's worker, which ends the run's processes if the worker dies.

`python -m lineagegraph.worker.guardian WORKER MARK LOGS`, as a child of the worker. It is in a
session of its own, and bound to the worker's process, not to one of its threads.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lineagegraph.liveness.signals import wait_until_orphaned
from lineagegraph.process_environment.chosen import BASE, choose
from lineagegraph.process_environment.drivers import has_drivers, kill_drivers
from lineagegraph.process_environment.modules import module_command
from lineagegraph.process_environment.task_processes import end_processes


@contextmanager
def guarding_processes(mark: str, logs: Path) -> Iterator[None]:
    """Meanwhile, the death of this process ends what the run has started.

    That is its processes, and its Spark drivers on clusters. Drivers that could not be killed until
    then are killed once this process has ended.
    """
    own = os.getpid()
    guardian = subprocess.Popen(
        module_command("lineagegraph.worker.guardian", str(own), mark, str(logs)),
        stdin=subprocess.DEVNULL,
        env=choose(os.environ, BASE),
        start_new_session=True,
    )
    try:
        yield
    finally:
        if not has_drivers(logs):
            guardian.kill()
            guardian.wait()


def main(worker: int, mark: str, logs: Path) -> None:
    """Wait for the worker's death, and end what it has started."""
    is_leader = _leads_session(worker)
    wait_until_orphaned(worker)
    end_processes(mark, {worker} if is_leader else ())
    kill_drivers(logs)


def _leads_session(worker: int) -> bool:
    """Return whether a worker leads a session: a notebook's process may share that of a shell."""
    try:
        return os.getsid(worker) == worker and os.getppid() == worker
    except ProcessLookupError:
        return False


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
