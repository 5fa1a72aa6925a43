"""Progress of Spark's stages: a file of each process of a run, beside its log."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Self

import msgspec
import structlog

from lineagegraph.model.typed import decode_json
from lineagegraph.private_files import write_private
from lineagegraph.spark.progress import Stage

log = structlog.get_logger()
_EVERY_SECONDS = 1.0
_FILES = "stages-*.json"
Stages = dict[str, list[Stage]]


class StagesFile:
    """Writes changed progress once a second; `read` gives the stages by the tasks' run ids."""

    def __init__(self, logs: Path, read: Callable[[], Stages]) -> None:
        self._path = logs / _FILES.replace("*", str(os.getpid()))
        self._read = read
        self._over = Event()
        self._writing = Lock()
        self._thread = Thread(target=self._follow, name="stages", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        with self._writing:  # not joined: the JVM that it asks may never answer
            self._path.unlink(missing_ok=True)

    def _follow(self) -> None:
        written: Stages = {}
        while not self._over.wait(_EVERY_SECONDS):
            try:
                found = self._read()
                if found != written:
                    self._write(found)
                    written = found
            except Exception as error:
                log.debug("stages_not_read", error=str(error))

    def _write(self, found: Stages) -> None:
        begun = self._path.with_suffix(".new")
        with self._writing:
            if not self._over.is_set():
                write_private(begun, msgspec.json.encode(found))
                begun.replace(self._path)


def read_stages_files(logs: Path) -> Stages:
    """Return the progress of a run; empty if it has ended, or runs on another machine."""
    found: Stages = {}
    for path in logs.glob(_FILES):
        with suppress(OSError):  # its process has ended just now
            found |= decode_json(path.read_bytes(), into=Stages)
    return found
