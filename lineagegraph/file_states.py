"""The state of files and folders on this machine, to tell later whether they changed."""

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from lineagegraph.text import storable

_MOST_FILES = 20_000
_MOST_BYTES = 64 * 1024 * 1024
_MOST_BYTES_OF_USE = 4 * _MOST_BYTES
# Spark names each of its files anew, and tables of Delta and Iceberg keep their old files.
_ANEW = "part-"
_NOT_UTF8 = re.compile(r"\\udc([89a-f][0-9a-f])")
_TABLES = ("_delta_log", "metadata")


class FileState(Struct, frozen=True, omit_defaults=True):
    """The state of a file, or of all files in a folder."""

    path: str  # absolute path, as it was opened
    files: int  # number of files
    size: int  # bytes of all files
    listing: str  # hash of the names, sizes and times of change of all files
    content: str | None = None  # hash of the content; None for over 64 MB, and for tables
    target: str | None = None  # real path, if the path leads over a symbolic link


def state_of(path: str, most_bytes: int = _MOST_BYTES) -> FileState | None:
    """Return the state of a path; None if nothing is there, or more than 20,000 files are.

    The content of more than `most_bytes` is not read.
    """
    found: list[tuple[str, int, int]] = []
    top = Path(_on_disk(path))
    try:
        for name in _names(top):
            status = (top / name).stat()
            # To open a pipe could last for ever.
            if stat.S_ISREG(status.st_mode):
                found.append((name, status.st_size, status.st_mtime_ns))
            if len(found) > _MOST_FILES:
                return None
        size = sum(bytes_ for _, bytes_, _ in found)
        content = _content(top, [name for name, _, _ in found]) if size <= most_bytes else None
    except OSError:
        return None
    if not found and not top.is_dir():
        return None
    listing = hashlib.sha256(repr(sorted(found)).encode()).hexdigest()
    real = storable(os.path.realpath(top))
    path = storable(path)
    target = real if real != path else None
    return FileState(path, len(found), size, listing, content, target)


def states_of_use(read: Iterable[str], written: Iterable[str]) -> dict[str, Any]:
    """Return the states of what is there as plain values: `read` and `written`, each if any."""
    left = _MOST_BYTES_OF_USE
    found: dict[str, list[Any]] = {}
    for use, paths in (("read", read), ("written", written)):
        for path in paths:
            if state := state_of(path, min(left, _MOST_BYTES)):
                found.setdefault(use, []).append(to_builtins(state))
                left -= state.size if state.content else 0
    return found


def is_same(before: FileState, after: FileState | None) -> bool:
    """Return whether files have the same content, or else the same sizes and times of change."""
    if after is None:
        return False
    if before.content and after.content:
        return before.content == after.content
    return before.listing == after.listing


def _on_disk(path: str) -> str:
    """Return a stored path with the bytes that are not UTF-8, as `storable` has replaced them."""
    return _NOT_UTF8.sub(lambda one: chr(0xDC00 + int(one[1], 16)), path)


def _names(top: Path) -> Iterator[str]:
    """Yield the relative paths of the files in a folder, without hidden ones; `""` for a file."""
    if top.is_file():
        yield ""
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if name[0] not in "._" or "=" in name]
        below = Path(folder).relative_to(top)
        yield from (str(below / name) for name in files if name[0] not in "._")


def _content(top: Path, names: list[str]) -> str | None:
    if any((top / name).exists() for name in _TABLES):
        return None
    found = sorted((_steady(name), _hash(top / name)) for name in names)
    return hashlib.sha256(repr(found).encode()).hexdigest()


def _steady(name: str) -> str:
    """Return a name without the part that Spark makes anew."""
    path = Path(name)
    return str(path.parent / _ANEW) if path.name.startswith(_ANEW) else name


def _hash(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
