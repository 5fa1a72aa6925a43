"""Which files of a pattern are new, and the cursor that remembers the others."""

from base64 import b64encode
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from lineagegraph.errors import PokeFailed
from lineagegraph.model.new_items import LARGEST_ITEMS, MOST_ITEMS, NewItems, new_items
from lineagegraph.sensors.entry import Entry

MOST_FILES = 10_000
_BYTES = 9
_CHARACTERS = 12
_AROUND = 200


def new_files(
    entries: Iterable[Entry], cursor: Any, counts: Callable[[Entry], bool] = lambda _: True
) -> NewItems:
    """Return the files that the cursor does not know, the oldest first, each path once.

    One that does not count yet is neither new nor gone.
    The cursor knows files by a part of the hash of their paths. It forgets those that are gone only
    if it is full: a folder that is not mounted for a while makes no file new.
    """
    here = {_mark(entry.path): entry for entry in entries}
    seen = _marks(cursor)
    known = set(seen)
    unknown = (one for mark, one in here.items() if mark not in known)
    new = sorted(filter(counts, unknown), key=_age)
    taken = _first(new)
    marks = [*seen, *(_mark(entry.path) for entry in taken)]
    if not taken:
        return new_items((), cursor=cursor)
    kept = _without_gone(marks, here) if len(marks) > MOST_FILES else marks
    last = taken[-1].path
    return new_items(
        map(_item, taken), cursor={"last": last, "files": len(kept), "seen": "".join(kept)}
    )


def _first(entries: list[Entry]) -> list[Entry]:
    """Return as many entries as one answer takes."""
    size = 0
    for number, entry in enumerate(entries[:MOST_ITEMS]):
        size += 2 * len(_text(entry.path)) + _AROUND
        if size > LARGEST_ITEMS:
            return entries[:number]
    return entries[:MOST_ITEMS]


def _text(path: str) -> bytes:
    try:
        return path.encode()
    except UnicodeEncodeError:
        raise PokeFailed(f"the name of {path!r} is not UTF-8: rename it") from None


def _without_gone(marks: list[str], here: dict[str, Entry]) -> list[str]:
    """Return the marks without the oldest of files that are gone."""
    excess = len(marks) - MOST_FILES
    gone = [mark for mark in marks if mark not in here][:excess]
    if len(gone) < excess:
        raise PokeFailed(
            f"more than {MOST_FILES:,} files match, and no more are remembered: move those that "
            "are done away"
        )
    forgotten = set(gone)
    return [mark for mark in marks if mark not in forgotten]


def _mark(path: str) -> str:
    return b64encode(sha256(path.encode(errors="surrogateescape")).digest()[:_BYTES]).decode()


def _marks(cursor: Any) -> list[str]:
    seen = cursor.get("seen") if isinstance(cursor, dict) else None
    if not isinstance(seen, str):
        return []
    return [seen[at : at + _CHARACTERS] for at in range(0, len(seen), _CHARACTERS)]


def _age(entry: Entry) -> tuple[float, str]:
    return entry.changed_at or 0.0, entry.path


def _item(entry: Entry) -> dict[str, Any]:
    at = entry.changed_at
    return {
        "path": entry.path,
        "name": entry.path.rstrip("/").rpartition("/")[2],
        "size": entry.size,
        "changed_at": None if at is None else datetime.fromtimestamp(at, UTC).isoformat(),
    }
