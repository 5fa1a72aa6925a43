"""A diff of two sets of files, line by line for text."""

from collections.abc import Iterator, Mapping
from difflib import unified_diff
from hashlib import sha256

import msgspec

from lineagegraph.model.change import Change
from lineagegraph.model.names.named_values import list_changed

# Lines of more than that take long to compare, and longer to read.
_MOST_BYTES = 512 * 1024


class FileDiff(msgspec.Struct, frozen=True):
    """A file that was added, removed or changed: hashes and sizes, None where absent.

    `lines` are those of a unified diff; empty for binary or very long files.
    """

    path: str
    change: Change
    before: str | None
    after: str | None
    before_size: int | None = None
    after_size: int | None = None
    lines: tuple[str, ...] = ()


def diff_files(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> Iterator[FileDiff]:
    """Yield the files that differ, by path."""
    for path, before, after in list_changed(old, new):
        yield FileDiff(
            path,
            _change(before, after),
            _hash(before),
            _hash(after),
            None if before is None else len(before),
            None if after is None else len(after),
            tuple(_lines(path, before, after)),
        )


def diff_hashes(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[FileDiff]:
    """Yield the files that differ, comparing hashes only."""
    for path, before, after in list_changed(old, new):
        yield FileDiff(path, _change(before, after), before, after)


def _change(before: object, after: object) -> Change:
    if before is None:
        return Change.ADDED
    return Change.REMOVED if after is None else Change.CHANGED


def _lines(path: str, before: bytes | None, after: bytes | None) -> Iterator[str]:
    old, new = _text(before), _text(after)
    if old is None or new is None:
        return
    first, second = ("/dev/null" if side is None else path for side in (before, after))
    yield from unified_diff(old, new, first, second, lineterm="")


def _text(content: bytes | None) -> list[str] | None:
    """Return lines without their ends, which editors change; None for binary or long files."""
    if content is None:
        return []
    if len(content) > _MOST_BYTES or b"\0" in content:
        return None
    try:
        return content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        return None


def _hash(content: bytes | None) -> str | None:
    return None if content is None else sha256(content).hexdigest()
