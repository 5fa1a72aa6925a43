"""The log files of a run: one a task, and `run.log` for the pipeline and whatever nobody owns."""

import io
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stderr, redirect_stdout
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Self
from urllib.parse import quote

from lineagegraph.model.names.canonical import text_hash

LONGEST_STEM = 240  # names of files have at most 255 bytes
TAIL_BYTES = 8_000
QUIET = ("py4j",)  # it logs every call into the JVM at INFO

_current: ContextVar["Log | None"] = ContextVar("lineagegraph_log", default=None)


def log_path(logs: Path, names: tuple[str, ...]) -> Path:
    """Return where the task with these names logs; no names mean the pipeline.

    A task `run` right below the pipeline logs to `run@task.log`, since `run.log` is the pipeline's.
    Names that are too long for a file are cut, and end with a hash.
    """
    if not names:
        return logs / "run.log"
    stem = ".".join(quote(name, safe=" ") for name in names)
    if len(stem) > LONGEST_STEM:
        stem = f"{stem[: LONGEST_STEM - 17]}~{text_hash(stem)[:16]}"
    return logs / ("run@task.log" if stem == "run" else f"{stem}.log")


class Log:
    """A text file to which threads append; each line is flushed at once, with its time (UTC)."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", encoding="utf-8", errors="backslashreplace")
        self._lock = Lock()
        self._begun = ""

    def write(self, text: str) -> None:
        """Append text; what follows the last line end waits for the rest of its line."""
        with self._lock:
            *lines, self._begun = (self._begun + text).split("\n")
            self._append(lines)

    def close(self) -> None:
        """Write out a last line that has no end, and ignore what is written from now on."""
        with self._lock:
            self._append([self._begun] if self._begun else [])
            self._file.close()

    @contextmanager
    def receiving(self) -> Iterator[None]:
        """Take what this thread (and contexts copied from it) prints and logs."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _append(self, lines: list[str]) -> None:
        if not lines or self._file.closed:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._file.writelines(f"{now} {line}\n" for line in lines)
        self._file.flush()


def read_tail(path: Path) -> str:
    """Return the last lines of a log; nothing where it isn't on this machine."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - TAIL_BYTES))
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
    """A stream of which only what tasks write goes elsewhere."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        if to := _current.get() or self.stream:
            to.write(text)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        """Let it be the stream in all else: Jupyter tells it which cell runs."""
        return getattr(self.stream, name)


Captured = Callable[[Log], AbstractContextManager[None]]


@contextmanager
def captured(rest: Log) -> Iterator[None]:
    """Send `print`, stderr and `logging` of each thread to its task's log, all others to `rest`.

    What is written below Python (the JVM, C code) goes where this process's output goes.
    """
    router = _Router(rest)
    with redirect_stdout(router), redirect_stderr(router), _listening(router):
        yield


@contextmanager
def captured_aside(rest: Log) -> Iterator[None]:
    """Send what tasks print and log to their logs, and leave all else of the process as it is."""
    out, err = _Aside(sys.stdout), _Aside(sys.stderr)
    sys.stdout, sys.stderr = out, err
    try:
        with _listening(_Aside(None)):
            yield
    finally:
        # A cell may have begun or ended to capture meanwhile: what is there now is its own.
        if sys.stdout is out:
            sys.stdout = out.stream
        if sys.stderr is err:
            sys.stderr = err.stream


@contextmanager
def _listening(stream: Any) -> Iterator[None]:
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
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
