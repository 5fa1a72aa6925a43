"""Events on disk while Neo4j is away: lines of JSON in numbered files, oldest first."""

import shutil
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path
from threading import Lock

import msgspec
import structlog

from lineagegraph.private_files import append_private, private_folder

log = structlog.get_logger()
_FILE_BYTES = 4_000_000


class IngestSpool:
    """A folder of files that are appended to, read from the oldest on, and deleted.

    It has at most `most_bytes`, and leaves `least_free_bytes` of its disk free.
    """

    def __init__(self, folder: Path, most_bytes: int, least_free_bytes: int = 0) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._least_free_bytes = least_free_bytes
        self._lock = Lock()
        self._waiting: deque[_Asked] = deque()
        self._writer = ThreadPoolExecutor(1, "spool")
        self._open: Path | None = None
        # Hashes of the lines of each file: producers send again what was answered with 503.
        self._kept: dict[Path, set[bytes]] = {}

    def keep(self, lines: Iterable[bytes]) -> bool:
        """Write events to disk, all or none; False if the disk or the limit has no room."""
        return self.start_keeping(lines).result()

    def start_keeping(self, lines: Iterable[bytes]) -> Future[bool]:
        """Begin to write events to disk, and return what `keep` does as a future.

        What is asked for while the disk is busy is written together afterwards: one sync for each
        would leave many producers without an answer.
        """
        asked = _Asked({_hash(line): line for line in lines})
        self._waiting.append(asked)
        self._writer.submit(self._keep_waiting)
        return asked.is_kept

    def _keep_waiting(self) -> None:
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        kept: list[_Asked] = []
        try:
            with self._lock:
                kept = self._keep_all(batch)
        except OSError as error:
            log.warning("spool_not_written", error=str(error))
        finally:
            for asked in batch:
                asked.is_kept.set_result(asked in kept)

    def _keep_all(self, batch: list["_Asked"]) -> list["_Asked"]:
        """Write what fits with one sync, and return those whose events are on disk."""
        new: dict[bytes, bytes] = {}
        kept = []
        room = self._room()
        for asked in batch:
            lines = {h: line for h, line in asked.lines.items() if not self._is_known(h, new)}
            # What is there already needs no room.
            if (size := sum(map(len, lines.values()))) and size > room:
                log.warning(
                    "spool_full", limit=self._most_bytes, min_free_bytes=self._least_free_bytes
                )
                continue
            room -= size
            new |= lines
            kept.append(asked)
        if new:
            self._kept.setdefault(self._append(b"".join(new.values())), set()).update(new)
        return kept

    def _room(self) -> int:
        """Return how many bytes may still be kept."""
        private_folder(self._folder)
        free = shutil.disk_usage(self._folder).free - self._least_free_bytes
        return min(self._most_bytes - self._size(), free)

    def _is_known(self, hash_: bytes, new: Mapping[bytes, bytes]) -> bool:
        return hash_ in new or any(hash_ in known for known in self._kept.values())

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
        for _, reason in refused:
            log.error("spooled_event_refused", reason=reason)
        rows = (
            {"reason": reason, "event": line.decode(errors="replace").strip()}
            for line, reason in refused
        )
        text = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
        append_private(self._folder / "refused.ndjson", text, is_synced=True)

    def _append(self, text: bytes) -> Path:
        path = self._open or self._next()
        self._open = None
        # Half a line must not become the start of another event.
        size = append_private(path, text, is_synced=True)
        self._open = path if size < _FILE_BYTES else None
        return path

    def _next(self) -> Path:
        last = max((int(path.stem) for path in self._files()), default=0)
        return self._folder / f"{last + 1:012d}.ndjson"

    def _files(self) -> list[Path]:
        return sorted(path for path in self._folder.glob("*.ndjson") if path.stem.isdigit())

    def _size(self) -> int:
        return sum(_file_size(path) for path in self._files())


class _Asked:
    """The events that one caller wants to have kept: lines by their hashes."""

    def __init__(self, lines: dict[bytes, bytes]) -> None:
        self.lines = lines
        self.is_kept: Future[bool] = Future()


def _file_size(path: Path) -> int:
    """Return the size of a file, 0 if its events were replayed a moment ago."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _hash(line: bytes) -> bytes:
    return blake2b(line, digest_size=16).digest()
