"""The clusters of one run: created when the first task needs one, removed when the run ends."""

import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from threading import Lock, Thread
from typing import Any, Protocol

from lineagegraph.errors import RunError
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.clusters.child import ClusterProcess
from lineagegraph.execution.clusters.hooks import Hooks
from lineagegraph.execution.clusters.messages import cluster_start
from lineagegraph.execution.clusters.work import ClusterWork
from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.kinds.late_work import result_unless_cancelled
from lineagegraph.execution.logs import Log
from lineagegraph.execution.plan import Step
from lineagegraph.execution.reports import Reports
from lineagegraph.execution.request import RunRequest
from lineagegraph.model.pipelines.definition import (
    Cluster,
    ExpansionTask,
    Pipeline,
    PythonTask,
    SqlTask,
)

StartProcess = Callable[[str], "subprocess.Popen[bytes]"]
"""Starts the process of the cluster of that name, with its standard input and output as pipes."""


class ClusterRecords(Protocol):
    """Records created clusters outside this process: they are removed even if it is killed."""

    def begin(self, cluster: Cluster) -> str:
        """Record that a cluster is about to be created, and return the record's id."""

    def made(self, id_: str, settings: dict[str, str]) -> None:
        """Record the Spark settings that its creation returned."""

    def gone(self, id_: str) -> None:
        """Record that it was removed."""


@dataclass(frozen=True)
class ClusterServices:
    """Services for tasks on clusters, and for tasks that publish tables.

    Without `records`, clusters of a killed worker stay. `may_publish` raises if the run no longer
    belongs to this worker, so that it must not switch a table.
    """

    start: StartProcess | None = None
    records: ClusterRecords | None = None
    may_publish: Callable[[], None] = lambda: None


class Clusters:
    """Finds the process and the settings that a task runs with."""

    def __init__(
        self,
        request: RunRequest,
        reports: Reports,
        log: Log,
        cancellation: Cancellation,
        compute: "ClusterServices",
    ) -> None:
        self._request = request
        self._reports = reports
        self._log = log
        self._cancellation = cancellation
        self._start = compute.start
        self._records = compute.records
        self._lock = Lock()
        self._settings: dict[str, Future[dict[str, str]]] = {}
        self._children: dict[str, Future[ClusterProcess]] = {}
        self._hooks: list[tuple[Hooks, str | None]] = []

    def own(self, pipeline: Pipeline) -> dict[str, str]:
        """Return the settings of the cluster without a name, used by the worker's own session."""
        found = _named(pipeline, "")
        return self._awaited(found) if found else {}

    def cluster_of(self, step: Step) -> Cluster | None:
        """Return the cluster that a task or the nearest group around it names."""
        for around in _upwards(step):
            if around.task and isinstance(around.task.work, ExpansionTask):
                return None  # added by a task, and known to this process alone
            if around.task and around.task.cluster:
                name, pipeline = around.task.cluster, around.pipeline
                found = _named(pipeline, name)
                if found is None:
                    raise RunError(
                        f"task {step.path}: cluster {name!r} is not defined in its pipeline"
                    )
                return found
        return None

    def work(self, step: Step, emitted: Emitted, attempt: int) -> ClusterWork | None:
        """Return the work of a task that needs the session of a named cluster, else None."""
        cluster = self.cluster_of(step)
        if cluster is None or step.task is None:
            return None
        if not isinstance(step.task.work, PythonTask | SqlTask):
            return None
        ready = partial(self._child, step, cluster)
        return ClusterWork(step, cluster.name, ready, emitted, attempt)

    def settings(self, step: Step) -> dict[str, str]:
        """Return the Spark settings of a task that runs in a process of its own."""
        cluster = self.cluster_of(step) or _named(step.pipeline, "")
        return self._awaited(cluster) if cluster else {}

    def stop(self) -> list[dict[str, Any]]:
        """End all processes, remove the clusters, and return the costs of the processes."""
        for hooks, _ in self._hooks:
            hooks.stop()
        children = [child.result() for child in self._children.values() if _succeeded(child)]
        _together([child.stop for child in children])
        _together([partial(self._remove, *each) for each in self._hooks])
        return [child.cost for child in children if child.cost]

    def _child(self, step: Step, cluster: Cluster) -> "Future[ClusterProcess]":
        with self._lock:
            found = self._children.get(cluster.name)
            if found is None or _is_lost(found):
                found = self._children[cluster.name] = _later(lambda: self._begin(step, cluster))
            return found

    def _begin(self, step: Step, cluster: Cluster) -> ClusterProcess:
        if self._start is None:
            raise RunError(f"task {step.path}: cluster {cluster.name!r} needs a worker to start it")
        spark = step.pipeline.spark | self._made(cluster).result()
        self._log.write(f"cluster {cluster.name} starts\n")
        process = self._start(cluster.name)
        return ClusterProcess(
            process, cluster_start(self._request, cluster.name, spark), self._reports
        )

    def _made(self, cluster: Cluster) -> "Future[dict[str, str]]":
        with self._lock:
            found = self._settings.get(cluster.name)
            if found is None or (found.done() and found.exception()):
                found = self._settings[cluster.name] = _later(lambda: self._make(cluster))
            return found

    def _awaited(self, cluster: Cluster) -> dict[str, str]:
        made: dict[str, str] = result_unless_cancelled(self._cancellation, self._made(cluster))
        return made

    def _make(self, cluster: Cluster) -> dict[str, str]:
        if cluster.create is None and cluster.destroy is None:
            return dict(cluster.spark)
        id_ = self._records.begin(cluster) if self._records else None
        request = self._request
        batch = request.version.pipeline.name
        hooks = Hooks(cluster, request.run_id, batch, request.code, request.logs)
        with self._lock:
            self._hooks.append((hooks, id_))
        self._log.write(f"cluster {cluster.name or 'of the run'} is created\n")
        answer = hooks.create()
        if self._records and id_:
            self._records.made(id_, answer)
        return cluster.spark | answer

    def _remove(self, hooks: Hooks, id_: str | None) -> None:
        """Remove a cluster; after a failure a daemon tries again."""
        try:
            hooks.destroy(again=False)
            if self._records and id_:
                self._records.gone(id_)
        except Exception as error:
            self._log.write(f"cluster {hooks.cluster.name} was not removed: {error}\n")


def _together(calls: list[Callable[[], None]]) -> None:
    threads = [Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _named(pipeline: Pipeline, name: str) -> Cluster | None:
    return next((one for one in pipeline.clusters if one.name == name), None)


def _upwards(step: Step) -> Iterator[Step]:
    while step.parent:
        yield step
        step = step.parent


def _succeeded(future: "Future[Any]") -> bool:
    return future.done() and future.exception() is None


def _is_lost(child: "Future[ClusterProcess]") -> bool:
    return child.done() and (child.exception() is not None or not child.result().is_alive)


def _later(make: Callable[[], Any]) -> "Future[Any]":
    made: Future[Any] = Future()

    def carry_out() -> None:
        try:
            made.set_result(make())
        except BaseException as error:
            made.set_exception(error)

    Thread(target=carry_out, daemon=True).start()
    return made
