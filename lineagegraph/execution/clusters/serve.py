"""The process of a cluster: runs the tasks that its worker orders, in its own session."""

from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from threading import Lock, Thread
from typing import Any, BinaryIO

import msgspec

from lineagegraph.errors import RunError
from lineagegraph.execution.attempt_end import attempt_end
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.clusters.messages import (
    ClusterOrder,
    ClusterReply,
    ClusterStart,
)
from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.expand import ExpansionCollector
from lineagegraph.execution.expansions import Expansions
from lineagegraph.execution.kinds.python_work import Load, PythonWork
from lineagegraph.execution.kinds.sql_work import SqlWork
from lineagegraph.execution.kinds.work import Work
from lineagegraph.execution.logs import Log, log_path
from lineagegraph.execution.outcome import Outcome
from lineagegraph.execution.plan import Step, plan
from lineagegraph.execution.process_output import capture_process_output, printing
from lineagegraph.execution.request import RunRequest
from lineagegraph.execution.sessions import OpenSessions, Sessions
from lineagegraph.execution.stages_file import StagesFile
from lineagegraph.execution.supervise import supervise
from lineagegraph.execution.upstream import provide_upstream
from lineagegraph.execution.used import TaskUses
from lineagegraph.execution.values.encode import ReturnedValue
from lineagegraph.model.pipelines.definition import PythonTask, SqlTask, Task
from lineagegraph.model.pipelines.expansion import Added
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.typed import decode_json
from lineagegraph.spark.tables.guard import guarding

_OVER = "its task has ended, so it may not publish any more"
_REFUSED = "expand() does not work in a task on a named cluster: call it in one without `cluster`"


def request_of(begin: ClusterStart) -> RunRequest:
    """Return the run request that one cluster needs."""
    return RunRequest(
        run_id=begin.run_id,
        version=begin.version,
        params=begin.params,
        code=Path(begin.code),
        logs=Path(begin.logs),
        only=begin.only,
        expansions=begin.expansions,
        waiting=begin.waiting,
        attempt=begin.attempt,
        upstream=begin.upstream,
        java_home=Path(begin.java_home) if begin.java_home else None,
    )


def serve(
    begin: ClusterStart, orders: BinaryIO, answers: BinaryIO, sessions: OpenSessions, load: Load
) -> None:
    """Execute orders until the input ends, then stop the session."""
    request = request_of(begin)
    with Log(request.logs / f"cluster@{begin.cluster}.log") as log, capture_process_output(log):
        server = _Server(request, answers, load)
        spark = sessions(begin.spark, server.report)
        server.spark = spark
        with StagesFile(request.logs, spark.stages):
            for line in orders:
                server.handle(decode_json(line, into=ClusterOrder))
        server.stop()
        spark.stop()
        server.send(ClusterReply(cost=spark.cost()))


class _Refusing:
    most = 0

    def resolve(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        raise RunError(_REFUSED)

    def record(self, expansions: Any, codes: Any) -> None:
        raise RunError(_REFUSED)


class _Server:
    spark: Sessions

    def __init__(self, request: RunRequest, answers: BinaryIO, load: Load) -> None:
        self._request = request
        self._load = load
        root = plan(request)
        self._steps = {step.path: step for step in root.walk()}
        self._expansions = Expansions(root, _Refusing())
        self._answers = answers
        self._lock = Lock()
        self._running: dict[int, Cancellation] = {}
        self._asked: dict[int, Future[str | None]] = {}

    def report(self, events: Sequence[dict[str, Any]]) -> None:
        self.send(ClusterReply(events=list(events)))

    def send(self, reply: ClusterReply) -> None:
        with self._lock:
            self._answers.write(msgspec.json.encode(reply) + b"\n")
            self._answers.flush()

    def handle(self, order: ClusterOrder) -> None:
        if order.run is not None:
            self._running[order.id] = Cancellation()
            Thread(target=self._attempt, args=(order,), daemon=True).start()
        elif order.stop and order.id in self._running:
            self._running[order.id].request()
        elif order.answer:
            self._answer(order.id, order.fault)

    def stop(self) -> None:
        for cancellation in list(self._running.values()):
            cancellation.request()
        for number in list(self._asked):
            self._answer(number, _OVER)

    def _attempt(self, order: ClusterOrder) -> None:
        number, step = order.id, self._steps[order.run or ""]
        assert step.task is not None
        step.received.update(order.received)
        emitted, adding = Emitted(step.task.emits), ExpansionCollector(step, self._expansions)
        asking = Lock()
        may_publish = guarding(lambda: self._ask(number, asking))
        path = log_path(self._request.logs, step.names, order.attempt)
        with Log(path) as log, ExitStack() as around:
            for one in (log, emitted, adding):
                around.enter_context(one.receiving())
            around.enter_context(provide_upstream(self._request.upstream))
            around.enter_context(may_publish)
            around.enter_context(printing(step.path, log))
            outcome = self._supervised(step, step.task, log, self._running[number])
        self._running.pop(number)
        # A thread of its own may go on, and nobody would answer it.
        self._answer(number, _OVER)
        self.send(ClusterReply(id=number, end=attempt_end(outcome, emitted)))

    def _supervised(self, step: Step, task: Task, log: Log, cancellation: Cancellation) -> Outcome:
        used, returned = TaskUses((self._request.code, self._request.logs)), ReturnedValue()
        match task.work:
            case PythonTask() as function:
                work: Work = PythonWork(step, function, self._load, self.spark, used, returned)
            case SqlTask() as query:
                work = SqlWork(step, query, self.spark, log)
            case _:
                return Outcome(RunState.FAILED, "INTERNAL", f"{step.path} needs no cluster")
        return returned.on(used.on(supervise(work, cancellation, None)))

    def _ask(self, number: int, asking: Lock) -> None:
        """Ask the worker, one thread of an attempt after the other."""
        answer: Future[str | None] = Future()
        with asking:
            self._asked[number] = answer
            if number in self._running:
                self.send(ClusterReply(id=number, asks=True))
            else:
                self._answer(number, _OVER)
            fault = answer.result()
        if fault:
            raise RunError(fault)

    def _answer(self, number: int, fault: str | None) -> None:
        if asked := self._asked.pop(number, None):
            asked.set_result(fault)
