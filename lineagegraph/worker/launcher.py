"""Worker slots: claims queued runs, starts a process for each, and collects its end."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

import structlog

from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.private_files import open_private, private_folder
from lineagegraph.process_environment.graph_place import graph_place
from lineagegraph.process_environment.handover import handing_over
from lineagegraph.process_environment.modules import module_command
from lineagegraph.process_environment.task_processes import MARK, claim_mark, end_processes
from lineagegraph.runs.reap import kept_apart, reap_run
from lineagegraph.settings import Settings
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Claim, LostRun

log = structlog.get_logger()
_START_SECONDS = 120.0
# A disk that is full now is full for the next run, too.
_PAUSE_SECONDS = 10.0


@dataclass
class Worker:
    """A worker process and its claimed run."""

    claim: Claim
    process: subprocess.Popen[bytes]
    mark: str
    since: float


class Launcher:
    """At most `slots` workers at a time, each in a process group of its own."""

    def __init__(self, graph: Graph, settings: Settings, owner: str) -> None:
        self._graph = graph
        self._settings = settings
        self._owner = owner
        self._lease = timedelta(seconds=settings.lease_seconds)
        self._max_event_age = settings.max_event_age
        self._logs = settings.home / "logs"
        self._place = graph_place(settings)
        self.workers: dict[str, Worker] = {}
        self._paused_until = 0.0

    def launch_queued(self) -> int:
        """Start workers for queued runs while slots are free, and return their number."""
        if time.monotonic() < self._paused_until:
            return 0
        free = self._settings.worker_slots - len(self.workers)
        if free <= 0:
            # Workers whose run only waits leave their slots to others.
            free += self._graph.read(launches.count_resting, ids=list(self.workers)) or 0
        if free <= 0:
            return 0
        queued = self._graph.read(launches.list_queued, most=free, now=None)
        started = 0
        try:
            for run_id in queued:
                started += self.launch(run_id) is not None
        except OSError:
            self._paused_until = time.monotonic() + _PAUSE_SECONDS
        return started

    def launch(self, run_id: str) -> Worker | None:
        """Claim one queued run and start its worker; None if another process was faster.

        Raises `OSError` if the process cannot start, as on a full disk; the run is reaped then.
        """
        claim = self._graph.write(
            launches.claim_run,
            id=run_id,
            owner=self._owner,
            lease=self._lease,
            claim=new_id(),
            now=None,
        )
        if claim is None:
            return None
        mark = claim_mark(claim.id, claim.fence, self._place)
        try:
            process = start_worker(claim, self._settings, mark)
        except OSError as error:
            self._reap_not_started(claim, error)
            raise
        worker = Worker(claim, process, mark, time.monotonic())
        self.workers[run_id] = worker
        log.info("run_launched", run=run_id, pid=worker.process.pid)
        return worker

    def _reap_not_started(self, claim: Claim, error: OSError) -> None:
        fault = f"{error.strerror}: {error.filename}" if error.filename else f"{error.strerror}"
        log.warning("worker_not_started", run=claim.id, error=fault)
        lost = LostRun(claim.id, claim.fence, claim.launches, has_started=False)
        self._reap(lost, fault)

    def keep_starting(self) -> None:
        """Renew the leases of workers that take long to start; their processes are alive.

        After its first heartbeat a worker renews its lease itself.
        """
        ids = [
            worker.claim.id
            for worker in self.workers.values()
            if time.monotonic() - worker.since < _START_SECONDS and worker.process.poll() is None
        ]
        if ids:
            self._graph.write(
                launches.set_leases, ids=ids, owner=self._owner, lease=self._lease, now=None
            )

    def collect_ended(self) -> int:
        """Forget ended workers, reap their unfinished runs at once, and return their number."""
        ended = [w for w in self.workers.values() if w.process.poll() is not None]
        for worker in ended:
            claim = worker.claim
            if worker.process.returncode < 0:
                # A killed worker: its session is still its own, as nothing has taken its pid yet.
                end_processes(worker.mark, {worker.process.pid})
            state = self._graph.read(launches.get_launch, id=claim.id)
            started = state is not None and state.has_started
            lost = LostRun(claim.id, claim.fence, claim.launches, started)
            # Else it is reaped once its lease is over.
            with kept_apart("run_not_reaped", claim.id):
                self._reap(lost)
            del self.workers[claim.id]
            log.info("run_ended", run=claim.id, exit=worker.process.returncode)
        return len(ended)

    def _reap(self, lost: LostRun, fault: str | None = None) -> None:
        age, routes = self._max_event_age, self._settings.notify
        reap_run(self._graph, lost, age, routes, self._logs, place=self._place, fault=fault)

    def park_resting(self) -> list[str]:
        """Park the runs that only wait, end their workers, and return the jobs of the others."""
        found = self._graph.read(launches.list_launched, ids=list(self.workers))
        return [one.job for one in found if not (one.is_parkable and self._park(one.id))]

    def _park(self, run_id: str) -> bool:
        worker = self.workers[run_id]
        is_parked = self._graph.write(
            launches.settle_resting,
            id=run_id,
            fence=worker.claim.fence,
            most=-1,
            keeps_process=False,
            by_worker=False,
            now=None,
        )
        if is_parked:
            _kill(worker)
        return bool(is_parked)

    def stop(self, grace: float) -> None:
        """Ask every worker to end its run, and kill those that take longer than `grace` seconds."""
        for worker in self.workers.values():
            worker.process.terminate()
        until = time.monotonic() + grace
        for worker in self.workers.values():
            with suppress(subprocess.TimeoutExpired):
                worker.process.wait(max(0.0, until - time.monotonic()))
            _kill(worker)
            worker.process.wait()
        self.collect_ended()

    def kill(self) -> None:
        """Kill every worker and its programs at once."""
        for worker in self.workers.values():
            _kill(worker)


def start_worker(claim: Claim, settings: Settings, mark: str) -> subprocess.Popen[bytes]:
    """Start the process of a claimed run; its own output goes into the run's `worker.log`."""
    private_folder(settings.home)
    folder = private_folder(settings.home / "logs" / claim.id)
    command = module_command("lineagegraph.worker.worker", claim.id, str(claim.fence))
    with open_private(folder / "worker.log", "ab") as output, handing_over(settings) as given:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=given.environment | {MARK: mark},
            pass_fds=given.descriptors,
            start_new_session=True,
        )


def _kill(worker: Worker) -> None:
    """Kill the rest of a worker's process group, and the programs of its tasks."""
    with suppress(ProcessLookupError):
        os.killpg(worker.process.pid, signal.SIGKILL)
    end_processes(worker.mark)
