"""Events on disk while Neo4j is away: lines of JSON in numbered files, oldest first."""

import os
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from threading import Lock

import msgspec
import structlog

from lineagegraph.private_files import open_private, private_folder

log = structlog.get_logger()
_FILE_BYTES = 4_000_000


class IngestSpool:
    """A folder of files that are appended to, read from the oldest on, and deleted."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._lock = Lock()
        self._open: Path | None = None
        # Hashes of the lines of each file: producers send again what was answered with 503.
        self._kept: dict[Path, set[bytes]] = {}

    def keep(self, lines: Iterable[bytes]) -> bool:
        """Write events to disk, all or none; False if the disk or the limit has no room."""
        with self._lock:
            new = {_hash(line): line for line in lines}
            for known in self._kept.values():
                new = {hash_: line for hash_, line in new.items() if hash_ not in known}
            text = b"".join(new.values())
            try:
                if self._size() + len(text) > self._most_bytes:
                    log.warning("spool_full", limit=self._most_bytes)
                    return False
                if new:
                    self._kept.setdefault(self._append(text), set()).update(new)
            except OSError as error:
                log.warning("spool_not_written", error=str(error))
                return False
        return True

    def size(self) -> int:
        """Return how many bytes of events are on disk."""
        with self._lock:
            try:
                return self._size()
            except OSError:
                return 0

    def oldest(self) -> Path | None:
        """Return the file to read next; nothing is appended to it any more."""
        with self._lock:
            path = next(iter(self._files()), None)
            if path == self._open:
                self._open = None
            return path

    def finish(self, path: Path, refused: list[tuple[bytes, str]]) -> bool:
        """Delete a file; refused events are put aside with the reasons first."""
        try:
            if refused:
                self._put_aside(refused)
            path.unlink()
            with self._lock:
                self._kept.pop(path, None)
        except OSError as error:
            log.warning("spool_not_emptied", error=str(error))
            return False
        return True

    def _put_aside(self, refused: list[tuple[bytes, str]]) -> None:
        with open_private(self._folder / "refused.ndjson", "ab") as file:
            for line, reason in refused:
                log.error("spooled_event_refused", reason=reason)
                row = {"reason": reason, "event": line.decode(errors="replace").strip()}
                file.write(msgspec.json.encode(row) + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _append(self, text: bytes) -> Path:
        private_folder(self._folder)
        path = self._open or self._next()
        with open_private(path, "ab") as file:
            before = file.tell()
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                # Half a line must not become the start of another event.
                self._open = None
                os.truncate(path, before)
                raise
            self._open = path if file.tell() < _FILE_BYTES else None
        return path

    def _next(self) -> Path:
        last = max((int(path.stem) for path in self._files()), default=0)
        return self._folder / f"{last + 1:012d}.ndjson"

    def _files(self) -> list[Path]:
        return sorted(path for path in self._folder.glob("*.ndjson") if path.stem.isdigit())

    def _size(self) -> int:
        return sum(path.stat().st_size for path in self._files())


def _hash(line: bytes) -> bytes:
    return blake2b(line, digest_size=16).digest()
