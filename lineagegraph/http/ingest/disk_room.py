"""Whether the disk of the managed Neo4j has room: a database that fills it fails, and may hang."""

import shutil
import time
from pathlib import Path

import structlog

from lineagegraph.errors import GraphBusy

log = structlog.get_logger()
_LOOK_SECONDS = 1.0


class DiskRoom:
    """The free space of a disk, measured once a second at most; `least_bytes` stay free."""

    def __init__(self, folder: Path, least_bytes: int) -> None:
        self._folder = folder
        self._least_bytes = least_bytes
        self._error: GraphBusy | None = None
        self._look_at = 0.0

    def lack(self) -> GraphBusy | None:
        """Return the error for too little free space, if there is too little."""
        if self._least_bytes and time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + _LOOK_SECONDS
            self._look()
        return self._error

    def _look(self) -> None:
        is_short = shutil.disk_usage(self._folder).free < self._least_bytes
        if is_short and not self._error:
            log.warning("disk_nearly_full", folder=str(self._folder))
        said = f"less than {self._least_bytes:,} bytes (min_free_bytes) are free: free some space"
        self._error = GraphBusy(f"disk of {self._folder}: {said}") if is_short else None
