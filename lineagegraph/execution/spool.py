"""A run's events on disk until they are committed, so that they outlive its process."""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import structlog

from lineagegraph.model.typed import decode_json
from lineagegraph.private_files import append_private, open_private

log = structlog.get_logger()
_NAME = re.compile(r"spool-(\d+)\.ndjson")


def spool_path(logs: Path, fence: int) -> Path:
    """Return the spool file of the worker that holds a run by this fence."""
    return logs / f"spool-{fence}.ndjson"


def list_spools(logs: Path) -> list[tuple[int, Path]]:
    """Return the spools that a run's workers left, each with its fence, the oldest first."""
    found = ((_NAME.fullmatch(path.name), path) for path in logs.glob("spool-*.ndjson"))
    return sorted((int(name[1]), path) for name, path in found if name)


def read_spool(path: Path) -> list[dict[str, Any]]:
    """Return the events of a spool; only a line that its writer did not finish is lost."""
    events = []
    for line in path.read_bytes().split(b"\n"):
        try:
            events.append(decode_json(line, into=dict[str, Any]))
        except (msgspec.DecodeError, UnicodeDecodeError):
            if line:
                log.warning("spooled_event_torn", file=str(path), characters=len(line))
    return events


class RunSpool:
    """A file to which events are appended; a full or broken disk is logged once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_refused = False

    def append(self, events: Sequence[dict[str, Any]]) -> None:
        """Append events; they outlive this process."""
        text = b"".join(msgspec.json.encode(event) + b"\n" for event in events)
        # Half a line must not become the start of another event.
        self._try(lambda: append_private(self._path, text))

    def sync(self) -> None:
        """Wait until the file would also survive a crash of the machine."""
        self._try(self._sync)

    def clear(self) -> None:
        """Delete all events."""
        self._try(lambda: self._path.unlink(missing_ok=True))

    def _sync(self) -> None:
        with open_private(self._path, "ab") as file:
            os.fsync(file.fileno())

    def _try(self, step: Callable[[], object]) -> None:
        try:
            step()
        except OSError as error:
            self._log_error(error)
        else:
            self._is_refused = False

    def _log_error(self, error: OSError) -> None:
        """Log an error once; the log may be on the same disk."""
        with suppress(OSError):
            if not self._is_refused:
                log.warning("spool_not_written", file=str(self._path), error=str(error))
        self._is_refused = True
