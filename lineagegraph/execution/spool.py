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

log = structlog.get_logger()
_NAME = re.compile(r"spool-(\d+)\.ndjson")


def spool_path(logs: Path, fence: int) -> Path:
    """Return where the worker that holds a run by this fence keeps what is not committed."""
    return logs / f"spool-{fence}.ndjson"


def list_spools(logs: Path) -> list[tuple[int, Path]]:
    """Return what workers of a run left behind, each with its fence, the oldest first."""
    found = ((_NAME.fullmatch(path.name), path) for path in logs.glob("spool-*.ndjson"))
    return sorted((int(name[1]), path) for name, path in found if name)


def read_spool(path: Path) -> list[dict[str, Any]]:
    """Return the events of a spool; a line that its writer did not end is lost, no other."""
    events = []
    for line in path.read_bytes().split(b"\n"):
        try:
            events.append(decode_json(line, into=dict[str, Any]))
        except msgspec.DecodeError:
            if line:
                log.warning("spooled_event_torn", file=str(path), characters=len(line))
    return events


class EventSpool:
    """A file to which events are appended; where the disk takes nothing, that is said once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_refused = False

    def append(self, events: Sequence[dict[str, Any]]) -> None:
        """Write events behind what is there; they outlive this process."""
        text = b"".join(msgspec.json.encode(event) + b"\n" for event in events)
        self._try(lambda: self._append(text))

    def sync(self) -> None:
        """Wait until what is there would outlive the machine's crash too."""
        self._try(self._sync)

    def clear(self) -> None:
        """Forget everything."""
        self._try(lambda: self._path.unlink(missing_ok=True))

    def _append(self, text: bytes) -> None:
        with self._path.open("ab") as file:
            before = file.tell()
            try:
                file.write(text)
                file.flush()
            except OSError:
                # Half a line must not become the start of another event.
                os.truncate(self._path, before)
                raise

    def _sync(self) -> None:
        with self._path.open("ab") as file:
            os.fsync(file.fileno())

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except OSError as error:
            self._say(error)
        else:
            self._is_refused = False

    def _say(self, error: OSError) -> None:
        """Say it once; the log may be on the same disk."""
        with suppress(OSError):
            if not self._is_refused:
                log.warning("spool_not_written", file=str(self._path), error=str(error))
        self._is_refused = True
