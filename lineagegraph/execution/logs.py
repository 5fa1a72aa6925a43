"""Log files of a run: one for each task, and `run.log` for the pipeline and all other output."""

import io
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stderr, redirect_stdout
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Self
from urllib.parse import quote

from lineagegraph.execution.log_file import LogFile, undisturbed
from lineagegraph.model.holding import holding
from lineagegraph.model.names.keys import text_hash

LONGEST_STEM = 240  # names of files have at most 255 bytes
LONGEST_LINE = 65_536  # a longer line is broken
TAIL_BYTES = 8_000
RECORD_FORMAT = "%(levelname)s %(name)s: %(message)s"
QUIET = ("py4j",)  # it logs every call into the JVM at INFO

_TAKEN = ("run", "worker")
_current: ContextVar["Log | None"] = ContextVar("lineagegraph_log", default=None)


def log_path(logs: Path, names: tuple[str, ...], attempt: int = 1) -> Path:
    """Return the log file of the task with these names; no names mean the pipeline.

    Further attempts have files of their own: `NAME.log.2`.

    Tasks `run` and `worker` right below the pipeline log to `run@task.log` and `worker@task.log`:
    `run.log` is the pipeline's, `worker.log` that of the worker process.
    Names that are too long for a file are cut, and end with a hash.
    """
    if not names:
        return logs / "run.log"
    stem = ".".join(quote(name, safe=" ") for name in names)
    if len(stem) > LONGEST_STEM:
        stem = f"{stem[: LONGEST_STEM - 17]}~{text_hash(stem)[:16]}"
    name = f"{stem}@task.log" if stem in _TAKEN else f"{stem}.log"
    return logs / (name if attempt == 1 else f"{name}.{attempt}")


def attempt_logs(first: Path) -> dict[int, Path]:
    """Return the log files of a task's attempts by number, from the file of the first."""
    found = {1: first} if first.is_file() else {}
    if first.parent.is_dir():
        start = f"{first.name}."
        more = [each for each in first.parent.iterdir() if each.name.startswith(start)]
        found |= {int(p.name[len(start) :]): p for p in more if p.name[len(start) :].isdecimal()}
    return dict(sorted(found.items()))


def own_logs(stated: Path, logs: Path) -> dict[int, Path]:
    """Return the log files of a task's attempts by number, of a folder the files in it.

    Only files below `logs` count: the path is part of an event, and anyone may have sent that.
    """
    root = logs.resolve()
    if not stated.resolve().is_relative_to(root):
        return {}
    found = dict(enumerate(sorted(stated.rglob("*")))) if stated.is_dir() else attempt_logs(stated)
    return {n: p for n, p in found.items() if p.is_file() and p.resolve().is_relative_to(root)}


class Log:
    """A text file to which threads append; each line is flushed at once, with its time (UTC).

    Secrets in the text are masked. Above `task_log_bytes` its middle is left out.
    """

    def __init__(self, path: Path) -> None:
        self._file = LogFile(path)
        self._lock = Lock()
        self._begun = ""

    def write(self, text: str) -> None:
        """Append text; the part after the last line end waits for the rest of its line."""
        with self._lock:
            whole, end, self._begun = (self._begun + text).rpartition("\n")
            if end:
                self._append(whole)
            if len(self._begun) > LONGEST_LINE:
                self._append(self._begun)
                self._begun = ""

    def close(self) -> None:
        """Write out an unfinished last line, and ignore later writes."""
        with self._lock:
            if self._begun:
                self._append(self._begun)
                self._begun = ""
            self._file.close()

    def receiving(self) -> AbstractContextManager[None]:
        """Receive the output and the log records of this thread, and of contexts copied from it."""
        return holding(_current, self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _append(self, text: str) -> None:
        self._file.append(datetime.now(UTC).isoformat(timespec="milliseconds"), text)


def read_tail(stated: Path, logs: Path) -> str:
    """Return the last lines of a task's newest log; an empty text if it is on another machine."""
    files = own_logs(stated, logs)
    if not files:
        return ""
    path = files[max(files)]
    try:
        with path.open("rb") as file, undisturbed(file):
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
            return file.read().decode("utf-8", errors="replace")
    except OSError:
        return ""


class _Router(io.TextIOBase):
    def __init__(self, rest: Log) -> None:
        self._rest = rest

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        (_current.get() or self._rest).write(text)
        return len(text)


class _Aside:
    """A stream that diverts only the output of tasks."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        if to := _current.get() or self.stream:
            to.write(text)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        """Delegate everything else to the stream: Jupyter sets the running cell on it."""
        return getattr(self.stream, name)


CaptureOutput = Callable[[Log], AbstractContextManager[None]]


@contextmanager
def capture_output(rest: Log) -> Iterator[None]:
    """Send `print`, stderr and `logging` of each thread to its task's log, all others to `rest`.

    Output from below Python (the JVM, C code) goes to this process's output.
    """
    router = _Router(rest)
    with redirect_stdout(router), redirect_stderr(router), _listening(router):
        yield


@contextmanager
def capture_task_output(rest: Log) -> Iterator[None]:
    """Send the output of tasks to their logs, and leave all other output of the process alone."""
    out, err = _Aside(sys.stdout), _Aside(sys.stderr)
    sys.stdout, sys.stderr = out, err
    try:
        with _listening(_Aside(None)):
            yield
    finally:
        # A cell may have started or ended its own capture meanwhile: leave that alone.
        if sys.stdout is out:
            sys.stdout = out.stream
        if sys.stderr is err:
            sys.stderr = err.stream


@contextmanager
def _listening(stream: Any) -> Iterator[None]:
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter(RECORD_FORMAT))
    root = logging.getLogger()
    level = root.level
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    root.addHandler(handler)
    root.setLevel(min(level, logging.INFO))
    try:
        yield
    finally:
        root.setLevel(level)
        root.removeHandler(handler)
