"""Events of Spark's work in a program: it keeps them in a file, and its task reports them."""

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from lineagegraph.execution.kinds.capture_context import context_variable, read_context
from lineagegraph.private_files import append_private
from lineagegraph.spark.context import TaskContext

_EVENTS = "LINEAGEGRAPH_CAPTURE_EVENTS"


def capture_variables(context: TaskContext, file: Path) -> dict[str, str]:
    """Return the variables by which a program captures its work for a task."""
    return {**context_variable(context), _EVENTS: str(file)}


def report_kept(file: Path, report: Callable[[list[dict[str, Any]]], None]) -> None:
    """Report the events that a program has kept, if any."""
    if not file.exists():
        return
    events: list[dict[str, Any]] = []
    for line in file.read_bytes().splitlines():
        with suppress(ValueError):  # the last line of a program that was killed
            events.append(json.loads(line))
    report(events)


class KeptEvents:
    """In the program: its task, and the file that takes its events.

    Those that a full disk does not take are written with later ones, or at the end.
    """

    def __init__(self) -> None:
        self.context = read_context()
        self._file, self._lock = Path(os.environ[_EVENTS]), Lock()
        self._unwritten = b""

    def keep(self, events: Sequence[dict[str, Any]]) -> None:
        """Keep events, from any thread."""
        with self._lock:
            self._unwritten += b"".join(json.dumps(event).encode() + b"\n" for event in events)
            with suppress(OSError):
                self._write()

    def close(self) -> None:
        """Write what is left; raise `SystemExit` if it cannot be: lineage must not lack."""
        with self._lock:
            try:
                self._write()
            except OSError as error:
                raise SystemExit(
                    f"lineagegraph: the lineage of this program is incomplete: {self._file}: "
                    f"{error.strerror}; free some space there"
                ) from None

    def _write(self) -> None:
        if self._unwritten:
            # Half a line must not become the start of another event.
            append_private(self._file, self._unwritten)
            self._unwritten = b""
