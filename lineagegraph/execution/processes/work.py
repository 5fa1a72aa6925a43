"""A Python task in a process of its own, as its worker sees it."""

import os
import selectors
import signal
import socket
from codecs import getincrementaldecoder
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any, NoReturn

from lineagegraph.errors import RunError, RunKilled
from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.expand import ExpansionCollector
from lineagegraph.execution.kinds.work import EndedElsewhere
from lineagegraph.execution.limits import ResourceLimits
from lineagegraph.execution.logs import Log
from lineagegraph.execution.outcome import EndReason, Outcome
from lineagegraph.execution.processes.fork_server import NOT_FORKED, STATUS, ForkServer
from lineagegraph.execution.processes.message_socket import MessageSocket
from lineagegraph.execution.processes.messages import (
    AttemptOrder,
    AttemptResult,
    Notice,
    NoticeReply,
)
from lineagegraph.model.pipelines.expansion import Added
from lineagegraph.model.runs.states import RunState
from lineagegraph.process_environment.task_processes import end_processes
from lineagegraph.spark.tables.guard import check_may_publish
from lineagegraph.text import signal_name

CHUNK_BYTES = 65_536
TAIL_CHARACTERS = 20_000
TAIL_LINES = 20
_TICK_SECONDS = 0.2
_END_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class AttemptSinks:
    """The receivers of what an attempt gives."""

    #: takes its output
    log: Log
    #: takes its emitted values
    emitted: Emitted
    #: takes the tasks that it adds
    adding: ExpansionCollector
    #: takes its lineage
    report: Callable[[Sequence[dict[str, Any]]], object]
    #: takes the cost of a Spark session of its own
    cost: Callable[[dict[str, Any]], object]


class ProcessWork:
    """Makes one attempt in a process that the fork server starts."""

    def __init__(
        self, server: ForkServer, order: AttemptOrder, sinks: AttemptSinks, limits: ResourceLimits
    ) -> None:
        self._server = server
        self._order = order
        self._sinks = sinks
        self._limits = limits
        self._lock = Lock()
        self._stopped = False
        self._pid = 0
        self._result: AttemptResult | None = None
        self._tail = ""
        self._decoder = getincrementaldecoder("utf-8")(errors="backslashreplace")

    def run(self) -> None:
        """Follow the attempt to its end, and raise it unless it completed."""
        if self._stopped:
            raise RunKilled("the task was stopped before it started")
        mine, theirs = socket.socketpair()
        output, writing = os.pipe()
        status, telling = os.pipe()
        channel = MessageSocket(mine)
        try:
            self._server.fork(theirs, writing, telling)
            # A process that is gone already tells so by its status.
            with suppress(OSError):
                channel.send(self._order)
            code, fault = self._follow(channel, output, status)
        finally:
            channel.close()
            os.close(output)
            os.close(status)
        self._end(code, fault)

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Send TERM, which raises `SystemExit` in the task, and KILL after the grace time."""
        self._stopped = True
        self._signal(signal.SIGTERM)
        returned(grace)
        self._kill()
        returned(_END_SECONDS)

    def _follow(self, channel: MessageSocket, output: int, status: int) -> tuple[int, str | None]:
        """Return the exit code, and the limit that it exceeded."""
        fault = None
        with selectors.DefaultSelector() as selector:
            for one in (channel.fileno(), output, status):
                selector.register(one, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in selector.select(_TICK_SECONDS)}
                if output in ready and not self._copy(output):
                    selector.unregister(output)
                if channel.fileno() in ready:
                    if not channel.read():
                        selector.unregister(channel.fileno())
                    self._take_all(channel)
                if status in ready and not ready & {output, channel.fileno()}:
                    return self._exit_code(status), fault
                if fault is None and self._pid and (fault := self._limits.excess(self._pid)):
                    self._kill()

    def _exit_code(self, status: int) -> int:
        """Return the exit code: nothing else of the process is there to read."""
        told = os.read(status, STATUS.size)
        with self._lock:
            self._pid = 0
        if not told:
            raise RunError("the process that starts tasks was killed")
        code: int = STATUS.unpack(told)[0]
        return code

    def _copy(self, output: int) -> bool:
        data = os.read(output, CHUNK_BYTES)
        text = self._decoder.decode(data, final=not data).replace("\r\n", "\n")
        self._sinks.log.write(text)
        self._tail = (self._tail + text)[-TAIL_CHARACTERS:]
        return bool(data)

    def _take_all(self, channel: MessageSocket) -> None:
        for notice in channel.received(Notice):
            if notice.pid:
                self._begin(notice.pid)
            if notice.events:
                self._sinks.report(notice.events)
            if notice.emitted:
                # At once: a process that is killed sends no result.
                self._sinks.emitted.add(notice.emitted)
            if notice.may_publish:
                self._answer(channel, check_may_publish)
            if notice.reserve is not None:
                self._answer(channel, partial(self._sinks.adding.reserve, notice.reserve))
            self._result = notice.result or self._result

    def _begin(self, pid: int) -> None:
        with self._lock:
            self._pid = pid
        if self._stopped:
            self._kill()

    def _answer(self, channel: MessageSocket, check: Callable[[], None]) -> None:
        fault = None
        try:
            check()
        except Exception as error:
            fault = str(error)
        with suppress(OSError):
            channel.send(NoticeReply(fault))

    def _end(self, code: int, fault: str | None) -> NoReturn:
        result = self._result
        if fault or result is None:
            end_processes(self._order.mark)
            raise EndedElsewhere(self._failed(fault or _death(code)))
        end = result.end
        if end.state != RunState.COMPLETED:
            # The next attempt must not run beside programs that this one has left.
            end_processes(self._order.mark)
        if result.cost:
            self._sinks.cost(result.cost)
        self._sinks.emitted.add(end.emitted)
        self._sinks.adding.take([Added(one.task, code=one.code) for one in result.added])
        raise EndedElsewhere(end.outcome)

    def _failed(self, message: str) -> Outcome:
        tail = "".join(self._tail.splitlines(keepends=True)[-TAIL_LINES:])
        return Outcome(RunState.FAILED, EndReason.USER_CODE, message, tail or None)

    def _kill(self) -> None:
        self._signal(signal.SIGKILL)
        end_processes(self._order.mark)

    def _signal(self, number: signal.Signals) -> None:
        with self._lock:
            if self._pid:
                with suppress(ProcessLookupError):
                    os.killpg(self._pid, number)


def _death(code: int) -> str:
    if code >= NOT_FORKED:
        return f"no process could be started for the task: {os.strerror(code - NOT_FORKED)}"
    if code < 0:
        name = signal_name(-code)
        why = ", perhaps as memory was short" if name == "SIGKILL" else ""
        return f"the task's process was killed by {name}{why}"
    if code == 0:
        return (
            "the task's process ended without a result: its code called os._exit(0), "
            "or replaced it by another program (os.exec...)"
        )
    return f"the task's process ended with exit status {code}, without an error of Python"
