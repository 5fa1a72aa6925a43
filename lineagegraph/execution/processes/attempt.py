"""One attempt of a Python task, in the process that was forked for it."""

import faulthandler
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, Protocol, TextIO

from lineagegraph.errors import RunError
from lineagegraph.execution.attempt_end import attempt_end
from lineagegraph.execution.deferrals import Deferrals
from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.expand import ExpansionCollector
from lineagegraph.execution.kinds.python_work import Load, PythonWork
from lineagegraph.execution.logs import RECORD_FORMAT
from lineagegraph.execution.plan import Step
from lineagegraph.execution.processes.message_socket import MessageSocket
from lineagegraph.execution.processes.messages import (
    AddedTask,
    AttemptOrder,
    AttemptResult,
    Notice,
    NoticeReply,
)
from lineagegraph.execution.sessions import Sessions
from lineagegraph.execution.supervise import judge
from lineagegraph.execution.upstream import provide_upstream
from lineagegraph.execution.used import TaskUses
from lineagegraph.execution.values.encode import ReturnedValue
from lineagegraph.model.pipelines.definition import PythonTask, Task
from lineagegraph.model.pipelines.expansion import Added
from lineagegraph.model.runs.states import RunState
from lineagegraph.process_environment.task_processes import MARK
from lineagegraph.spark.builder import building
from lineagegraph.spark.session_kinds import build_session
from lineagegraph.spark.tables.guard import guarding

Report = Callable[[Sequence[dict[str, Any]]], None]


class AttemptServices(Protocol):
    """The services that an attempt needs; they connect to the graph only on demand."""

    @property
    def load(self) -> Load:
        """Loads the function of a task."""

    def sessions(self, report: Report) -> Sessions:
        """Return the sessions of a task that asks Spark for one."""

    def resolve(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        """Return the definition of a task to add."""

    def offering(self) -> AbstractContextManager[None]:
        """Let the task read variables meanwhile."""


def make_attempt(
    channel: MessageSocket, services_of: Callable[[AttemptOrder], AttemptServices]
) -> bool:
    """Receive the order, make the attempt, report its end, and return whether it completed."""
    order: AttemptOrder | None = channel.receive(AttemptOrder)
    if order is None:
        return False
    own = os.getpid()
    channel.send(Notice(pid=own))
    _prepare(order)
    result = _Attempt(order, channel, services_of(order)).run()
    if os.getpid() != own:
        # The function has forked, and this is the copy.
        os._exit(0)
    for stream in (sys.stdout, sys.stderr):
        # The function may have closed or replaced them; its own end counts.
        with suppress(Exception):
            stream.flush()
    channel.send(Notice(result=result))
    return result.end.state == RunState.COMPLETED


def _prepare(order: AttemptOrder) -> None:
    os.chdir(order.cwd)
    os.environ[MARK] = order.mark
    signal.signal(signal.SIGTERM, _stop)
    sys.stdout, sys.stderr = _text_stream(1), _text_stream(2)
    faulthandler.enable(sys.stderr, all_threads=False)
    logging.basicConfig(format=RECORD_FORMAT, level=logging.INFO, stream=sys.stderr, force=True)


def _text_stream(descriptor: int) -> TextIO:
    return open(
        descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
    )


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    # No Exception: a task that catches all of these ends too, and `finally` clauses run.
    raise SystemExit("the task was stopped")


class _Attempt:
    def __init__(
        self, order: AttemptOrder, channel: MessageSocket, services: AttemptServices
    ) -> None:
        self._order = order
        self._channel = channel
        self._services = services
        self._step = order.facts.step
        self._own = os.getpid()
        self._emitted = Emitted(order.facts.task.emits, self._tell_emitted)
        self._adding = ExpansionCollector(self._step, _Expansions(channel, services))
        self._used = TaskUses((Path(order.code), Path(order.logs)))
        self._returned = ReturnedValue()

    def run(self) -> AttemptResult:
        sessions = self._services.sessions(lambda events: self._report(list(events)))
        error: BaseException | None = None
        with ExitStack() as around:
            around.enter_context(self._emitted.receiving())
            around.enter_context(self._adding.receiving())
            around.enter_context(Deferrals(self._step).receiving())
            around.enter_context(provide_upstream(self._order.upstream))
            around.enter_context(guarding(self._check_may_publish))
            around.enter_context(self._services.offering())
            around.enter_context(building(partial(build_session, sessions)))
            try:
                self._work(sessions).run()
            except BaseException as raised:  # sys.exit() in a task is the task's failure
                error = raised
        sessions.stop()
        added = [AddedTask(one.task, one.code) for one in self._adding.added]
        end = attempt_end(self._returned.on(self._used.on(judge(error))), self._emitted)
        return AttemptResult(end, added, sessions.cost())

    def _work(self, sessions: Sessions) -> PythonWork:
        function = self._order.facts.task.work
        assert isinstance(function, PythonTask)
        load, step = self._services.load, self._step
        return PythonWork(step, function, load, sessions, self._used, self._returned)

    def _report(self, events: list[dict[str, Any]]) -> None:
        self._channel.send(Notice(events=events))

    def _tell_emitted(self, values: dict[str, Any]) -> None:
        # A copy that the function has forked must not write between the messages of this process.
        if os.getpid() == self._own:
            self._channel.send(Notice(emitted=values))

    def _check_may_publish(self) -> None:
        ask(self._channel, Notice(may_publish=True))


class _Expansions:
    """The run's expansions, which its worker keeps."""

    def __init__(self, channel: MessageSocket, services: AttemptServices) -> None:
        self._channel = channel
        self._services = services

    def resolve(self, task: Any, name: str | None, parameters: Sequence[str] | None) -> Added:
        """Return the task's definition; its function must be kept by value."""
        added = self._services.resolve(task, name, parameters)
        if added.not_kept:
            raise RunError(
                f"expand(): the function of task {added.task.name} cannot be given to another "
                f"process ({added.not_kept}): define it at the top of a module"
            )
        return added

    def reserve(self, caller: Step, group: Task) -> None:
        """Reserve the paths of a group's tasks; raise `RunError` if one is taken."""
        ask(self._channel, Notice(reserve=group))

    def forget(self, caller: Step) -> None:
        """Do nothing: the worker has forgotten the tasks of earlier attempts."""


def ask(channel: MessageSocket, question: Notice) -> None:
    """Ask the worker; raise `RunError` with the fault that it answers."""
    reply: NoticeReply | None = channel.ask(question, NoticeReply)
    if reply is None:
        raise RunError("the worker of this task is gone")
    if reply.fault is not None:
        raise RunError(reply.fault)
