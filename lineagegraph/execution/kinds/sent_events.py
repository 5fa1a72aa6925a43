"""Events of Spark's work in a program on a cluster: it sends them to the HTTP server itself."""

import json
import os
import sys
import time
from collections import deque
from collections.abc import Sequence
from http import HTTPStatus
from itertools import islice
from tempfile import TemporaryFile
from threading import Condition, Thread
from typing import IO, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from lineagegraph.execution.kinds.capture_context import REPORT_TOKEN, REPORT_URL, read_context
from lineagegraph.private_files import write_all

PATIENCE_SECONDS = 3_600.0
_BATCH_BYTES = 1_000_000
_BATCH_EVENTS = 100
_TIMEOUT_SECONDS = 60.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 15.0
_TRANSIENT = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)


class SentEvents:
    """In the program: its task, and the way of its events to the server, in order.

    They wait in a file while the server is away, or in memory if its disk is full. A server that
    refuses the run's token ends the sending: the run is over, or has another worker.
    """

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self.context = read_context()
        self._patience = patience
        url = os.environ[REPORT_URL].rstrip("/")
        self._url, self._token = f"{url}/api/v1/lineage/batch", os.environ[REPORT_TOKEN]
        self._waiting = _WaitingLines()
        self._refusal: str | None = None
        self._changed = Condition()
        Thread(target=self._send_all, daemon=True).start()

    def keep(self, events: Sequence[dict[str, Any]]) -> None:
        """Take events to send, from any thread."""
        lines = [json.dumps(event).encode() for event in events]
        with self._changed:
            for line in lines:
                self._waiting.append(line)
            self._changed.notify_all()

    def close(self) -> None:
        """Wait until all is sent; raise `SystemExit` if it cannot be: lineage must not lack."""
        with self._changed:
            self._changed.wait_for(self._is_over, self._patience)
            if self._waiting:
                why = self._refusal or f"{self._url} was away for {self._patience:g} s"
                raise SystemExit(f"lineagegraph: the lineage of this program is incomplete: {why}")

    def _is_over(self) -> bool:
        return not self._waiting or self._refusal is not None

    def _send_all(self) -> None:
        pause = _FIRST_PAUSE
        while self._refusal is None:
            lines = self._next_lines()
            try:
                self._send(lines)
            except OSError as error:  # HTTP errors, too
                if isinstance(error, HTTPError) and not _is_transient(error.code):
                    self._refuse(error)
                    return
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
                continue
            pause = _FIRST_PAUSE
            with self._changed:
                self._waiting.drop(len(lines))
                self._changed.notify_all()

    def _next_lines(self) -> list[bytes]:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting)
            return self._waiting.first()

    def _send(self, lines: list[bytes]) -> None:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        request = Request(self._url, b"[" + b",".join(lines) + b"]", headers)
        with urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:
            failed = json.load(answer)["failed_events"]
        if any(each["retriable"] for each in failed):
            # Events that were written already change nothing if they come again.
            raise OSError("the server could not take all events yet")
        for each in failed:
            print(f"lineagegraph: an event was refused: {each['reason']}", file=sys.stderr)

    def _refuse(self, error: HTTPError) -> None:
        reason = error.read(1_000).decode(errors="replace")
        with self._changed:
            self._refusal = f"the server answered {error.code}: {reason}"
            self._changed.notify_all()


class _WaitingLines:
    """Lines in a temporary file; those that a full disk does not take are kept in memory."""

    def __init__(self) -> None:
        # Open as long as the program runs. After an error, a buffer could not be used again.
        self._file: IO[bytes] = TemporaryFile(buffering=0)  # noqa: SIM115
        self._end = 0
        self._lines: deque[range | bytes] = deque()  # the place in the file, or the line itself

    def __len__(self) -> int:
        return len(self._lines)

    def append(self, line: bytes) -> None:
        """Add a line at the end."""
        try:
            self._file.seek(self._end)
            write_all(self._file, line, self._end)
        except OSError:
            self._lines.append(line)
            return
        self._lines.append(range(self._end, self._end + len(line)))
        self._end += len(line)

    def first(self) -> list[bytes]:
        """Return the oldest lines, at least one, as many as one request takes."""
        found: list[bytes] = []
        size = 0
        for line in islice(self._lines, _BATCH_EVENTS):
            found.append(line if isinstance(line, bytes) else self._read(line))
            size += len(line)
            if size >= _BATCH_BYTES:
                break
        return found

    def drop(self, count: int) -> None:
        """Forget the oldest lines."""
        for _ in range(count):
            self._lines.popleft()

    def _read(self, place: range) -> bytes:
        return os.pread(self._file.fileno(), len(place), place.start)


def _is_transient(status: int) -> bool:
    return status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _TRANSIENT
