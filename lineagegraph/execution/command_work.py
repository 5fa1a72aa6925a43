"""A program as a task: its process group, its output and what it emits."""

import os
import shlex
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Thread

from lineagegraph.errors import RunError, RunKilled
from lineagegraph.execution.emit import Emitted
from lineagegraph.execution.logs import Log
from lineagegraph.execution.work import CommandFailed

TAIL_LINES = 20
DRAIN_SECONDS = 5.0  # a child left behind may hold the pipe open for ever


class CommandWork:
    """Runs a program where this process is, and in a process group of its own."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: Log,
        emitted: Emitted,
        cwd: str | None = None,
    ) -> None:
        self._command = list(command)
        self._environment = dict(environment)
        self._log = log
        self._emitted = emitted
        self._cwd = cwd
        self._tail: deque[str] = deque(maxlen=TAIL_LINES)
        self._lock = Lock()
        self._stopped = False
        self._process: subprocess.Popen[str] | None = None

    def run(self) -> None:
        """Run it to its end; raise `CommandFailed` unless its exit code is 0."""
        with TemporaryDirectory(prefix="lineagegraph-") as folder:
            file = Path(folder) / "emit.jsonl"
            file.touch()
            process = self._start({"LINEAGEGRAPH_EMIT": str(file)})
            self._follow(process)
            try:
                self._judge(process.returncode)
            except CommandFailed:
                # How it ended says more than a line that is no JSON.
                with suppress(RunError):
                    self._emitted.add_lines(file)
                raise
            self._emitted.add_lines(file)

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Send TERM to the process group, and KILL to what is left after the grace time."""
        with self._lock:
            self._stopped = True
        self._signal(signal.SIGTERM)
        returned(grace)
        self._signal(signal.SIGKILL)
        returned(DRAIN_SECONDS + 1)

    def _start(self, extra: dict[str, str]) -> "subprocess.Popen[str]":
        with self._lock:
            if self._stopped:
                raise RunKilled("the command was stopped before it started")
            self._process = subprocess.Popen(
                self._command,
                env=self._environment | extra,
                cwd=self._cwd,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="backslashreplace",
                start_new_session=True,
            )
            return self._process

    def _follow(self, process: "subprocess.Popen[str]") -> None:
        reader = Thread(target=self._copy, args=(process,), daemon=True)
        reader.start()
        process.wait()
        reader.join(DRAIN_SECONDS)

    def _copy(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                self._log.write(line)
                self._tail.append(line)

    def _judge(self, code: int) -> None:
        if code == 0:
            return
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"exited with {code}"
        raise CommandFailed(f"{shlex.join(self._command)} {how}", "".join(self._tail))

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
