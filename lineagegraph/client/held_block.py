"""A run that this process claims and holds for a block of code, with its reports."""

import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from threading import Timer

from lineagegraph.errors import RunError
from lineagegraph.execution.events import Events
from lineagegraph.execution.logs import Log, log_path
from lineagegraph.execution.outcome import Outcome
from lineagegraph.execution.plan import plan
from lineagegraph.execution.reports import Reports
from lineagegraph.execution.request import RunRequest
from lineagegraph.execution.sessions import task_context
from lineagegraph.execution.spool import spool_path
from lineagegraph.graph import Graph, Transaction
from lineagegraph.liveness.clock import database_clock
from lineagegraph.model.names.keys import JobName, name_job, text_hash
from lineagegraph.model.pipelines.definition import Pipeline, PipelineVersion
from lineagegraph.model.runs.ids import PRODUCER, new_id
from lineagegraph.process_environment.task_processes import own_run
from lineagegraph.settings import Settings
from lineagegraph.spark.context import TaskContext
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.jobs import jobs
from lineagegraph.store.pipelines import versions
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import Claim
from lineagegraph.worker.run_claim import RunClaim, process_owner

_SPEC = "https://openlineage.io/spec/facets/1-0-1/SourceCodeJobFacet.json#/$defs/SourceCodeJobFacet"
_QUIET_SECONDS = 5.0


class HeldBlock:
    """A run of a job without a definition; its version is the hash of its source code.

    `cancel` is called, from another thread, when the run is cancelled.
    """

    def __init__(
        self, graph: Graph, settings: Settings, name: str, code: str, cancel: Callable[[str], None]
    ) -> None:
        job = name_job(settings.namespace, name)
        claim = graph.write(_claim, job, timedelta(seconds=settings.lease_seconds))
        self.run_id, self._code = claim.id, code
        self._events = Events(_request(graph, settings, job, claim, code))
        self._step = plan(self._events.request)
        run = RunClaim(graph, settings, claim.id, claim.fence)
        self._heartbeat = run.heartbeat(cancel)
        folder = self._events.request.logs
        self.log = Log(log_path(folder, ()))
        self._reports = Reports(run.reporter(), self.log, spool_path(folder, claim.fence))
        self.report = self._reports.report

    @property
    def context(self) -> TaskContext:
        """The run as Spark's capture knows it."""
        return task_context(self._step)

    def begin(self) -> None:
        """Report its start, and keep its lease."""
        started = self._events.started(self._step)
        code = {"_producer": PRODUCER, "_schemaURL": _SPEC, "language": "python"}
        started["job"]["facets"]["sourceCode"] = code | {"sourceCode": self._code}
        self._heartbeat.start()
        self.report([started])

    def end(self, outcome: Outcome) -> None:
        """Report its end, and release it; while Neo4j is away this waits and prints a warning."""
        told = Timer(_QUIET_SECONDS, _warn_waiting)
        told.start()
        try:
            self._reports.finish(self._events.ended(self._step, outcome))
        finally:
            told.cancel()
            self._heartbeat.stop()
            self.log.close()


def _warn_waiting() -> None:
    said = "Neo4j is away: the end of the run waits for it"
    print(f"{said}, and an interrupt leaves it to a daemon", file=sys.stderr)


def _claim(tx: Transaction, job: JobName, lease: timedelta) -> Claim:
    if versions.get_definition(tx, job_key=job.key) is not None:
        raise RunError(f"{job.fqn} is a pipeline: give the captured block another name")
    jobs.merge_jobs(tx, rows=[jobs.job_row(job, None)])
    run_id = new_id()
    launches.merge_queued(
        tx, run_id=run_id, job_key=job.key, params=None, only=[], asked_by=own_run(), now=None
    )
    audit(tx, "run.start", run_id)
    claim = launches.claim_run(
        tx, id=run_id, owner=process_owner(), lease=lease, claim=None, now=None
    )
    assert claim is not None
    return claim


def _request(graph: Graph, settings: Settings, job: JobName, claim: Claim, code: str) -> RunRequest:
    hash_ = text_hash(code)
    version = PipelineVersion(
        hash=hash_,
        structure_hash="",
        code_hash=hash_,
        pipeline=Pipeline(name=job.name, namespace=job.namespace, tasks=()),
        source_sha256="",
        file="",
        root="",
    )
    return RunRequest(
        run_id=claim.id,
        version=version,
        params={},
        code=Path.cwd(),
        logs=settings.home / "logs" / claim.id,
        fence=claim.fence,
        clock=database_clock(graph),
    )
