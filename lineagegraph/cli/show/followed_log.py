"""A log file that is followed: all of it is read once, and later its end."""

import os
from itertools import count
from pathlib import Path
from typing import IO

from lineagegraph.execution.log_file import undisturbed

# A log only grows, other than its end above `task_log_bytes`: about 1 MB, which is written anew.
_WINDOW = 2_000_000
_CHUNK = 1_000


class FollowedLog:
    """Finds the new lines of a log file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._state = (-1, 0)  # size and time of change when it was read
        self._start = 0  # where in the file the kept end begins
        self._end = b""  # the last bytes that were read

    def read_new(self) -> str:
        """Return the lines since the last call; none while its end is just written anew."""
        with self._path.open("rb") as file, undisturbed(file) as is_undisturbed:
            state = _state(file)
            if state == self._state or not is_undisturbed:
                return ""
            file.seek(self._start)
            data = file.read()
            is_whole = data.startswith(self._end) or state == _state(file)
        if not is_whole or self._end.startswith(data):
            return ""
        new = data[_known(self._end, data) :]
        self._state = state
        self._start += max(0, len(data) - _WINDOW)
        self._end = data[-_WINDOW:]
        return new.decode(errors="replace")


def _state(file: IO[bytes]) -> tuple[int, int]:
    found = os.fstat(file.fileno())
    return found.st_size, found.st_mtime_ns


def _known(before: bytes, data: bytes) -> int:
    """Return where the new lines begin, also if lines before them have been left out since."""
    if data.startswith(before):
        return len(before)
    last = before[-_CHUNK:]
    if (at := data.rfind(last)) >= 0:
        return at + len(last)
    same = next(i for i in count() if before[i : i + 1] != data[i : i + 1])
    return data.rfind(b"\n", 0, same) + 1
