"""The end of what a process prints."""

from subprocess import Popen
from threading import Thread

_KEPT = 16 * 1024
_DRAIN_SECONDS = 2.0  # a process left behind may hold the pipe open for ever


class Output:
    """Reads a process's stdout for as long as it lasts, and keeps the last 16 kB."""

    def __init__(self, process: "Popen[bytes]") -> None:
        self._process = process
        self._kept = b""
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def last_line(self) -> str:
        """Return the last line that is not empty; called after the process ended."""
        self._reader.join(_DRAIN_SECONDS)
        lines = self._kept.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            while chunk := stream.read(_KEPT):
                self._kept = (self._kept + chunk)[-_KEPT:]
