"""The commit of a bookmark."""

from base64 import b64encode

import pytest
from neo4j import Bookmarks

from lineagegraph.graph.commits import LastCommit, last_commit

_DATABASE = bytes(range(16))


def _bookmark(integer: bytes, begin: bytes = b"\x91\xcc\x10", end: bytes = b"\x90") -> str:
    return "FB:" + b64encode(begin + _DATABASE + integer + end).decode()


@pytest.mark.parametrize(
    ("integer", "number"),
    [
        (b"\x05", 5),
        (b"\xc9\x03\x02", 770),
        (b"\xca\x00\x01\x00\x00", 65_536),
        (b"\xcb" + (1 << 40).to_bytes(8), 1 << 40),
    ],
)
def test_its_number_may_be_of_any_size(integer, number):
    assert last_commit(Bookmarks.from_raw_values([_bookmark(integer)])) == LastCommit(
        _DATABASE, number
    )


@pytest.mark.parametrize(
    "bookmarks",
    [
        [],
        [""],
        ["FB:"],
        ["FB:kcwQ"],
        ["neo4j:bookmark:v1:tx770"],
        [_bookmark(b"")],
        [_bookmark(b"\xc9\x03")],
        [_bookmark(b"\x05", begin=b"\x92\xcc\x10")],
        [_bookmark(b"\x05", end=b"\x91\x01")],
        [_bookmark(b"\x05"), _bookmark(b"\x06")],
    ],
)
def test_a_bookmark_of_another_form_has_none(bookmarks):
    assert last_commit(Bookmarks.from_raw_values(bookmarks)) is None
