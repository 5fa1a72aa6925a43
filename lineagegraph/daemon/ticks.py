"""Counts of a daemon's steps."""

from threading import Lock

from lineagegraph.model.names.ticks import Beat


class Beats:
    """The steps so far; any thread may record one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._steps: dict[str, Beat] = {}

    def note(self, step: str, seconds: float, *, failed: bool) -> None:
        """Count a step and its duration in seconds."""
        with self._lock:
            was = self._steps.get(step, Beat(step, 0, 0, 0.0))
            self._steps[step] = Beat(step, was.done + 1, was.failed + failed, was.seconds + seconds)

    def read(self) -> list[Beat]:
        """Return the steps by name."""
        with self._lock:
            return sorted(self._steps.values())
