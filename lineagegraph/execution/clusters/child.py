"""The process of a cluster, as its worker sees it."""

import subprocess
from contextlib import suppress
from itertools import count
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

import msgspec

from lineagegraph.execution.clusters.messages import ClusterOrder, ClusterReply, ClusterStart
from lineagegraph.execution.reports import Reports
from lineagegraph.model.runs.values import TaskInput
from lineagegraph.model.typed import decode_json

STOP_SECONDS = 30.0
Inbox = SimpleQueue[ClusterReply | None]


class ClusterProcess:
    """Sends orders to the process and passes on its replies; `None` means that it ended."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", begin: ClusterStart, reports: Reports
    ) -> None:
        self._process = process
        self._reports = reports
        self._lock = Lock()
        self._numbers = count(1)
        self._inboxes: dict[int, Inbox] = {}
        self._gone = False
        self.cost: dict[str, Any] | None = None
        self._write(begin)
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def is_alive(self) -> bool:
        """Whether it may be given orders."""
        return not self._gone

    @property
    def exit(self) -> int | None:
        """Its exit code, or None while it runs."""
        return self._process.poll()

    def attempt(self, path: str, attempt: int, received: dict[str, TaskInput]) -> tuple[int, Inbox]:
        """Run the task at a path; return the order's number, and the inbox of its replies."""
        inbox: Inbox = SimpleQueue()
        with self._lock:
            number = next(self._numbers)
            self._inboxes[number] = inbox
            if self._gone:
                inbox.put(None)
        self.send(ClusterOrder(id=number, run=path, attempt=attempt, received=received))
        return number, inbox

    def send(self, order: ClusterOrder) -> None:
        """Send an order; a process that has ended ignores it."""
        self._write(order)

    def stop(self) -> None:
        """Ask it to end its session and to exit; kill it if that takes too long."""
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(STOP_SECONDS)

    def _write(self, message: Any) -> None:
        with self._lock, suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.write(msgspec.json.encode(message) + b"\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._take(decode_json(line, into=ClusterReply))
        with self._lock:
            self._gone = True
            inboxes = list(self._inboxes.values())
        for inbox in inboxes:
            inbox.put(None)

    def _take(self, reply: ClusterReply) -> None:
        if reply.cost is not None:
            self.cost = reply.cost
        if reply.events:
            self._reports.report(reply.events)
        if inbox := self._inboxes.get(reply.id):
            inbox.put(reply)
        if reply.end is not None:
            self._inboxes.pop(reply.id, None)
