"""A run's events on disk until they are committed, so that they outlive its process."""

import os
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import structlog

from lineagegraph.model.typed import decode_json
from lineagegraph.private_files import append_private, open_private, replace_private, write_all

log = structlog.get_logger()
_NAME = re.compile(r"spool-(\d+)(?:-(\d+))?\.ndjson")


def spool_path(logs: Path, fence: int) -> Path:
    """Return the spool file of the worker that holds a run by this fence."""
    return logs / f"spool-{fence}.ndjson"


def list_spools(logs: Path) -> list[tuple[int, Path]]:
    """Return the spools that a run's workers left, each with its fence, the oldest first."""
    found = ((_NAME.fullmatch(path.name), path) for path in logs.glob("spool-*.ndjson"))
    # Of one worker, what was taken before is older than what it has written since.
    spools = sorted((int(name[1]), float(name[2] or "inf"), path) for name, path in found if name)
    return [(fence, path) for fence, _, path in spools]


def take_spool(path: Path) -> Path | None:
    """Rename a spool, so that a worker that lives writes another; None if the worker deleted it."""
    name = _NAME.fullmatch(path.name)
    if name is None or name[2]:
        return path
    taken = path.with_name(f"spool-{name[1]}-{time.time_ns()}.ndjson")
    try:
        path.rename(taken)
    except FileNotFoundError:
        return None
    return taken


def put_aside(logs: Path, event: dict[str, Any], reason: str) -> None:
    """Keep an event that the graph refuses in the folder of its run, if the disk takes it."""
    log.error("spooled_event_refused", reason=reason, body=event)
    row = msgspec.json.encode({"reason": reason, "event": event}) + b"\n"
    with suppress(OSError):
        append_private(logs / "refused.ndjson", row)


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
        self._count = 0

    def append(self, events: Sequence[dict[str, Any]]) -> None:
        """Append events; they outlive this process."""
        text = _lines(events)
        self._count += len(events)
        self._try(lambda: self._append(text))

    def sync(self) -> None:
        """Wait until the file would also survive a crash of the machine."""
        self._try(self._sync)

    def clear(self, but: Sequence[dict[str, Any]] = ()) -> None:
        """Delete all events but some; where these are half of the file, it is not written anew."""
        if self._count <= 2 * len(but):
            return
        self._count = len(but)
        if but:
            self._try(lambda: replace_private(self._path, _lines(but)))
        else:
            self._try(lambda: self._path.unlink(missing_ok=True))

    def _append(self, text: bytes) -> None:
        is_kept = False
        while not is_kept:
            with open_private(self._path, "ab", buffering=0) as file:
                # Half a line must not become the start of another event.
                write_all(file, text, file.tell())
                # A file that was taken meanwhile may have been read before this was written.
                is_kept = _is_at(self._path, file.fileno())

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


def _lines(events: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(msgspec.json.encode(event) + b"\n" for event in events)


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
