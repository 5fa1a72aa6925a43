"""Files and folders of this installation, which only its user may read.

The process keeps its umask: data that tasks write have the user's own modes.
"""

import errno
import fcntl
import os
import shutil
import stat
import time
import weakref
from contextlib import suppress
from functools import cache
from pathlib import Path
from socket import gethostname
from tempfile import TemporaryDirectory, gettempdir
from typing import IO, Any
from zlib import crc32

_FILE, _FOLDER = 0o600, 0o700
_OTHERS = 0o077
# Earlier versions name theirs otherwise, and lock none. A lock may hold on its host alone.
_PREFIX = f"lineagegraph-locked-{crc32(gethostname().encode()):08x}-"
_LOCKED_SECONDS = 60.0


def private_folder(folder: Path) -> Path:
    """Make a folder and those around it that are missing, each with mode 0700, and return it.

    A folder of this user that is there gets the mode too, other than one that many share as /tmp.
    Raises `NotADirectoryError` for anything else that is there.
    """
    for each in reversed((folder, *folder.parents)):
        if not each.exists():
            each.mkdir(mode=_FOLDER, exist_ok=True)
    found = folder.stat()
    if not stat.S_ISDIR(found.st_mode):
        # Without its mode a device such as /dev/null is lost to all others.
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    is_shared = found.st_mode & stat.S_ISVTX or found.st_uid != os.getuid()
    if found.st_mode & _OTHERS and not is_shared:
        folder.chmod(_FOLDER)
    return folder


def open_private(path: Path, mode: str, **options: Any) -> IO[Any]:
    """Open a file to write with mode 0600, also one that had another mode; devices keep theirs."""
    return open(path, mode, opener=_opener, **options)


def write_private(path: Path, content: bytes) -> None:
    """Write a file of mode 0600; an error of the disk names it, and leaves nothing in it."""
    try:
        with open_private(path, "wb", buffering=0) as file:
            write_all(file, content, before=0)
    except OSError as error:
        error.filename = str(path)
        raise


def replace_private(path: Path, content: bytes) -> None:
    """Write a file of mode 0600 as a whole: on a full disk it stays as it was."""
    part = path.with_name(f"{path.name}.part")
    try:
        write_private(part, content)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        error.filename, error.filename2 = str(path), None
        raise


def append_private(path: Path, content: bytes, *, is_synced: bool = False) -> int:
    """Append to a file of mode 0600, all or nothing, and return its size."""
    with open_private(path, "ab", buffering=0) as file:
        before = file.tell()
        write_all(file, content, before, is_synced=is_synced)
    return before + len(content)


def write_all(file: IO[bytes], content: bytes, before: int, *, is_synced: bool = False) -> None:
    """Write to a file without a buffer, or leave it with the size that it had before.

    A buffer would write its rest when it is closed, behind the cut.
    """
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[file.write(rest) :]
        if is_synced:
            os.fsync(file.fileno())
    except OSError:
        # Half of it is of no use, and would keep the disk full.
        with suppress(OSError):
            os.ftruncate(file.fileno(), before)
        raise


class TemporaryFolder(TemporaryDirectory[str]):
    """A folder that is removed at its end, or later if its process is killed before.

    A lock tells that its process lives, also one with an id that had another process before. The
    first folder of a process removes those of its host without one.
    """

    def __init__(self) -> None:
        _remove_left()
        super().__init__(prefix=_PREFIX)
        lock = os.open(self.name, os.O_RDONLY | os.O_DIRECTORY)
        self._unlock = weakref.finalize(self, os.close, lock)
        # Where nothing can be locked, no one finds it unlocked.
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def cleanup(self) -> None:
        """Remove it."""
        super().cleanup()
        self._unlock()


@cache
def _remove_left() -> None:
    """Remove the folders of this user's processes that were killed, once."""
    with suppress(OSError), os.scandir(gettempdir()) as entries:
        for one in entries:
            if one.name.startswith(_PREFIX):
                with suppress(OSError):
                    _remove_if_left(one.path)


def _remove_if_left(folder: str) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        found = os.fstat(opened)
        # A process makes its folder a moment before it locks it.
        if found.st_uid == os.getuid() and found.st_mtime < time.time() - _LOCKED_SECONDS:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(opened)


def _opener(path: str, flags: int) -> int:
    descriptor = os.open(path, flags, _FILE)
    found = os.fstat(descriptor)
    is_own = stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid()
    if is_own and found.st_mode & _OTHERS:
        os.fchmod(descriptor, _FILE)
    return descriptor
