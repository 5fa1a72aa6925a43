"""The number of the newest commit, which a bookmark of Neo4j has."""

from base64 import b64decode
from typing import NamedTuple

from neo4j import Bookmarks

# Of a bookmark of one database: a list in PackStream, the 16 bytes of the database's id, the number
# of a commit as an integer, and an empty list.
_PREFIX, _BEGIN, _ID_BYTES, _END = "FB:", b"\x91\xcc\x10", 16, b"\x90"
# By the byte before it: how many bytes an integer has that is not a byte itself.
_INTEGERS = {0xC9: 2, 0xCA: 4, 0xCB: 8}


class LastCommit(NamedTuple):
    """A commit, which all reads see from now on, as all before it."""

    database: bytes  # id of the database
    number: int


def last_commit(bookmarks: Bookmarks) -> LastCommit | None:
    """Return the commit of a session's bookmarks.

    None if they are of another form: Neo4j promises none.
    """
    try:
        (text,) = bookmarks.raw_values
        data = b64decode(text.removeprefix(_PREFIX), validate=True)
    except ValueError:
        return None
    start = len(_BEGIN) + _ID_BYTES
    database, integer = data[len(_BEGIN) : start], data[start : -len(_END)]
    if not (integer and data.startswith(_BEGIN) and data.endswith(_END)):
        return None
    digits = integer[1:] if integer[0] in _INTEGERS else integer
    if len(digits) != _INTEGERS.get(integer[0], 1):
        return None
    return LastCommit(database, int.from_bytes(digits))
