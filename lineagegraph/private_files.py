"""Files and folders of this installation, which only its user may read.

The process keeps its umask: data that tasks write have the user's own modes.
"""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

_FILE, _FOLDER = 0o600, 0o700
_OTHERS = 0o077


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
            _write_all(file, content, before=0)
    except OSError as error:
        error.filename = str(path)
        raise


def append_private(path: Path, content: bytes, *, is_synced: bool = False) -> int:
    """Append to a file of mode 0600, all or nothing, and return its size."""
    with open_private(path, "ab", buffering=0) as file:
        before = file.tell()
        _write_all(file, content, before, is_synced=is_synced)
    return before + len(content)


def _write_all(file: IO[bytes], content: bytes, before: int, *, is_synced: bool = False) -> None:
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


def _opener(path: str, flags: int) -> int:
    descriptor = os.open(path, flags, _FILE)
    found = os.fstat(descriptor)
    is_own = stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid()
    if is_own and found.st_mode & _OTHERS:
        os.fchmod(descriptor, _FILE)
    return descriptor
