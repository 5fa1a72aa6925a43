"""Files and folders of this machine."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from glob import has_magic, iglob
from pathlib import Path

from lineagegraph.sensors.entry import Entry


class LocalFiles:
    """Files of this machine and its mounts; those that `has` is false for are none."""

    def __init__(self, has: Callable[[str], bool] = lambda path: True) -> None:
        self._has = has

    def find(self, path: str) -> Entry | None:
        """Return the entry at a path, following links."""
        if not self._has(path):
            return None
        try:
            found = Path(path).stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        is_folder = stat.S_ISDIR(found.st_mode)
        return Entry(path, is_folder, found.st_size, found.st_mtime)

    def glob(self, pattern: str) -> Iterator[Entry]:
        """Yield the entries that match a pattern."""
        self._check_readable(pattern)
        matched = iglob(pattern, recursive=True, include_hidden=True)  # noqa: PTH207 - pathlib's
        # With two `**` there are several ways to one file.
        once = dict.fromkeys(matched) if pattern.count("**") > 1 else matched
        found = map(self.find, once)  # `**` matches no files
        yield from (entry for entry in found if entry)

    def inside(self, folder: str) -> Iterator[Entry]:
        """Yield the entries of a folder."""
        if not self._has(folder):
            return
        try:
            paths = list(Path(folder).iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return
        found = (self.find(str(path)) for path in paths)
        yield from (entry for entry in found if entry)

    def _check_readable(self, pattern: str) -> None:
        """Raise for an unreadable folder: a pattern would silently match nothing in it."""
        folder = Path(pattern).parent
        while has_magic(str(folder)):
            folder = folder.parent
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
            next(entries, None)
